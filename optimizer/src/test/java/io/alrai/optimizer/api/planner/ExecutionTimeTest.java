package io.alrai.optimizer.api.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutionTimeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1|0",
        "(select 1) union select /*+ MAX_EXECUTION_TIME(7) */ 2|0",
        "SELECT /*+ MAX_EXECUTION_TIME(5) */ 1|5",
        "/* c */ ((SELECT /*+ NO_ICP(t) max_execution_time ( 5 ) */ 1))|5",
        "SELECT /*+ NO_ICP(t) */ /*+ MAX_EXECUTION_TIME(6) */ 1|6",
        "SELECT /*+ MAX_EXECUTION_TIME(99999999999) */ 1|4294967295",
        "SELECT /*+ MAX_EXECUTION_TIME(0) */ 1|0",
        "SELECT /*+ MAX_EXECUTION_TIME(x) */ 1|0",
        "SELECT /* MAX_EXECUTION_TIME(5) */ 1|0",
        "SELECT (SELECT /*+ MAX_EXECUTION_TIME(5) */ 1)|0",
        "WITH c AS (SELECT /*+ MAX_EXECUTION_TIME(5) */ 1) SELECT * FROM c|0",
        "WITH c AS (SELECT 1) SELECT /*+ MAX_EXECUTION_TIME(5) */ * FROM c|5",
        "WITH c AS (SELECT 1) DELETE FROM t|-1",
        "EXPLAIN ANALYZE SELECT /*+ MAX_EXECUTION_TIME(5) */ 1|5",
        "WITH c AS (TABLE t) (SELECT /*+ MAX_EXECUTION_TIME(5) */ * FROM c)|5",
        "WITH c (a) AS (SELECT 1), d AS (SELECT 2) TABLE c|0",
        "WITH c (a) AS (VALUES ROW(1)) UPDATE t SET a = 1|-1",
        "EXPLAIN ANALYZE TABLE t|0",
        "EXPLAIN ANALYZE (SELECT /*+ MAX_EXECUTION_TIME(5) */ 1)|5",
        "TABLE t|0",
        "VALUES ROW(1)|0",
        "UPDATE /*+ MAX_EXECUTION_TIME(5) */ t SET a = 1|-1",
        "INSERT INTO t SELECT /*+ MAX_EXECUTION_TIME(5) */ 1|-1",
        "DO SLEEP(1)|-1",
        "`SELECT`|-1",
        "SELECT `/*+ MAX_EXECUTION_TIME(5) */`|0",
      })
  void isWhatTheTopLevelSelectSays(String sql, long millis) {
    assertEquals(millis, ExecutionTime.of(sql, false, false), sql);
  }
}
