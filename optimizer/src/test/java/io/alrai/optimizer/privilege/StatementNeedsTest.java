package io.alrai.optimizer.privilege;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.GrantChange;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.Trigger;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.AsciiCollations;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementNeedsTest {
  private static final Trigger TRIGGER =
      new Trigger(
          "g", "AFTER", "INSERT", "root@%", "DO 1", List.of(), List.of(), List.of(), "", "utf8mb4",
          "x");
  private static final Planner.Context CONTEXT = new Planner.Context(catalog(), "s", false, false);

  private static Table table(String name, long id) {
    Column a = new Column("a", MysqlType.INT, false, 11, 0, "", "", false, false, false, false);
    Column b = new Column("b", MysqlType.INT, false, 11, 0, "", "", false, false, false, false);
    return new Table(
        id,
        "s",
        name,
        List.of(a, b),
        List.of("a"),
        List.of(),
        false,
        new Partitioning.Single(),
        1,
        List.of(),
        List.of(),
        true,
        false);
  }

  private static View view(String name, String query, String definer) {
    return new View(
        "s", name, List.of("a"), false, query, "", definer, false, true, "utf8mb4", "x");
  }

  private static Catalog catalog() {
    Schema schema =
        new Schema(
                "s",
                "utf8mb4",
                "x",
                2,
                Map.of("t", table("t", 1), "u", table("u", 2).withTriggers(List.of(TRIGGER))),
                Map.of(),
                Map.of(
                    "mine", view("mine", "select `s`.`t`.`a` AS `a` from `s`.`t`", ""),
                    "theirs", view("theirs", "select `s`.`t`.`a` AS `a` from `s`.`t`", "root@%"),
                    "above", view("above", "select `s`.`mine`.`a` AS `a` from `s`.`mine`", ""),
                    "called",
                        view("called", "select `s`.`f`(`s`.`t`.`a`) AS `a` from `s`.`t`", "")))
            .withFunctions(Map.of("f", new StoredFunction("s", "f", "d@%", false, "", Set.of())));
    return new Catalog(1, Map.of("s", schema), List.of(), List.of(), Map.of(), Map.of(), Map.of());
  }

  private static String needs(String sql) {
    return new AlraiPlanner(AsciiCollations.NONE)
        .needs(ShapedText.of(sql), CONTEXT).all().stream()
            .map(StatementNeedsTest::text)
            .collect(Collectors.joining("; "));
  }

  private static String text(Need need) {
    return switch (need) {
      case Need.OnTable on ->
          Privilege.list(on.privileges()) + " on " + on.schema() + "." + on.table();
      case Need.AnyOnTable on -> "any of " + on.command() + " on " + on.table();
      case Need.ParentTable parent -> "parent " + parent.schema() + "." + parent.table();
      case Need.OnColumn on -> Privilege.list(on.anyOf()) + " of " + on.table() + "." + on.column();
      case Need.OnColumns on ->
          Privilege.list(on.anyOf()) + " of " + on.table() + "." + on.columns();
      case Need.LockingRead read -> "lock " + read.table();
      case Need.OnSchema on -> Privilege.list(on.privileges()) + " in " + on.schema();
      case Need.UsesSchema uses -> "use " + uses.schema();
      case Need.Global global -> "global " + global.names();
      case Need.InView in ->
          Privilege.list(in.privileges())
              + " below "
              + in.view()
              + " on "
              + in.table()
              + (in.columns().isEmpty() ? "" : "." + in.columns());
      case Need.CalledInView in -> "EXECUTE below " + in.view() + " on " + in.function();
      case Need.ShownTrigger shown -> "TRIGGER on " + shown.table() + " to show";
      case Need.OnRoutine on ->
          on.privilege().sql() + " for " + on.kind() + " " + on.schema() + "." + on.routine();
      case Need.ShownRoutine shown ->
          "show "
              + shown.kind()
              + " "
              + shown.schema()
              + "."
              + shown.routine()
              + " of "
              + shown.definer();
      case Need.Explained view -> Privilege.list(view.privileges()) + " to explain " + view.table();
      case Need.Unasked _ -> "unasked";
      case Need.OfDefiner of -> "peer of " + of.definer();
      case Need.AsDefiner as -> "act as " + as.definer();
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "SELECT 1 | ~~",
        "SELECT a FROM t | SELECT on s.t",
        "SELECT (SELECT MAX(a) FROM u) FROM t | SELECT on s.t; SELECT on s.u",
        "SELECT a FROM t WHERE b IN (SELECT b FROM x.y) | SELECT on s.t; SELECT on x.y",
        "WITH u AS (SELECT a FROM t) SELECT * FROM u | SELECT on s.t",
        "SELECT * FROM (SELECT a FROM t) u | SELECT on s.t",
        "SELECT a FROM t UNION TABLE u | SELECT on s.t; SELECT on s.u",
        "SELECT a FROM nosuch | SELECT on s.nosuch",
        "SELECT a FROM t FOR UPDATE | SELECT on s.t; lock t",
        "SELECT a FROM t FOR SHARE | SELECT on s.t",
        "SELECT a INTO @x FROM t | SELECT on s.t",
        "EXPLAIN SELECT a FROM t | SELECT on s.t",
        "EXPLAIN SHARDING DELETE FROM t | DELETE on s.t",
        "CREATE TRIGGER n AFTER INSERT ON t FOR EACH ROW DO 1 | TRIGGER on s.t",
        "CREATE DEFINER=a TRIGGER n AFTER INSERT ON x.t FOR EACH ROW DO 1 | TRIGGER on x.t; act as a@%",
        "DROP TRIGGER G | TRIGGER on s.u",
        "DROP TRIGGER x.g | ~~",
        "SHOW CREATE TRIGGER g | TRIGGER on u to show",
        "SHOW CREATE TRIGGER h | ~~",
        "SELECT f(a), s.F(b) FROM t | SELECT on s.t; EXECUTE for FUNCTION s.f",
        "INSERT INTO t VALUES (f(1), f(2)) | INSERT on s.t; EXECUTE for FUNCTION s.f",
        "UPDATE t SET b = 1 ORDER BY f(1) | UPDATE on s.t; EXECUTE for FUNCTION s.f",
        "SET @x = s.f(1) | EXECUTE for FUNCTION s.f",
        "DO f(1) | EXECUTE for FUNCTION s.f",
        "CALL p(f(1)) | EXECUTE for PROCEDURE s.p; EXECUTE for FUNCTION s.f",
        "SELECT a FROM called"
            + " | SELECT on s.called; EXECUTE below called on f; SELECT below called on t",
        "CREATE VIEW n AS SELECT f(1) | CREATE VIEW on s.n; EXECUTE for FUNCTION s.f",
        "CREATE FUNCTION n() RETURNS INT RETURN f(1) | CREATE ROUTINE in s",
        "CREATE VIEW n AS SELECT f(f(a)) AS x FROM t"
            + " | CREATE VIEW on s.n; any of ANY on t; EXECUTE for FUNCTION s.f",
        "DROP FUNCTION F | ALTER ROUTINE for FUNCTION s.F; peer of d@%",
        "ALTER FUNCTION F COMMENT 'x' | ALTER ROUTINE for FUNCTION s.F; peer of d@%",
        "DROP PROCEDURE other.p | ALTER ROUTINE for PROCEDURE other.p",
        "SHOW CREATE FUNCTION F | show FUNCTION s.F of d@%",
        "SELECT f FROM t | SELECT on s.t",
        "SELECT GET_LOCK('x', 1) | ~~",
        "DO GET_LOCK('x', 1) | ~~",
        "DO (SELECT SLEEP(user='x') FROM mysql.user LIMIT 1) | SELECT on mysql.user",
        "DO (SELECT COUNT(*) FROM information_schema.STORAGE) | global PROCESS",
        "INSERT INTO t VALUES (1, 2), (3, 4) | INSERT on s.t",
        "REPLACE t SET a = 1 | INSERT, DELETE on s.t",
        "INSERT INTO t (a) VALUES (1), ((SELECT a FROM u)) | INSERT on s.t; SELECT on s.u",
        "INSERT INTO t (a, b) VALUES (1, a + 1) | INSERT on s.t; SELECT of t.a",
        "INSERT INTO t VALUES (1, DEFAULT) ON DUPLICATE KEY UPDATE b = 2 | INSERT, UPDATE on s.t",
        "INSERT INTO t VALUES (1, 2) ON DUPLICATE KEY UPDATE b = b + 1"
            + " | INSERT, UPDATE on s.t; SELECT of t.b",
        "INSERT INTO t VALUES (1, 2) AS n ON DUPLICATE KEY UPDATE b = n.b"
            + " | INSERT, UPDATE on s.t; SELECT of t.b",
        "INSERT INTO t SELECT a, b FROM u | INSERT on s.t; SELECT on s.u",
        "INSERT INTO t SELECT a, b FROM u ON DUPLICATE KEY UPDATE b = t.b"
            + " | INSERT, UPDATE on s.t; SELECT on s.u; SELECT of t.b",
        "UPDATE t SET b = 1 | UPDATE on s.t",
        "UPDATE t SET b = b + 1 WHERE a = 1 | UPDATE on s.t; SELECT of t.a",
        "UPDATE t SET b = 1 WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a)"
            + " | UPDATE on s.t; SELECT on s.u; SELECT of t.a",
        "UPDATE t SET b = (SELECT MAX(b) FROM u) | UPDATE on s.t; SELECT on s.u",
        "UPDATE t JOIN u USING (a) SET t.b = 1 | any of SELECT on t; any of SELECT on u;"
            + " UPDATE of t.b; SELECT of t.a; SELECT of u.a",
        "DELETE FROM t WHERE a = 1 | DELETE on s.t; SELECT of t.a",
        "DELETE FROM t ORDER BY b LIMIT 1 | DELETE on s.t; SELECT of t.b",
        "DELETE x FROM t AS x, u WHERE x.a = u.a | SELECT on s.t; SELECT on s.u; DELETE on s.t",
        "SELECT a FROM theirs | SELECT on s.theirs",
        "SELECT a FROM mine | SELECT on s.mine; SELECT below mine on t",
        "SELECT a FROM above"
            + " | SELECT on s.above; SELECT below above on mine; SELECT below above on t",
        "DELETE FROM mine | DELETE on s.mine; DELETE below mine on t",
        "EXPLAIN SELECT a FROM theirs"
            + " | SELECT on s.theirs; SELECT to explain t; SHOW VIEW to explain theirs",
        "ALTER USER u IDENTIFIED BY 'x' | unasked",
        "SET PASSWORD = 'x' | unasked",
        "CREATE DATABASE n | CREATE in n",
        "DROP DATABASE s | DROP in s",
        "ALTER DATABASE CHARSET utf8mb4 | ALTER in s",
        "CREATE TABLE n (a INT REFERENCES u (a), FOREIGN KEY (a) REFERENCES `t` (a))"
            + " | CREATE on s.n; parent s.u; parent s.t",
        "CREATE TABLE n (a INT COMMENT 'REFERENCES t') | CREATE on s.n",
        "CREATE TABLE n LIKE t | CREATE on s.n; SELECT on s.t",
        "CREATE TABLE n AS SELECT * FROM t | INSERT, CREATE on s.n",
        "DROP TABLE t, u | DROP on s.t; DROP on s.u",
        "TRUNCATE t | DROP on s.t",
        "ALTER TABLE t ADD c INT | ALTER on s.t",
        "ALTER TABLE t RENAME TO x.y | DROP, ALTER on s.t; INSERT, CREATE on x.y",
        "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (a) | ALTER on s.t; parent s.u",
        "RENAME TABLE t TO y | DROP, ALTER on s.t; INSERT, CREATE on s.y",
        "CREATE INDEX i ON t (a) | INDEX on s.t",
        "DROP INDEX i ON t | INDEX on s.t",
        "CREATE CLUSTERED COLUMNAR INDEX i ON t (a) | INDEX on s.t",
        "CREATE VIEW n AS SELECT a FROM t | CREATE VIEW on s.n; any of ANY on t",
        "CREATE OR REPLACE DEFINER=b@c VIEW mine AS SELECT a FROM t"
            + " | CREATE VIEW on s.mine; DROP on s.mine; act as b@c; any of ANY on t",
        "DROP VIEW theirs | DROP on s.theirs; peer of root@%",
        "USE x | use x",
        "LOCK TABLES t READ | LOCK TABLES in s; SELECT on s.t",
        "CHECK TABLE t | SELECT on s.t",
        "CHECKSUM TABLE t | SELECT on s.t",
        "OPTIMIZE TABLE t | SELECT, INSERT on s.t",
        "LOAD DATA LOCAL INFILE 'f' INTO TABLE t | INSERT on s.t",
        "LOAD DATA LOCAL INFILE 'f' REPLACE INTO TABLE t | INSERT, DELETE on s.t",
        "FLUSH TABLES | global RELOAD or FLUSH_TABLES",
        "FLUSH TABLES WITH READ LOCK | global RELOAD or FLUSH_TABLES",
        "FLUSH TABLES t WITH READ LOCK"
            + " | global RELOAD or FLUSH_TABLES; LOCK TABLES in s; SELECT on s.t",
        "LOCK INSTANCE FOR BACKUP | global BACKUP_ADMIN",
        "UNLOCK INSTANCE | global BACKUP_ADMIN",
        "FLUSH LOGS | global RELOAD",
        "SET GLOBAL TRANSACTION READ ONLY | global SUPER or SYSTEM_VARIABLES_ADMIN",
        "SET SESSION TRANSACTION READ ONLY | ~~",
        "SHOW TABLES | use s",
        "SHOW TABLES FROM nosuch | ~~",
        "SHOW COLUMNS FROM t | any of SELECT on t",
        "SHOW INDEX FROM t IN s | any of SELECT on t",
        "SHOW FULL FIELDS FROM nosuch | ~~",
        "DESC t | any of SELECT on t",
        "SHOW CREATE TABLE nosuch | any of SHOW on nosuch",
        "SHOW CREATE TABLE mine | any of SHOW on mine; SHOW VIEW on s.mine",
        "SHOW CREATE VIEW mine | SELECT on s.mine; SHOW VIEW on s.mine",
        "SHOW CREATE DATABASE x | use x",
        "SHOW ENGINE INNODB STATUS | global PROCESS",
        "SHOW ENGINES | ~~",
        "SHOW BINARY LOGS | global SUPER, REPLICATION CLIENT",
        "SHOW VARIABLES | ~~",
        "SHOW TOPOLOGY FROM t | any of SELECT on t",
        "SHOW DDL | global PROCESS",
        "SHOW STORAGE | global PROCESS",
        "SHOW FULL STORAGE REPLICAS WHERE TERM > 1 | global PROCESS",
        "SHOW STORAGE ENGINES | ~~",
        "SELECT * FROM information_schema.Storage | global PROCESS",
        "SELECT * FROM information_schema.STORAGE_REPLICAS | global PROCESS",
        "SHOW PROCESSLIST | ~~",
        "SELECT * FROM information_schema.TABLES | ~~",
        "SELECT * FROM information_schema.INNODB_TRX | global PROCESS",
        "SELECT * FROM mysql.user | SELECT on mysql.user",
        "SELECT * FROM performance_schema.session_variables | ~~",
        "SELECT * FROM performance_schema.threads | SELECT on performance_schema.threads"
      })
  void eachKindOfStatementNeedsItsOwn(String sql, String expected) {
    assertEquals(expected, needs(sql));
  }

  private static String columns(String sql) {
    return new AlraiPlanner(AsciiCollations.NONE)
        .needs(ShapedText.of(sql), CONTEXT).columns().stream()
            .map(StatementNeedsTest::text)
            .collect(Collectors.joining("; "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "SELECT b FROM t WHERE a = 1 | SELECT of t.b; SELECT of t.a",
        "SELECT COUNT(*) FROM t | ~~",
        "SELECT * FROM t x, u | SELECT of t.[a, b]; SELECT of u.[a, b]",
        "SELECT u.* FROM t JOIN u ON t.b = u.b | SELECT of u.[a, b]; SELECT of t.b; SELECT of u.b",
        "SELECT * FROM t JOIN u USING (a) | SELECT of t.[a, b]; SELECT of u.[b]",
        "SELECT a FROM t RIGHT JOIN u USING (a) | SELECT of u.a",
        "SELECT a FROM t NATURAL JOIN u | SELECT of t.a",
        "SELECT s.t.b FROM s.t | SELECT of t.b",
        "SELECT nosuch FROM t | SELECT of t.nosuch",
        "SELECT a AS x FROM t GROUP BY x HAVING x > 1 ORDER BY x | SELECT of t.a",
        "SELECT a AS b FROM t HAVING b > 1 ORDER BY b | SELECT of t.a",
        "SELECT a AS b FROM t GROUP BY b | SELECT of t.a; SELECT of t.b",
        "SELECT a AS b FROM t HAVING MAX(b) > 1 | SELECT of t.a; SELECT of t.b",
        "SELECT a AS b FROM t ORDER BY b + 1 | SELECT of t.a; SELECT of t.b",
        "SELECT MAX(a) OVER w FROM t WINDOW w AS (PARTITION BY b) | SELECT of t.a; SELECT of t.b",
        "SELECT a FROM t WHERE EXISTS (SELECT * FROM u WHERE u.a = b)"
            + " | SELECT of t.a; SELECT of u.a; SELECT of u.b",
        "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u x WHERE x.a = t.b)"
            + " | SELECT of u.a; SELECT of t.b",
        "SELECT (SELECT b FROM u) FROM t WHERE a = 1 | SELECT of t.a; SELECT of u.b",
        "SELECT a FROM t UNION SELECT b FROM u | SELECT of t.a; SELECT of u.b",
        "SELECT a FROM t UNION SELECT a FROM u ORDER BY (SELECT MAX(b) FROM t)"
            + " | SELECT of t.a; SELECT of u.a; SELECT of t.b",
        "(SELECT a FROM t) ORDER BY b | SELECT of t.a; SELECT of t.b",
        "TABLE t | SELECT of t.[a, b]",
        "TABLE t ORDER BY (SELECT MAX(b) FROM u) | SELECT of t.[a, b]; SELECT of u.b",
        "SELECT GROUP_CONCAT(a ORDER BY b) FROM t | SELECT of t.a; SELECT of t.b",
        "SELECT CASE WHEN a THEN b END FROM t | SELECT of t.a; SELECT of t.b",
        "SELECT x.a FROM (SELECT a, b FROM t) x | SELECT of t.a",
        "SELECT x.c FROM (SELECT a, b FROM t) x (c, d) | SELECT of t.a",
        "SELECT x.a FROM (SELECT DISTINCT a, b FROM t) x | SELECT of t.a; SELECT of t.b",
        "SELECT x.a FROM (SELECT a, b + 1 FROM t) x | SELECT of t.a; SELECT of t.b",
        "SELECT x.a FROM (SELECT * FROM t WHERE b = 1) x | SELECT of t.[a, b]; SELECT of t.b",
        "SELECT 1 FROM (SELECT MAX(b) FROM t) x | SELECT of t.b",
        "WITH x AS (SELECT a, b FROM t) SELECT b FROM x | SELECT of t.b",
        "WITH t AS (SELECT a FROM u) SELECT a FROM t | SELECT of u.a",
        "WITH RECURSIVE x (n) AS (SELECT a FROM t UNION SELECT n + b FROM x, u) SELECT n FROM x"
            + " | SELECT of t.a; SELECT of u.b",
        "SELECT 1 FROM t, LATERAL (SELECT t.b + 1 AS z) l WHERE l.z = 1 | SELECT of t.b",
        "SELECT a FROM mine | SELECT of mine.a; SELECT below mine on t.[a]",
        "SELECT a FROM above"
            + " | SELECT of above.a; SELECT below above on mine.[a]; SELECT below above on t.[a]",
        "SELECT a FROM theirs | SELECT of theirs.a",
        "INSERT INTO t VALUES (1, 2) | INSERT of t.[a, b]",
        "INSERT INTO t () VALUES () | INSERT of t.[a, b]",
        "INSERT INTO t (t.b) VALUES (1), ((SELECT b FROM u)) | INSERT of t.b; SELECT of u.b",
        "INSERT INTO t SET b = a + 1, a = 2 | INSERT of t.b; INSERT of t.a; SELECT of t.a",
        "INSERT INTO t (a) VALUES (1) AS n ON DUPLICATE KEY UPDATE b = n.a"
            + " | INSERT of t.a; UPDATE of t.b; SELECT of t.a",
        "INSERT INTO t (a) SELECT b FROM u ON DUPLICATE KEY UPDATE b = u.a + t.b"
            + " | INSERT of t.a; SELECT of u.b; UPDATE of t.b; SELECT of u.a; SELECT of t.b",
        "UPDATE t SET b = 1 WHERE a = 1 | UPDATE of t.b; SELECT of t.a",
        "UPDATE t JOIN u USING (a) SET t.b = u.b"
            + " | UPDATE of t.b; SELECT of t.a; SELECT of u.a; SELECT of u.b",
        "DELETE FROM t WHERE b IN (SELECT a FROM u) ORDER BY a LIMIT 1"
            + " | SELECT of t.b; SELECT of t.a; SELECT of u.a",
        "DELETE t FROM t JOIN u ON t.a = u.b | SELECT of t.a; SELECT of u.b",
        "CREATE VIEW n AS SELECT a FROM t WHERE b = 1"
            + " | SELECT, INSERT, UPDATE, DELETE of t.a; SELECT of t.b",
        "EXPLAIN SELECT a FROM t | SELECT of t.a",
        "LOAD DATA LOCAL INFILE 'f' INTO TABLE t | INSERT of t.[a, b]",
        "LOAD DATA LOCAL INFILE 'f' INTO TABLE t (a, @x) SET b = @x | INSERT of t.a; INSERT of t.b",
        "SELECT COLUMN_NAME FROM information_schema.COLUMNS | ~~"
      })
  void eachColumnThatIsUsedIsFound(String sql, String expected) {
    assertEquals(expected, columns(sql));
  }

  @Test
  void anAccountWithPrivilegesForColumnsIsAskedForEachOfThem() {
    Needs needs =
        new AlraiPlanner(AsciiCollations.NONE)
            .needs(ShapedText.of("UPDATE t SET b = 1 WHERE a = b"), CONTEXT);
    assertEquals(
        "UPDATE on s.t; SELECT of t.a",
        needs.all().stream().map(StatementNeedsTest::text).collect(Collectors.joining("; ")));
    assertEquals(
        "UPDATE on s.t; UPDATE of t.b; SELECT of t.a; SELECT of t.b",
        needs.byColumn().stream().map(StatementNeedsTest::text).collect(Collectors.joining("; ")));
  }

  @Test
  void whatIsNoStatementIsASyntaxError() {
    assertEquals(1064, assertThrows(AlraiException.class, () -> needs("SELECT FROM t")).errno());
    assertEquals(1064, assertThrows(AlraiException.class, () -> needs("FROB t")).errno());
  }

  @Test
  void globalPrivilegesAloneMayBeEnough() {
    GrantChange select =
        GrantChange.of(GrantScope.GLOBAL, Set.of(Privilege.SELECT), List.of(), false);
    Access access =
        Access.of(Account.of("ann", "%", Credential.NONE, false, Grants.NONE.granted(select)), 1);
    AlraiPlanner planner = new AlraiPlanner(AsciiCollations.NONE);
    assertTrue(planner.needs(ShapedText.of("SELECT a FROM t, u"), CONTEXT).coveredBy(access));
    assertFalse(planner.needs(ShapedText.of("DELETE FROM t"), CONTEXT).coveredBy(access));
    assertFalse(planner.needs(ShapedText.of("USE s"), CONTEXT).coveredBy(access));
  }
}
