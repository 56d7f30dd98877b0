-- For sysbench: money moves between two accounts, of different DNs or of the same one, or all of it
-- is counted: by one statement, or by two of one transaction. A wrong sum is an error.
-- The accounts are in partitions by id modulo --dns, and so are the DNs.

sysbench.cmdline.options = {
  accounts = {"Accounts", 3000},
  dns = {"DNs, and partitions", 3},
  between = {"What a transfer is between: dns, or accounts of one DN", "dns"},
  work = {"transfers, sum or halves", "transfers"},
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

local function counted(condition)
  return tonumber(connection:query_row("SELECT SUM(balance) FROM account" .. condition))
end

local function count()
  local money
  if sysbench.opt.work == "sum" then
    money = counted("")
  else
    connection:query("BEGIN")
    money = counted(" WHERE id < " .. sysbench.opt.accounts / 2)
    money = money + counted(" WHERE id >= " .. sysbench.opt.accounts / 2)
    connection:query("COMMIT")
  end
  if money ~= sysbench.opt.accounts * 1000 then
    error("torn: " .. money .. " instead of " .. sysbench.opt.accounts * 1000)
  end
end

function event()
  if sysbench.opt.work ~= "transfers" then
    count()
    return
  end
  local from, to = pair()
  connection:query("BEGIN")
  connection:query("UPDATE account SET balance = balance - 1 WHERE id = " .. from)
  connection:query("UPDATE account SET balance = balance + 1 WHERE id = " .. to)
  connection:query("COMMIT")
end
