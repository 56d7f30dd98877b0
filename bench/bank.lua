-- For sysbench: money moves between two accounts, of different DNs or of the same one.
-- The accounts are in partitions by id modulo --dns, and so are the DNs.

sysbench.cmdline.options = {
  accounts = {"Accounts", 3000},
  dns = {"DNs, and partitions", 3},
  between = {"What a transfer is between: dns, or accounts of one DN", "dns"},
  partitioned = {"Whether the endpoint has partitions", true},
}

local connection

function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("DROP TABLE IF EXISTS account")
  local table = "CREATE TABLE account (id INT PRIMARY KEY, balance BIGINT NOT NULL)"
  if sysbench.opt.partitioned then
    table = table .. " PARTITION BY HASH(id) PARTITIONS " .. sysbench.opt.dns
  end
  con:query(table)
  con:bulk_insert_init("INSERT INTO account VALUES")
  for id = 0, sysbench.opt.accounts - 1 do
    con:bulk_insert_next("(" .. id .. ", 1000)")
  end
  con:bulk_insert_done()
end

function thread_init()
  connection = sysbench.sql.driver():connect()
end

function thread_done()
  connection:disconnect()
end

-- The lower number first, so that nobody deadlocks.
local function pair()
  local dns = sysbench.opt.dns
  local one, other
  repeat
    one = sysbench.rand.uniform(0, sysbench.opt.accounts - 1)
    other = sysbench.rand.uniform(0, sysbench.opt.accounts - 1)
  until one ~= other and (one % dns == other % dns) == (sysbench.opt.between ~= "dns")
  return math.min(one, other), math.max(one, other)
end

function event()
  local from, to = pair()
  connection:query("BEGIN")
  connection:query("UPDATE account SET balance = balance - 1 WHERE id = " .. from)
  connection:query("UPDATE account SET balance = balance + 1 WHERE id = " .. to)
  connection:query("COMMIT")
end
