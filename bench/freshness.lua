-- For sysbench: updates of single rows, and after some of them an analytical SELECT of another
-- session over the thread's rows, out of the column index. It must see all that was acknowledged.
-- Each thread says at its end how long these took: lines "sample MICROSECONDS".

local ffi = require("ffi")
ffi.cdef [[
typedef struct { long seconds; long nanos; } alrai_time;
int clock_gettime(int clock, alrai_time *now);
]]

sysbench.cmdline.options = {
  rows = {"Rows of each thread", 1000},
  writes = {"Updates in front of a SELECT; 0 for SELECTs only", 10},
}

local MONOTONIC = 1
local writer, reader
local first, last
local done = 0
local total = 0
local samples = {}
local now = ffi.new("alrai_time")

local function micros()
  ffi.C.clock_gettime(MONOTONIC, now)
  return tonumber(now.seconds) * 1e6 + tonumber(now.nanos) / 1e3
end

function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("CREATE TABLE fresh (id INT PRIMARY KEY, n BIGINT NOT NULL, pad CHAR(60) NOT NULL)")
  con:bulk_insert_init("INSERT INTO fresh VALUES")
  for id = 0, sysbench.opt.rows * sysbench.opt.threads - 1 do
    con:bulk_insert_next("(" .. id .. ", 0, 'some text that makes the row a little longer')")
  end
  con:bulk_insert_done()
  con:query("CREATE CLUSTERED COLUMNAR INDEX ci ON fresh (id)")
end

local function sum()
  return tonumber(reader:query_row(
    "SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(n) FROM fresh WHERE id BETWEEN " .. first .. " AND " .. last))
end

function thread_init()
  writer = sysbench.sql.driver():connect()
  reader = sysbench.sql.driver():connect()
  first = sysbench.tid * sysbench.opt.rows
  last = first + sysbench.opt.rows - 1
  total = sum()
end

function event()
  if sysbench.opt.writes > 0 then
    writer:query("UPDATE fresh SET n = n + 1 WHERE id = " .. sysbench.rand.uniform(first, last))
    total = total + 1
    done = done + 1
    if done % sysbench.opt.writes ~= 0 then
      return
    end
  end
  local before = micros()
  local seen = sum()
  samples[#samples + 1] = micros() - before
  if seen ~= total then
    error("the column index has " .. seen .. " changes of " .. total .. " acknowledged ones")
  end
end

function thread_done()
  for _, sample in ipairs(samples) do
    print(string.format("sample %d", sample))
  end
  writer:disconnect()
  reader:disconnect()
end
