package io.alrai.optimizer.parse.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.AlterAction;
import io.alrai.optimizer.api.DdlStatement.AlterDatabase;
import io.alrai.optimizer.api.DdlStatement.AlterKind;
import io.alrai.optimizer.api.DdlStatement.AlterTable;
import io.alrai.optimizer.api.DdlStatement.CreateDatabase;
import io.alrai.optimizer.api.DdlStatement.CreateTable;
import io.alrai.optimizer.api.DdlStatement.CreateTableLike;
import io.alrai.optimizer.api.DdlStatement.DropTables;
import io.alrai.optimizer.api.DdlStatement.RenameTables;
import io.alrai.optimizer.api.PlacementClause;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DdlParserTest {
  @Test
  void columnIndex() {
    DdlStatement.CreateColumnIndex create =
        parse(
            DdlStatement.CreateColumnIndex.class,
            "create clustered columnar index `c i` on d.t (a, `b`) partition by hash(a) partitions 3;");
    assertEquals("t", create.table().table());
    assertEquals(new DdlStatement.NewColumnIndex("c i", List.of("a", "b"), true), create.index());
    assertThrows(
        AlraiException.class,
        () -> DdlParser.parse("CREATE CLUSTERED COLUMNAR INDEX ci ON t (a) COMMENT 'x'"));
    assertThrows(
        AlraiException.class, () -> DdlParser.parse("CREATE CLUSTERED COLUMNAR INDEX ci ON t ()"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CREATE TABLE t SELECT 1                                | SELECT 1        | INSERT        | false
          CREATE TABLE t (SELECT 1)                              | (SELECT 1)      | INSERT        | false
          create table t ((select 1) union select 2);            | ((select 1) union select 2) | INSERT | false
          CREATE TABLE t (a INT) AS SELECT 1                     | SELECT 1        | INSERT        | true
          CREATE TABLE t (a INT) ENGINE=InnoDB IGNORE (SELECT 1) | (SELECT 1)      | INSERT IGNORE | true
          CREATE TABLE t UNION=(u) REPLACE AS TABLE u            | TABLE u         | REPLACE       | false
          CREATE TABLE t WITH w AS (SELECT 1) SELECT * FROM w    | WITH w AS (SELECT 1) SELECT * FROM w | INSERT | false
          CREATE TABLE t SINGLE VALUES ROW(1)                    | VALUES ROW(1)   | INSERT        | false
          """)
  void queryThatFillsTheTable(String sql, String text, String verb, boolean definitions) {
    assertEquals(
        Optional.of(new DdlStatement.FillingQuery(text, verb, definitions)),
        parse(CreateTable.class, sql).query());
  }

  @Test
  void theQueryIsNoPartOfTheDefinition() {
    CreateTable create =
        parse(CreateTable.class, "CREATE TABLE t (a INT) PARTITION BY KEY(a) AS SELECT b FROM u");
    assertEquals("(a INT)", create.body());
    assertEquals(Optional.empty(), parse(CreateTable.class, "CREATE TABLE t (a INT)").query());
    assertEquals(1064, errno("CREATE TABLE t (a INT) AS"));
  }

  @Test
  void columnIndexInsideCreateTable() {
    DdlStatement.CreateTable behind =
        parse(
            DdlStatement.CreateTable.class,
            "CREATE TABLE t (a INT, b INT, clustered columnar index ci (a, `b`) PARTITION BY"
                + " HASH(a) PARTITIONS 4, KEY (b)) ENGINE=InnoDB PARTITION BY KEY(a)");
    assertEquals(
        Optional.of(new DdlStatement.NewColumnIndex("ci", List.of("a", "b"), true)),
        behind.columnIndex());
    assertEquals("(a INT, b INT , KEY (b)) ENGINE=InnoDB", behind.body());
    DdlStatement.CreateTable first =
        parse(
            DdlStatement.CreateTable.class,
            "CREATE TABLE t (CLUSTERED COLUMNAR INDEX ci (a), a INT PRIMARY KEY)");
    assertEquals(
        Optional.of(new DdlStatement.NewColumnIndex("ci", List.of("a"), false)),
        first.columnIndex());
    assertEquals("( a INT PRIMARY KEY)", first.body());
    for (String wrong :
        List.of(
            "CREATE TABLE t (a INT CLUSTERED COLUMNAR INDEX ci (a))",
            "CREATE TABLE t (a INT, CLUSTERED COLUMNAR INDEX ci (a) COMMENT 'x')",
            "CREATE TABLE t (CLUSTERED COLUMNAR INDEX ci (a))",
            "CREATE TABLE t (a INT, CLUSTERED COLUMNAR INDEX ci ())")) {
      assertEquals(
          1064, assertThrows(AlraiException.class, () -> DdlParser.parse(wrong)).errno(), wrong);
    }
    assertEquals(
        1235,
        assertThrows(
                AlraiException.class,
                () ->
                    DdlParser.parse(
                        "CREATE TABLE t (a INT, CLUSTERED COLUMNAR INDEX c1 (a), CLUSTERED COLUMNAR"
                            + " INDEX c2 (a))"))
            .errno());
  }

  /** Before there is a job, which a mysqld would refuse to undo for the same reason. */
  @Test
  void namesHaveAtMost64Characters() {
    String longest = "ä".repeat(64);
    String tooLong = "ä".repeat(65);
    for (String pattern :
        List.of(
            "CREATE DATABASE `%s`",
            "CREATE TABLE `%s` (a INT)",
            "CREATE TABLE t (a INT) TABLEGROUP = `%s`",
            "CREATE VIEW `%s` AS SELECT 1",
            "CREATE TRIGGER `%s` BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1",
            "CREATE PROCEDURE `%s`() SELECT 1",
            "CREATE FUNCTION d.`%s`() RETURNS INT DETERMINISTIC RETURN 1",
            "DROP PROCEDURE IF EXISTS `%s`",
            "RENAME TABLE t TO `%s`",
            "ALTER TABLE t RENAME TO `%s`")) {
      DdlParser.parse(pattern.formatted(longest));
      assertEquals(1059, errno(pattern.formatted(tooLong)), pattern);
    }
    DdlParser.parse("CREATE USER " + "u".repeat(32));
    assertEquals(1470, errno("CREATE USER " + "u".repeat(33)));
    assertEquals(1470, errno("CREATE ROLE r@'" + "h".repeat(256) + "'"));
  }

  @Test
  void theOwnSchemaBehindReferencesIsLeftOut() {
    AlterTable alter =
        parse(
            AlterTable.class,
            "ALTER TABLE s.t ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES s.p (b) ON DELETE CASCADE,"
                + " DROP c");
    assertEquals(
        "ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES p (b) ON DELETE CASCADE",
        alter.actions().getFirst().text());
    for (String another :
        List.of(
            "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES s.p (b)",
            "ALTER TABLE s.t ADD FOREIGN KEY (a) REFERENCES r.p (b)")) {
      assertEquals(1235, errno(another));
    }
  }

  @Test
  void databaseClauses() {
    CreateDatabase create =
        parse(
            CreateDatabase.class,
            "/* c */ create schema if not exists `a b` default character set = latin1"
                + " COLLATE latin1_bin DEFAULT PARTITIONS 8;");
    assertEquals("a b", create.name());
    assertTrue(create.ifNotExists());
    assertEquals(Optional.of("latin1"), create.charset());
    assertEquals(Optional.of("latin1_bin"), create.collation());
    assertEquals(Optional.of(8), create.defaultPartitions());
    AlterDatabase alter = parse(AlterDatabase.class, "ALTER DATABASE DEFAULT PARTITIONS = 1");
    assertEquals(Optional.of(1), alter.defaultPartitions());
    assertEquals(Optional.empty(), alter.name());
  }

  @Test
  void dumpedDatabase() {
    CreateDatabase create =
        parse(
            CreateDatabase.class,
            "CREATE DATABASE /*!32312 IF NOT EXISTS*/ `shop` /*!40100 DEFAULT CHARACTER SET utf8mb4"
                + " COLLATE utf8mb4_0900_ai_ci */ /*!80016 DEFAULT ENCRYPTION='N' */");
    assertTrue(create.ifNotExists());
    assertEquals(Optional.of("utf8mb4"), create.charset());
    assertEquals(Optional.of("utf8mb4_0900_ai_ci"), create.collation());
  }

  @Test
  void tableBodyStaysByteEqual() {
    String body =
        "(a INT /* x */ ,\n b CHAR(3) DEFAULT 'it''s, (\\'', KEY `k)` (a)) ENGINE = InnoDB";
    CreateTable create = parse(CreateTable.class, "CREATE TABLE s.t" + body);
    assertEquals(new TableName(Optional.of("s"), "t"), create.name());
    assertEquals(body, create.body());
    assertEquals(Optional.empty(), create.partitioning());
  }

  @Test
  void placementClausesAreCut() {
    CreateTable create =
        parse(
            CreateTable.class,
            "CREATE TABLE IF NOT EXISTS t (single INT, broadcast INT) COMMENT='SINGLE'"
                + " PARTITION BY KEY (single, `broadcast`) PARTITIONS 6 TABLEGROUP=g CHARSET latin1");
    assertEquals("(single INT, broadcast INT) COMMENT='SINGLE' CHARSET latin1", create.body());
    assertEquals(
        Optional.of(new PlacementClause.Key(List.of("single", "broadcast"), 6)),
        create.partitioning());
    assertEquals(Optional.of("g"), create.tableGroup());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SINGLE | Single[]",
        "BROADCAST | Broadcast[]",
        "PARTITION BY HASH(a) | Hash[column=a, partitions=0]",
        "PARTITION BY LINEAR KEY ALGORITHM=2 () PARTITIONS 3 | Key[columns=[], partitions=3]",
        "/*!50100 PARTITION BY HASH (`a`) PARTITIONS 4 */ | Hash[column=a, partitions=4]",
      })
  void placements(String clause, String placement) {
    CreateTable create = parse(CreateTable.class, "CREATE TABLE t (a INT) " + clause);
    assertEquals("(a INT)", create.body());
    assertEquals(placement, create.partitioning().orElseThrow().toString());
  }

  @Test
  void ansiQuotes() {
    CreateTable create =
        assertInstanceOf(
            CreateTable.class,
            DdlParser.parse("CREATE TABLE \"a.b\" (\"x\" INT)", true, false).orElseThrow());
    assertEquals("a.b", create.name().table());
    assertEquals(1064, errno("CREATE TABLE \"a.b\" (\"x\" INT)"));
  }

  @Test
  void likeInBothForms() {
    CreateTableLike plain = parse(CreateTableLike.class, "CREATE TABLE a LIKE b.c");
    assertEquals(new TableName(Optional.of("b"), "c"), plain.source());
    CreateTableLike inside = parse(CreateTableLike.class, "CREATE TABLE IF NOT EXISTS a (LIKE c)");
    assertEquals(new TableName(Optional.empty(), "c"), inside.source());
    assertTrue(inside.ifNotExists());
  }

  @Test
  void dropTables() {
    DropTables drop = parse(DropTables.class, "DROP TABLE IF EXISTS a, b.`c` CASCADE");
    assertEquals(2, drop.names().size());
    assertTrue(drop.ifExists());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER TABLE t ADD c INT DEFAULT (1,2), DROP d | ADD c INT DEFAULT (1,2), DROP d | ",
        "ALTER TABLE t RENAME TO u, ADD c INT | ADD c INT | u",
        "ALTER TABLE t ADD c INT, RENAME u | ADD c INT | u",
        "ALTER TABLE t RENAME COLUMN a TO b | RENAME COLUMN a TO b | ",
        "ALTER TABLE t RENAME INDEX a TO b, RENAME AS u | RENAME INDEX a TO b | u",
        "CREATE INDEX i ON t (a, b(3)) | ADD INDEX i (a, b(3)) | ",
        "CREATE UNIQUE INDEX i USING BTREE ON t (a DESC) COMMENT 'x' ALGORITHM=INPLACE LOCK NONE"
            + " | ADD UNIQUE INDEX i USING BTREE (a DESC) COMMENT 'x', ALGORITHM=INPLACE, LOCK NONE | ",
        "DROP INDEX `PRIMARY` ON t | DROP INDEX `PRIMARY` | ",
        "/*!40000 ALTER TABLE t DISABLE KEYS */ | DISABLE KEYS | ",
      })
  void alterations(String sql, String actions, String renameTo) {
    AlterTable alter = parse(AlterTable.class, sql);
    assertEquals("t", alter.name().table());
    assertEquals(
        actions, alter.actions().stream().map(AlterAction::text).collect(Collectors.joining(", ")));
    assertEquals(Optional.ofNullable(renameTo), alter.renameTo().map(TableName::table));
  }

  @Test
  void actionsOfAlterTable() {
    AlterTable alter =
        parse(
            AlterTable.class,
            "ALTER TABLE t DROP a, DROP COLUMN `b c`, DROP INDEX i, DROP PRIMARY KEY,"
                + " CHANGE c d INT, MODIFY COLUMN e INT, RENAME COLUMN f TO g,"
                + " CONVERT TO CHARACTER SET latin1, ENGINE=InnoDB AUTO_INCREMENT=7,"
                + " ADD h INT AUTO_INCREMENT, ALGORITHM=INPLACE");
    assertEquals(
        List.of(
            "DROP_COLUMN a a",
            "DROP_COLUMN b c b c",
            "OTHER  ",
            "OTHER  ",
            "CHANGE_COLUMN c d",
            "CHANGE_COLUMN e e",
            "RENAME_COLUMN f g",
            "CONVERT  ",
            "AUTO_INCREMENT  ",
            "OTHER  ",
            "MANNER  "),
        alter.actions().stream()
            .map(action -> action.kind() + " " + action.column() + " " + action.newName())
            .toList());
    assertTrue(alter.actions().get(9).words().contains("h"));
  }

  /** What one mysqld partitions itself. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1))",
        "PARTITION BY LIST COLUMNS (a) (PARTITION p VALUES IN (1))",
        "PARTITION BY LINEAR HASH (YEAR(a)) PARTITIONS 3",
        "PARTITION BY KEY (a) SUBPARTITION BY HASH (a)",
        "PARTITION BY KEY (a) (PARTITION p, PARTITION q)",
      })
  void partitionsOfOneMysqld(String clause) {
    CreateTable create = parse(CreateTable.class, "CREATE TABLE t (a INT) COMMENT='x' " + clause);
    assertEquals(Optional.of(new PlacementClause.Single()), create.partitioning());
    assertEquals("(a INT) COMMENT='x' " + clause, create.body());
    CreateTable dumped =
        parse(CreateTable.class, "CREATE TABLE t (a INT) /*!50500 " + clause + " */");
    assertEquals("(a INT) " + clause, dumped.body().replaceAll("\\s+", " "));
    CreateTable filled =
        parse(CreateTable.class, "CREATE TABLE t (a INT) " + clause + " AS SELECT 1 AS a");
    assertEquals("(a INT) " + clause, filled.body());
    assertEquals("SELECT 1 AS a", filled.query().orElseThrow().text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ADD PARTITION (PARTITION q VALUES LESS THAN (9), PARTITION r VALUES LESS THAN (19))",
        "ADD PARTITION PARTITIONS 3",
        "DROP PARTITION p, q",
        "TRUNCATE PARTITION ALL",
        "REORGANIZE PARTITION p, q INTO (PARTITION r VALUES LESS THAN (MAXVALUE))",
        "COALESCE PARTITION 2",
        "REBUILD PARTITION p",
        "REMOVE PARTITIONING",
        "PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1))",
      })
  void changesOfPartitionsOfOneMysqld(String action) {
    AlterTable alter = parse(AlterTable.class, "ALTER TABLE t " + action);
    assertEquals(1, alter.actions().size());
    assertEquals(AlterKind.PARTITIONS, alter.actions().getFirst().kind());
    assertEquals(action, alter.actions().getFirst().text());
  }

  @Test
  void renameTables() {
    RenameTables rename = parse(RenameTables.class, "RENAME TABLE a TO b, s.c TO s.d");
    assertEquals(2, rename.renamings().size());
    assertEquals(new TableName(Optional.of("s"), "d"), rename.renamings().get(1).to());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE t (a INT) PARTITION BY CO_HASH (a)",
        "CREATE TABLE t (a INT) LOCALITY='dn=dn-1'",
        "CREATE TABLE t (a INT, GLOBAL INDEX g (a))",
        "ALTER TABLE t PARTITION BY KEY (a)",
        "ALTER TABLE t PARTITION BY HASH (a + 1)",
        "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u",
        "ALTER TABLE t CHECK PARTITION p",
        "ALTER TABLE t SPLIT PARTITION p INTO (PARTITION q)",
        "ALTER TABLE t ENGINE=InnoDB PARTITION BY KEY (a)",
        "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES s.u (a)",
        "ALTER TABLE t IMPORT TABLESPACE",
        "CREATE DEFINER=u@h TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET @a=1",
        "CREATE PROCEDURE p() LANGUAGE JAVASCRIPT AS $$ 1 $$",
        "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT 1",
        "GRANT PROXY ON a TO u",
        "REVOKE PROXY ON a FROM u",
        "GRANT SELECT ON *.* TO u AS v",
        "CREATE DATABASE d LOCALITY='dn=dn-1'",
      })
  void refusedWithAReason(String sql) {
    assertEquals(1235, errno(sql));
  }

  @Test
  void createView() {
    DdlStatement.CreateView plain =
        parse(DdlStatement.CreateView.class, "CREATE VIEW s.v AS SELECT a FROM t");
    assertEquals(DdlStatement.ViewVerb.CREATE, plain.verb());
    assertEquals(new TableName(Optional.of("s"), "v"), plain.name());
    assertEquals("AS SELECT a FROM t", plain.body());
    assertEquals(new DdlStatement.ViewQuery(false, "SELECT a FROM t", false), plain.query());
    assertEquals(Optional.empty(), plain.definer());
    DdlStatement.CreateView all =
        parse(
            DdlStatement.CreateView.class,
            "/*!50001 CREATE OR REPLACE ALGORITHM = merge */ /*!50013 DEFINER=`u`@`h` SQL"
                + " SECURITY INVOKER */ /*!50001 VIEW `v` (`x`,`y`) AS select 'with' AS `a`,2"
                + " WITH LOCAL CHECK OPTION */");
    assertEquals(DdlStatement.ViewVerb.CREATE_OR_REPLACE, all.verb());
    assertEquals(Optional.of("MERGE"), all.algorithm());
    assertEquals(Optional.of("INVOKER"), all.security());
    assertEquals(Optional.of(new DdlStatement.UserName("u", "h")), all.definer());
    assertEquals(new DdlStatement.ViewQuery(true, "select 'with' AS `a`,2", true), all.query());
    DdlStatement.CreateView alter =
        parse(
            DdlStatement.CreateView.class,
            "ALTER DEFINER = CURRENT_USER() VIEW v AS SELECT 1 WITH CHECK OPTION;");
    assertEquals(DdlStatement.ViewVerb.ALTER, alter.verb());
    assertEquals(Optional.of(DdlStatement.UserName.CURRENT), alter.definer());
    assertTrue(alter.query().checked());
    assertTrue(
        (parse(DdlStatement.CreateView.class, "CREATE VIEW IF NOT EXISTS v AS SELECT 1"))
            .ifNotExists());
  }

  @Test
  void dropViews() {
    DdlStatement.DropViews drop =
        parse(DdlStatement.DropViews.class, "DROP VIEW IF EXISTS a, s.b CASCADE");
    assertTrue(drop.ifExists());
    assertEquals(
        List.of(new TableName(Optional.empty(), "a"), new TableName(Optional.of("s"), "b")),
        drop.names());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE",
        "CREATE VIEW v",
        "CREATE VIEW v AS",
        "CREATE ALGORITHM=FAST VIEW v AS SELECT 1",
        "CREATE VIEW v () AS SELECT 1",
        "DROP VIEW",
        "CREATE TABLE",
        "CREATE TABLE 'x' (a INT)",
        "CREATE DATABASE d NONSENSE",
        "ALTER TABLE t ADD c INT,",
        "DROP TABLE a b",
        "RENAME TABLE a b",
        "CREATE INDEX ON t (a)",
        "CREATE TABLE t (a INT",
        "CREATE TABLE t (a INT); DROP TABLE u",
        "TRUNCATE TABLE",
        "CREATE USER u IDENTIFIED BY p",
        "ALTER DATABASE d",
      })
  void syntaxErrors(String sql) {
    assertEquals(1064, errno(sql));
  }

  /** What a quote ends depends on sql_mode: a mysqld would run the rest as a statement. */
  @Test
  void semicolonsBehindQuotesOfOtherModes() {
    String backslash = "CREATE TABLE t (a INT) COMMENT '\\'; DROP TABLE u; -- '";
    assertTrue(DdlParser.parse(backslash).isPresent());
    assertEquals(
        1064,
        assertThrows(AlraiException.class, () -> DdlParser.parse(backslash, false, true)).errno());
    String name = "CREATE TABLE t (\"a\\\" INT) /*! ; DROP TABLE u */";
    assertEquals(
        1064, assertThrows(AlraiException.class, () -> DdlParser.parse(name, true, false)).errno());
  }

  @Test
  void syntaxErrorSaysWhere() {
    AlraiException error =
        assertThrows(AlraiException.class, () -> DdlParser.parse("DROP TABLE a\n b"));
    assertEquals(
        "You have an error in your SQL syntax; check the manual that corresponds to your MySQL"
            + " server version for the right syntax to use near 'b' at line 2",
        error.sentence());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SELECT 1", "INSERT INTO t VALUES (1)", "DROP PREPARE p", "", "SET NAMES utf8mb4"})
  void otherStatementsAreLeft(String sql) {
    assertEquals(Optional.empty(), DdlParser.parse(sql));
  }

  private static int errno(String sql) {
    return assertThrows(AlraiException.class, () -> DdlParser.parse(sql)).errno();
  }

  private static <T extends DdlStatement> T parse(Class<T> type, String sql) {
    return assertInstanceOf(type, DdlParser.parse(sql).orElseThrow());
  }
}
