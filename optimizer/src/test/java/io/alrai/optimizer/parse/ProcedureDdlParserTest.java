package io.alrai.optimizer.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.ProcedureChange;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcedureDdlParserTest {
  private static <T extends ProcedureChange> T change(Class<T> type, String sql) {
    DdlStatement.OnProcedure statement =
        assertInstanceOf(DdlStatement.OnProcedure.class, DdlParser.parse(sql).orElseThrow());
    assertEquals("p", statement.name().table());
    return assertInstanceOf(type, statement.change());
  }

  @Test
  void create() {
    ProcedureChange.Create create =
        change(
            ProcedureChange.Create.class,
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
    ProcedureChange.Create create =
        change(ProcedureChange.Create.class, "CREATE PROCEDURE p() SELECT 1");
    assertEquals("", create.parameters());
    assertEquals("SELECT 1", create.body());
    assertEquals(Optional.empty(), create.definer());
  }

  @Test
  void others() {
    assertEquals(
        "COMMENT 'x' SQL SECURITY DEFINER",
        change(ProcedureChange.Alter.class, "ALTER PROCEDURE p COMMENT 'x' SQL SECURITY DEFINER")
            .characteristics());
    assertTrue(change(ProcedureChange.Drop.class, "DROP PROCEDURE IF EXISTS s.p").ifExists());
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
      })
  void nothingStandsBehind(String sql) {
    assertEquals(1064, assertThrows(AlraiException.class, () -> DdlParser.parse(sql)).errno());
  }
}
