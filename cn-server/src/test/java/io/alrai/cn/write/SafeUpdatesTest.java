package io.alrai.cn.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SafeUpdatesTest {
  @Test
  void aStatementByKeyIsNotAskedForOne() {
    String hint = " /*+ SET_VAR(sql_safe_updates=0) */";
    assertEquals("UPDATE" + hint + " IGNORE t SET ", SafeUpdates.unasked("UPDATE IGNORE t SET "));
    assertEquals("delete" + hint + " FROM t", SafeUpdates.unasked(" delete FROM t"));
    assertEquals("WITH c AS (SELECT 1)", SafeUpdates.unasked("WITH c AS (SELECT 1)"));
  }
}
