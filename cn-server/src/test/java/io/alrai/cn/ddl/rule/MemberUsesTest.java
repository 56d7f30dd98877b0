package io.alrai.cn.ddl.rule;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.optimizer.api.token.TokenCursor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberUsesTest {
  private static boolean areTexts(String body) {
    return new MemberUses(TokenCursor.ofProgram(body, false, false)).areTexts("e");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "BEGIN DECLARE a, e, b ENUM('x') DEFAULT 'x'; DECLARE v TEXT DEFAULT e; END",
        "BEGIN FETCH c INTO a, E; SELECT a INTO e FROM t; SET e = 'x'; END",
        "IF e = 'x' THEN SELECT 1; ELSEIF 'y' <> `e` THEN SELECT e; END IF",
        "CASE e WHEN 'x' THEN SELECT 1; END CASE",
        "UPDATE t SET a = e, b = e WHERE c = e AND e IS NOT NULL",
        "INSERT INTO t (a, e) VALUES (1, e), (e, 2)",
        "SELECT a, e AS b, e FROM t WHERE e IN ('x', 'y') OR e NOT LIKE 'x%'",
        "RETURN CONCAT(a, e)",
        "RETURN CASE WHEN a THEN e ELSE e END",
        "CALL p(1, e)",
        "SELECT t.e + 1, e.a * 2 FROM t",
      })
  void texts(String body) {
    assertTrue(areTexts(body), body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT e + 0",
        "SELECT 1 * e",
        "RETURN -e",
        "IF e = 2 THEN SELECT 1; END IF",
        "IF 2 < e THEN SELECT 1; END IF",
        "IF e > 'x' THEN SELECT 1; END IF",
        "IF e THEN SELECT 1; END IF",
        "WHILE e DO SELECT 1; END WHILE",
        "RETURN IF(e, 1, 2)",
        "RETURN ABS(e)",
        "RETURN ELT(e, 'a', 'b')",
        "RETURN e IN (1, 2)",
        "RETURN e = LENGTH('a')",
        "CASE e WHEN 1 THEN SELECT 1; END CASE",
        "SELECT a FROM t ORDER BY e",
        "SELECT e BETWEEN 1 AND 2",
        "SELECT NOT e",
        "SELECT a AND e",
        "SELECT SUM(e) FROM t",
        "SELECT e & 1",
      })
  void numbersMayBeMeant(String body) {
    assertFalse(areTexts(body), body);
  }
}
