-- For sysbench: joins of tables that are not placed by the columns they are joined on. Orders refer
-- to customers, customers to cities; rows are in partitions by their own keys.

sysbench.cmdline.options = {
  rows = {"Orders; a fifth as many customers, a hundredth as many cities", 50000},
  shape = {"row, or list", "row"},
}

local connection

local function fill(con, table, count, row)
  con:bulk_insert_init("INSERT INTO " .. table .. " VALUES")
  for id = 1, count do
    con:bulk_insert_next(row(id))
  end
  con:bulk_insert_done()
end

function prepare()
  local con = sysbench.sql.driver():connect()
  local rows = sysbench.opt.rows
  con:query("CREATE TABLE cities (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL)")
  con:query("CREATE TABLE customers (id INT PRIMARY KEY, city INT NOT NULL, name VARCHAR(40) NOT NULL, KEY (city))")
  con:query("CREATE TABLE orders (id INT PRIMARY KEY, customer INT NOT NULL, day INT NOT NULL, pad CHAR(60) NOT NULL, KEY (customer), KEY (day))")
  fill(con, "cities", rows / 100, function(id) return "(" .. id .. ", 'city " .. id .. "')" end)
  fill(con, "customers", rows / 5, function(id)
    return "(" .. id .. ", " .. id * 7 % (rows / 100) + 1 .. ", 'customer " .. id .. "')"
  end)
  fill(con, "orders", rows, function(id)
    return "(" .. id .. ", " .. id * 13 % (rows / 5) + 1 .. ", " .. id % (rows / 20) .. ", 'some text')"
  end)
end

function thread_init()
  connection = sysbench.sql.driver():connect()
end

function thread_done()
  connection:disconnect()
end

-- One order with its customer and city, or the twenty orders of a day.
function event()
  local rows = sysbench.opt.rows
  local condition
  if sysbench.opt.shape == "row" then
    condition = "o.id = " .. sysbench.rand.uniform(1, rows)
  else
    condition = "o.day = " .. sysbench.rand.uniform(0, rows / 20 - 1)
  end
  connection:query(
    "SELECT o.id, c.name, t.name FROM orders AS o JOIN customers AS c ON c.id = o.customer"
      .. " JOIN cities AS t ON t.id = c.city WHERE " .. condition)
end
