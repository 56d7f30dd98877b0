package io.alrai.optimizer.parse.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.RoutineChange;
import io.alrai.optimizer.api.TriggerBody;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutineDdlParserTest {
  private static <T extends RoutineChange> T change(Class<T> type, String sql) {
    DdlStatement.OnRoutine statement =
        assertInstanceOf(DdlStatement.OnRoutine.class, DdlParser.parse(sql).orElseThrow());
    assertEquals("p", statement.name().table());
    return assertInstanceOf(type, statement.change());
  }

  @Test
  void create() {
    RoutineChange.CreateProcedure create =
        change(
            RoutineChange.CreateProcedure.class,
            "create definer=u@'h' procedure if not exists s.p (a INT, b SET('x;y', ')')) comment"
                + " 'it;s' not deterministic reads sql data sql security invoker begin select 1;"
                + " select 2; end;");
    assertTrue(create.ifNotExists());
    assertEquals(Optional.of(new UserName("u", "h")), create.definer());
    assertEquals("a INT, b SET('x;y', ')')", create.parameters());
    assertEquals("begin select 1; select 2; end", create.body());
    assertTrue(create.ofInvoker());
    assertTrue(create.text().startsWith("procedure if not exists s.p ("));
    assertTrue(create.text().endsWith("end"));
  }

  @Test
  void shortBodies() {
    RoutineChange.CreateProcedure create =
        change(RoutineChange.CreateProcedure.class, "CREATE PROCEDURE p() SELECT 1");
    assertEquals("", create.parameters());
    assertEquals("SELECT 1", create.body());
    assertEquals(Optional.empty(), create.definer());
  }

  private static RoutineChange.CreateFunction function(String sql) {
    return change(RoutineChange.CreateFunction.class, sql);
  }

  @Test
  void functions() {
    RoutineChange.CreateFunction create =
        function(
            "create definer=u@'h' function if not exists s.p (a VARCHAR(3)) returns"
                + " varchar(30) character set utf8mb4 collate utf8mb4_bin comment 'it;s' no sql sql"
                + " security invoker begin declare b int; set b = length(a); return f(b) + G (b);"
                + " end;");
    assertTrue(create.ifNotExists());
    assertEquals(Optional.of(new UserName("u", "h")), create.definer());
    assertTrue(create.ofInvoker());
    assertEquals("a VARCHAR(3)", create.parameters());
    assertEquals("varchar(30) character set utf8mb4 collate utf8mb4_bin", create.returns());
    assertTrue(create.body().startsWith("begin declare"));
    TriggerBody local = create.local().orElseThrow();
    assertTrue(local.callees().containsAll(Set.of("length", "f", "g")));
    assertEquals("", local.varying());
    assertTrue(create.text().startsWith("function if not exists s.p ("));
    assertTrue(create.text().endsWith("end"));
    assertEquals(
        "UUID",
        function("CREATE FUNCTION p() RETURNS INT RETURN UUID()").local().orElseThrow().varying());
    assertTrue(change(RoutineChange.Drop.class, "DROP FUNCTION IF EXISTS s.p").ifExists());
    assertEquals(
        "COMMENT 'x'",
        change(RoutineChange.Alter.class, "ALTER FUNCTION p COMMENT 'x'").characteristics());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INT",
        "BIGINT UNSIGNED ZEROFILL",
        "DOUBLE PRECISION",
        "DECIMAL(10, 2) UNSIGNED",
        "ENUM('a;b', 'RETURN')",
        "CHAR(5) CHARSET latin1",
        "NATIONAL VARCHAR(10)",
        "LONG VARCHAR",
        "CHARACTER VARYING(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
        "TEXT COLLATE 'utf8mb4_bin'",
        "DATETIME(6)",
        "JSON",
      })
  void types(String type) {
    RoutineChange.CreateFunction create =
        function("CREATE FUNCTION p() RETURNS " + type + " RETURN 1");
    assertEquals(type, create.returns());
    assertEquals("RETURN 1", create.body());
    assertEquals(
        "RETURN 1",
        function("CREATE FUNCTION p() RETURNS " + type + " NOT DETERMINISTIC NO SQL RETURN 1")
            .body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RETURN @@sql_mode",
        "BEGIN SET @a = 1; RETURN 1; END",
        "BEGIN SELECT 1 INTO @a; RETURN 1; END",
        "BEGIN CALL q(); RETURN 1; END",
        "RETURN s.f(1)",
        "RETURN LAST_INSERT_ID()",
        "RETURN GET_LOCK('a', 1)",
        "RETURN CONNECTION_ID()",
      })
  void whatOnlyTheSessionHas(String body) {
    RoutineChange.CreateFunction create = function("CREATE FUNCTION p() RETURNS INT " + body);
    assertEquals(Optional.empty(), create.local());
    assertEquals(body, create.body());
  }

  @Test
  void others() {
    assertEquals(
        "COMMENT 'x' SQL SECURITY DEFINER",
        change(RoutineChange.Alter.class, "ALTER PROCEDURE p COMMENT 'x' SQL SECURITY DEFINER")
            .characteristics());
    assertTrue(change(RoutineChange.Drop.class, "DROP PROCEDURE IF EXISTS s.p").ifExists());
  }

  /** Whatever a mysqld would run as a second statement. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE PROCEDURE p() SELECT 1; DROP DATABASE s",
        "CREATE PROCEDURE p() BEGIN SELECT 1; END; DROP DATABASE s",
        "CREATE PROCEDURE p(a INT; DROP DATABASE s; b INT) SELECT 1",
        "CREATE PROCEDURE p() COMMENT 'x'; DROP DATABASE s",
        "ALTER PROCEDURE p COMMENT 'x'; DROP DATABASE s",
        "DROP PROCEDURE p; DROP DATABASE s",
        "CREATE PROCEDURE p()",
        "CREATE PROCEDURE p SELECT 1",
        "CREATE PROCEDURE p() SQL SECURITY NOBODY SELECT 1",
        "CREATE OR REPLACE PROCEDURE p() SELECT 1",
        "CREATE FUNCTION p() RETURNS INT RETURN 1; DROP DATABASE s",
        "CREATE FUNCTION p() RETURNS INT BEGIN RETURN 1; END; DROP DATABASE s",
        "CREATE FUNCTION p() RETURNS INT; DROP DATABASE s; RETURN 1",
        "CREATE FUNCTION p() RETURNS ENUM('a'; DROP DATABASE s; 'b') RETURN 1",
        "CREATE FUNCTION p() RETURNS",
        "CREATE FUNCTION p() RETURNS INT",
        "CREATE FUNCTION p() RETURN 1",
        "ALTER FUNCTION p COMMENT 'x'; DROP DATABASE s",
        "DROP FUNCTION p; DROP DATABASE s",
      })
  void nothingStandsBehind(String sql) {
    assertEquals(1064, assertThrows(AlraiException.class, () -> DdlParser.parse(sql)).errno());
  }
}
