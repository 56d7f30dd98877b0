package io.alrai.optimizer.parse.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.TriggerOrder;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.TriggerBody;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TriggerDdlParserTest {
  private static final String HEAD = "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW ";

  private static DdlStatement.CreateTrigger parsed(String sql) {
    return assertInstanceOf(
        DdlStatement.CreateTrigger.class, DdlParser.parse(sql).orElseThrow(), sql);
  }

  private static TriggerBody body(String text) {
    return parsed(HEAD + text).body();
  }

  private static AlraiException refusal(String text) {
    return assertThrows(AlraiException.class, () -> DdlParser.parse(HEAD + text), text);
  }

  @Test
  void theWordsBeforeTheBody() {
    DdlStatement.CreateTrigger made =
        parsed(
            "/*!50003 CREATE*/ /*!50017 DEFINER=`ann`@`%`*/ /*!50003 trigger if not exists s.`g h`"
                + " After update on s.t for each row precedes `x` set new.a = 1 */");
    assertEquals(new TableName(Optional.of("s"), "g h"), made.name());
    assertTrue(made.ifNotExists());
    assertEquals(Optional.of(new UserName("ann", "%")), made.definer());
    assertEquals("AFTER", made.timing());
    assertEquals("UPDATE", made.event());
    assertEquals(new TableName(Optional.of("s"), "t"), made.table());
    assertEquals(Optional.of(new TriggerOrder(false, "x")), made.order());
  }

  @Test
  void dropTrigger() {
    DdlStatement.DropTrigger drop =
        assertInstanceOf(
            DdlStatement.DropTrigger.class,
            DdlParser.parse("DROP TRIGGER IF EXISTS s.g;").orElseThrow());
    assertEquals(new TableName(Optional.of("s"), "g"), drop.name());
    assertTrue(drop.ifExists());
  }

  @Test
  void whatABodyUsesOfItsRow() {
    TriggerBody body =
        body(
            "begin declare x, y int default 0; set new.a = OLD.`B` + 1, x = NEW.c, `NEW`.`d` ="
                + " NEW.a; if new.a <=> old.e then set NEW.a = 2; end if; end");
    assertEquals(List.of("a", "B", "c", "e"), body.reads());
    assertEquals(List.of("a", "d"), body.sets());
    assertEquals("", body.varying());
  }

  @Test
  void whatIsKnownIsWrittenAsItsValue() {
    TriggerBody body =
        body("SET NEW.a = CONCAT(CURRENT_USER, database(), CURRENT_USER ( ), NEW.schema)");
    assertEquals(
        "SET NEW.a = CONCAT((_utf8mb4 0x614062), (_utf8mb4 0x73), (_utf8mb4 0x614062), NEW.schema)",
        body.at("a@b", "s", List.of()));
    assertEquals("SET NEW.a = 1", body("SET NEW.a = 1").at("a@b", "s", List.of()));
  }

  @Test
  void whatVaries() {
    assertEquals("UUID", body("SET NEW.a = UUID()").varying());
    assertEquals("CURRENT_TIMESTAMP", body("SET NEW.a = CURRENT_TIMESTAMP").varying());
    assertEquals("", body("SET NEW.a = NEW.uuid + NEW.now").varying());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET NEW.a = IF(NEW.b, 1, 2)",
        "SET NEW.a = CASE WHEN 1 THEN IF(1, 2, 3) ELSE CASE 2 WHEN 3 THEN 4 END END",
        "BEGIN END",
        "l: BEGIN LEAVE l; END l",
        "IF NEW.a = IF(1, 2, 3) THEN SET NEW.a = REPEAT('x', 3); ELSEIF 1 THEN BEGIN END; ELSE DO"
            + " 1; END IF",
        "CASE NEW.a WHEN 1 THEN SET NEW.b = 1; WHEN 2 THEN DO 1; DO 2; ELSE BEGIN END; END CASE",
        "BEGIN DECLARE i INT; SET i = 0; x: WHILE i < 3 DO SET i = i + 1; ITERATE x; END WHILE x;"
            + " REPEAT SET i = i - 1; UNTIL i = 0 END REPEAT; y: LOOP LEAVE y; END LOOP y; END",
        "BEGIN DECLARE EXIT HANDLER FOR SQLSTATE VALUE '45000', NOT FOUND, 1062 SET NEW.a = 1;"
            + " DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN SET NEW.a = 1; END; SIGNAL"
            + " SQLSTATE '45000' SET MESSAGE_TEXT = 'a; b'; END",
        "SET NEW.a = EXTRACT(YEAR FROM NEW.b) + LENGTH(TRIM(LEADING ' ' FROM NEW.c)) +"
            + " (SELECT 1 FROM DUAL) + @x",
        "BEGIN DECLARE x INT; SELECT NEW.a INTO x; SET NEW.a = x; END",
        "SET NEW.a = INSERT('abc', 1, 2, 'x'), NEW.b = REPLACE(NEW.c, 'a', ''), NEW.`end` = NEW.end",
      })
  void goodBodies(String text) {
    assertEquals(text, body(text).text());
    assertEquals(text, body(text + " ;").text());
  }

  /** A mysqld would run what follows the body as a statement of its own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET NEW.a = 1; DROP TABLE t",
        "BEGIN END; DROP TABLE t",
        "BEGIN SET NEW.a = IF(1, 2, 3); END; DROP TABLE t; END IF",
        "SET NEW.a = IF(1, 2, 3); DROP TABLE t; END IF",
        "SET NEW.a = CASE WHEN 1 THEN IF(1, 2, 3) END; DO 1; END IF; DROP TABLE t; END",
        "SET NEW.a = REPEAT('x', 2); DO 1; UNTIL 1 END REPEAT",
        "BEGIN IF 1 THEN DO 1; END IF; END; DROP TABLE t",
        "BEGIN IF 1 THEN DO 1; END; END IF; END",
        "BEGIN",
        "SET NEW.a = (1; DO 2)",
        "l: DO 1; DO 2",
        "",
        ";",
      })
  void nothingStandsBehindABody(String text) {
    assertEquals(1064, refusal(text).errno(), text);
  }

  /** What could be read in two ways. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN IF CASE end WHEN 1 THEN IF(1, 2, 3) END THEN DO 1; END IF; END",
        "IF CASE WHEN 1 THEN 2 AND end THEN IF(1, 2, 3) END THEN DO 1; END IF",
        "IF CASE WHEN (SELECT 1 AS end) THEN IF(1, 2, 3) END THEN DO 1; END IF",
        "IF CASE WHEN 'a' LIKE 'b' ESCAPE end THEN IF(1, 2, 3) END THEN DO 1; END IF",
        "IF CASE WHEN {d end} THEN IF(1, 2, 3) END THEN DO 1; END IF",
        "SET NEW.a = begin",
      })
  void namesThatAreWordsOfBlocks(String text) {
    assertEquals(1235, refusal(text).errno(), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CALL p(NEW.a)                                       | CALL",
        "TRUNCATE TABLE u                                    | TRUNCATE",
        "SET NEW.a = (VALUES ROW(1) UNION TABLE u)           | TABLE",
        "INSERT INTO u SELECT a FROM JSON_TABLE('[]', '$[*]' COLUMNS (a INT PATH '$')) j | JSON_TABLE",
        "SELECT a FROM u INTO @x                             | a change of a user variable",
        "WITH c AS (SELECT 1) SELECT a FROM u, c INTO @x     | a change of a user variable",
        "INSERT INTO u VALUES (LAST_INSERT_ID())             | LAST_INSERT_ID()",
        "UPDATE u SET a = s.f(1)                             | a function with the name of its database",
        "HANDLER u OPEN                                      | HANDLER",
        "TABLE u                                             | TABLE",
        "INSERT INTO `__alrai_u` VALUES (1)                  | __alrai_u",
        "DELETE FROM u ORDER BY __ALRAI_ID LIMIT 1           | __ALRAI_ID",
        "UPDATE u x SET x.__alrai_id = 1                     | __alrai_id",
        "LOAD DATA INFILE 'x' INTO TABLE u                   | LOAD",
        "SET @x = 1                                          | a change of a user variable",
        "SET NEW.a = @x := 1                                 | a change of a user variable",
        "SELECT 1 INTO @x                                    | a change of a user variable",
        "SELECT 1 INTO OUTFILE '/tmp/x'                      | OUTFILE",
        "GET DIAGNOSTICS @n = NUMBER                         | a change of a user variable",
        "SET sql_log_bin = 0                                 | SET sql_log_bin",
        "SET SESSION sql_mode = ''                           | SET SESSION",
        "SET @@sql_mode = ''                                 | SET of a system variable",
        "SET NEW.a = @@session.sql_mode                      | a system variable",
        "SET NAMES latin1                                    | SET NAMES",
        "SET NEW.a = USER()                                  | USER()",
        "SET NEW.a = LAST_INSERT_ID()                        | LAST_INSERT_ID()",
        "SET NEW.a = GET_LOCK('l', 1)                        | GET_LOCK()",
        "SET NEW.a = s.f(1)                                  | a function with the name of its database",
        "SAVEPOINT s                                         | SAVEPOINT",
        "KILL 5                                              | KILL",
        "CREATE TEMPORARY TABLE x (a INT)                    | CREATE",
      })
  void whatABodyMayNotUse(String text, String named) {
    AlraiException refusal = refusal(text);
    assertEquals(1235, refusal.errno(), text);
    assertTrue(refusal.sentence().contains("'" + named + "'"), refusal::sentence);
  }

  /** A variable counts within its block, and only variables can be set. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN BEGIN DECLARE sql_log_bin INT; END; SET sql_log_bin = 0; END",
        "BEGIN DECLARE sql_log_bin CONDITION FOR 1062; SET sql_log_bin = 0; END",
        "BEGIN DECLARE x INT; SET x = 1, sql_log_bin = 0; END",
      })
  void sessionVariablesUnderDeclaredNames(String text) {
    assertEquals(1235, refusal(text).errno(), text);
  }
}
