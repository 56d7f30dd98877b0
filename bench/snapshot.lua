-- For sysbench: a SELECT of two rows of different DNs, or a write of one row of each of two DNs.
-- The rows are in partitions by id modulo --dns, and so are the DNs.

sysbench.cmdline.options = {
  rows = {"Rows", 20000},
  dns = {"DNs, and partitions", 2},
  work = {"read, or write", "read"},
  consistency = {"read_consistency of the session; empty where there is no such variable", ""},
  partitioned = {"Whether the endpoint has partitions", true},
}

local connection

function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("DROP TABLE IF EXISTS pair")
  local table = "CREATE TABLE pair (id INT PRIMARY KEY, n BIGINT NOT NULL, pad CHAR(60) NOT NULL)"
  if sysbench.opt.partitioned then
    table = table .. " PARTITION BY HASH(id) PARTITIONS " .. sysbench.opt.dns
  end
  con:query(table)
  con:bulk_insert_init("INSERT INTO pair VALUES")
  for id = 0, sysbench.opt.rows - 1 do
    con:bulk_insert_next("(" .. id .. ", 0, 'some text that makes the row a little longer')")
  end
  con:bulk_insert_done()
end

function thread_init()
  connection = sysbench.sql.driver():connect()
  if sysbench.opt.consistency ~= "" then
    connection:query("SET SESSION read_consistency = '" .. sysbench.opt.consistency .. "'")
  end
end

function thread_done()
  connection:disconnect()
end

-- Two rows that stand side by side are on different DNs; the lower one first.
function event()
  local id = sysbench.rand.uniform(0, sysbench.opt.rows - 2)
  local ids = "(" .. id .. ", " .. id + 1 .. ")"
  if sysbench.opt.work == "read" then
    connection:query("SELECT id, n, pad FROM pair WHERE id IN " .. ids)
  else
    connection:query("UPDATE pair SET n = n + 1 WHERE id IN " .. ids)
  end
end
