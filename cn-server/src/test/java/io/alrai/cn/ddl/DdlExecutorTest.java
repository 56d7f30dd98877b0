package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

public class DdlExecutorTest {
  private static final int ENOUGH = 500;

  /** A cluster with tables of every kind and rows in them. */
  public static DdlCluster shop() {
    DdlCluster cluster = new DdlCluster(2);
    cluster.run("CREATE DATABASE shop DEFAULT PARTITIONS 4");
    cluster.run("CREATE USER root");
    cluster.run(
        "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT, v varchar(9), w int, PRIMARY KEY (id),"
            + " KEY kv (v))");
    cluster.run("CREATE TABLE u (id int NOT NULL, PRIMARY KEY (id))");
    cluster.run("CREATE TABLE one (id int NOT NULL, PRIMARY KEY (id)) SINGLE");
    cluster.run("CREATE TABLE all_of_it (id int NOT NULL, PRIMARY KEY (id)) BROADCAST");
    cluster.run("CREATE TABLE spread (a int, b int)");
    cluster.run("CREATE CLUSTERED COLUMNAR INDEX cj ON u (id)");
    cluster.run("CREATE VIEW seen AS SELECT id FROM t");
    cluster.run("CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.v = 'x'");
    cluster.run("CREATE PROCEDURE p(a INT) BEGIN SELECT a; END");
    cluster.run("CREATE FUNCTION f(a INT) RETURNS INT NO SQL RETURN a + 1");
    Catalog catalog = cluster.gms.catalog();
    catalog
        .schema("shop")
        .orElseThrow()
        .tables()
        .values()
        .forEach(table ->
            Place.ofRows(catalog.tableGroup(table), cluster.shards.dns())
                .forEach(place -> cluster.tables(place).get(table.name()).rows = 5));
    return cluster;
  }

  private static Table table(DdlCluster cluster, String name) {
    return cluster.gms.catalog().table("shop", name).orElseThrow();
  }

  private static int errno(DdlCluster cluster, String sql) {
    return assertThrows(AlraiException.class, () -> cluster.run(sql)).errno();
  }

  @Test
  void newTablesOfADatabaseOfOnePartitionAreSingle() {
    DdlCluster cluster = shop();
    cluster.run("ALTER DATABASE shop DEFAULT PARTITIONS 1");
    cluster.run("CREATE TABLE keyed (a int NOT NULL, b int, PRIMARY KEY (a))");
    cluster.run("CREATE TABLE keyless (a int)");
    cluster.run(
        "CREATE TABLE told (a int NOT NULL, PRIMARY KEY (a)) PARTITION BY KEY (a) PARTITIONS 2");
    assertEquals(new Partitioning.Single(), table(cluster, "keyed").partitioning());
    assertEquals(new Partitioning.Single(), table(cluster, "keyless").partitioning());
    assertEquals(new Partitioning.Key(List.of("a"), 2), table(cluster, "told").partitioning());
    assertEquals(new Partitioning.Key(List.of("id"), 4), table(cluster, "t").partitioning());
  }

  static String[] statements() {
    return new String[] {
      "CREATE DATABASE other",
      "ALTER DATABASE shop COLLATE utf8mb4_bin",
      "ALTER DATABASE shop DEFAULT PARTITIONS 1",
      "DROP DATABASE shop",
      "CREATE TABLE n (a int NOT NULL, b int, PRIMARY KEY (a))",
      "CREATE TABLE n (a int NOT NULL, PRIMARY KEY (a)) PARTITION BY HASH(a) PARTITIONS 3",
      "CREATE TABLE n (a int) BROADCAST",
      "CREATE TABLE n (a int)",
      "CREATE TABLE n LIKE t",
      "CREATE TABLE n (a int) AS SELECT id FROM t",
      "DROP TABLE t",
      "DROP TABLE t, one, all_of_it, spread",
      "CREATE VIEW n AS SELECT id FROM u",
      "CREATE OR REPLACE VIEW seen AS SELECT id FROM u",
      "ALTER VIEW seen AS SELECT id FROM u",
      "DROP VIEW seen",
      "CREATE TRIGGER n BEFORE INSERT ON t FOR EACH ROW PRECEDES g SET NEW.w = 1",
      "CREATE TRIGGER n AFTER DELETE ON all_of_it FOR EACH ROW DO 1",
      "CREATE TRIGGER n AFTER DELETE ON one FOR EACH ROW INSERT INTO shop.log VALUES (OLD.id)",
      "CREATE TRIGGER n BEFORE UPDATE ON spread FOR EACH ROW SET NEW.b = 1",
      "DROP TRIGGER g",
      "CREATE PROCEDURE n(a INT) BEGIN SELECT a; SELECT b; END",
      "ALTER PROCEDURE p SQL SECURITY INVOKER",
      "DROP PROCEDURE p",
      "CREATE FUNCTION n(a INT) RETURNS VARCHAR(5) BEGIN DECLARE b INT; RETURN UUID(); END",
      "ALTER FUNCTION f SQL SECURITY INVOKER",
      "DROP FUNCTION f",
      "TRUNCATE TABLE t",
      "RENAME TABLE t TO n",
      "RENAME TABLE t TO n, u TO t",
      "RENAME TABLE t TO n, u TO t, n TO u",
      "RENAME TABLE one TO x, all_of_it TO one",
      "ALTER TABLE t RENAME TO n",
      "ALTER TABLE t ADD COLUMN n int",
      "ALTER TABLE t DROP COLUMN w",
      "ALTER TABLE t DROP COLUMN w, ADD COLUMN n int",
      "ALTER TABLE t MODIFY COLUMN v int",
      "ALTER TABLE t CHANGE COLUMN id nr bigint NOT NULL AUTO_INCREMENT",
      "CREATE UNIQUE INDEX k ON t (id, v)",
      "DROP INDEX kv ON t",
      "ALTER TABLE spread ADD COLUMN n int",
      "ALTER TABLE all_of_it ADD COLUMN n int",
      "ALTER TABLE u DROP PRIMARY KEY",
      "ALTER TABLE one DROP PRIMARY KEY, ADD COLUMN n int",
      "ALTER TABLE one DROP COLUMN id, ADD COLUMN n int",
      "ALTER TABLE one TRUNCATE PARTITION p0",
      "ALTER TABLE all_of_it DROP PRIMARY KEY",
      "CREATE CLUSTERED COLUMNAR INDEX ci ON t (id, v)",
      "ALTER TABLE t SINGLE",
      "ALTER TABLE spread, t, u, one SINGLE",
      "DROP INDEX cj ON u",
      "ALTER TABLE u DROP INDEX CJ",
    };
  }

  /** A CN that dies anywhere leaves a job that another one finishes or undoes, never half. */
  @ParameterizedTest
  @MethodSource("statements")
  public void everyCrashPoint(String sql) {
    DdlCluster.everyCrashPoint(DdlExecutorTest::shop, sql);
  }

  @ParameterizedTest
  @MethodSource("statements")
  void everyLoss(String sql) {
    DdlCluster.everyLoss(DdlExecutorTest::shop, sql);
  }

  /** The one who takes over dies as well. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t DROP COLUMN w, ADD COLUMN n int",
        "ALTER TABLE u DROP PRIMARY KEY",
        "RENAME TABLE t TO n, u TO t, n TO u",
        "CREATE TABLE n (a int)",
        "CREATE TABLE n (a int) AS SELECT id FROM t",
        "CREATE TRIGGER n BEFORE INSERT ON t FOR EACH ROW FOLLOWS g SET NEW.w = 1",
        "DROP TRIGGER g",
        "ALTER TABLE t, spread SINGLE",
        "CREATE PROCEDURE n() SELECT 1",
        "DROP PROCEDURE p",
        "CREATE FUNCTION n() RETURNS INT RETURN 1",
        "DROP FUNCTION f",
      })
  void crashWithinRecovery(String sql) {
    DdlCluster untouched = shop();
    String before = untouched.logicalState();
    untouched.run(sql);
    String after = untouched.logicalState();
    for (int first = 3; first < 30; first += 4) {
      for (int second = 1; second < 30; second += 3) {
        DdlCluster cluster = shop();
        cluster.crashes.arm(first);
        try {
          cluster.run(sql);
          break;
        } catch (CrashPoints.Death death) {
          cluster.crashes.arm(second);
        }
        cluster.recoverUntilDeath("cn-2");
        cluster.recover("cn-1");
        cluster.checkPlaces();
        String now = cluster.logicalState();
        assertTrue(now.equals(before) || now.equals(after), now);
      }
    }
  }

  /** What fails at the last partition is undone at the others, and a crash in between too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE UNIQUE INDEX k ON t (id, v) | ALTER TABLE `t` ADD UNIQUE",
        "ALTER TABLE t ADD COLUMN n int, DROP COLUMN w | ALTER TABLE `t` ADD",
        "ALTER TABLE t CHANGE COLUMN id nr bigint NOT NULL | ALTER TABLE `t` CHANGE COLUMN id nr",
        "ALTER TABLE t MODIFY COLUMN v int | ALTER TABLE `__alrai_try",
        "CREATE TABLE n (a int NOT NULL, PRIMARY KEY (a)) | CREATE TABLE `n`",
        "ALTER TABLE u, t SINGLE | RENAME TABLE `t`",
      })
  void failureOfOnePartition(String sql, String failing) {
    for (int point = 1; point < ENOUGH; point++) {
      DdlCluster cluster = shop();
      String before = cluster.logicalState();
      cluster.shards.mysqlds.lastEntry().getValue().fails =
          (schema, text) -> schema.startsWith("a1_p") && text.startsWith(failing);
      cluster.crashes.arm(point);
      boolean ended = false;
      try {
        cluster.run(sql);
        throw new AssertionError("it must fail");
      } catch (AlraiException e) {
        assertEquals(1062, e.errno());
        assertEquals("Duplicate entry '1' for key 'shop.k'", e.sentence());
        ended = true;
      } catch (CrashPoints.Death death) {
        cluster.recover("cn-2");
      }
      cluster.checkPlaces();
      assertEquals(before, cluster.logicalState());
      if (ended) {
        Map<Long, DdlJob> jobs = cluster.gms.catalog().jobs();
        assertEquals(DdlJob.State.FAILED, jobs.get(Collections.max(jobs.keySet())).state());
        return;
      }
    }
    throw new AssertionError("the statement never ended");
  }

  /** Rows that came in after a partition's truncation are not taken by the resumed job. */
  @Test
  void resumedTruncateKeepsNewRows() {
    boolean met = false;
    for (int point = 1; point < 60; point++) {
      DdlCluster cluster = shop();
      long oldId = table(cluster, "t").id();
      cluster.crashes.arm(point);
      try {
        cluster.run("TRUNCATE TABLE t");
        break;
      } catch (CrashPoints.Death death) {
        cluster.crashes.disarm();
      }
      if (table(cluster, "t").id() == oldId) {
        continue;
      }
      TableGroup group = cluster.gms.catalog().tableGroup(table(cluster, "t"));
      int fresh = 0;
      for (Place place : Place.ofRows(group, cluster.shards.dns())) {
        FakeTable partition = cluster.tables(place).get("t");
        if (partition.rows == 0) {
          partition.rows = 1;
          fresh++;
        }
      }
      met |= fresh > 0 && fresh < 4;
      cluster.recover("cn-2");
      assertEquals(fresh, cluster.rows(cluster.gms.catalog(), table(cluster, "t")));
    }
    assertTrue(met, "no crash between two partitions");
  }

  @Test
  void truncateStartsTheSequenceAgain() {
    DdlCluster cluster = shop();
    cluster.gms.reserve(table(cluster, "t").sequence(), 100);
    cluster.run("TRUNCATE t");
    assertEquals(1, cluster.gms.reserve(table(cluster, "t").sequence(), 1).first());
  }

  @Test
  void aColumnIndexStaysWithItsTable() {
    DdlCluster cluster = shop();
    assertEquals(1, cluster.builds.built);
    cluster.run("RENAME TABLE u TO n");
    cluster.run("TRUNCATE TABLE n");
    cluster.run("ALTER TABLE n ADD COLUMN v int");
    assertEquals("cj", table(cluster, "n").columnIndexes().getFirst().name());
    cluster.run("CREATE TABLE copy LIKE n");
    assertEquals(List.of(), table(cluster, "copy").columnIndexes());
  }

  @Test
  void aTableComesWithItsColumnIndex() {
    DdlCluster cluster = shop();
    cluster.run("CREATE TABLE c (id int PRIMARY KEY, CLUSTERED COLUMNAR INDEX ci (id))");
    ColumnIndexDefinition made = table(cluster, "c").columnIndexes().getFirst();
    assertEquals(new ColumnIndexDefinition("ci", List.of("id"), made.job()), made);
    cluster.run("DROP INDEX ci ON c");
    cluster.run("CREATE CLUSTERED COLUMNAR INDEX ci ON c (id)");
    assertNotEquals(made, table(cluster, "c").columnIndexes().getFirst());
    assertEquals(
        1072,
        errno(cluster, "CREATE TABLE e (id int PRIMARY KEY, CLUSTERED COLUMNAR INDEX ci (no))"));
    cluster.builds.refusal = Optional.of(new AlraiException(ErrorCode.ER_NOT_SUPPORTED_YET, "no"));
    assertEquals(
        1235,
        errno(cluster, "CREATE TABLE e (id int PRIMARY KEY, CLUSTERED COLUMNAR INDEX ci (id))"));
    cluster.builds.refusal = Optional.empty();
    cluster.run("CREATE TABLE e (id int PRIMARY KEY)");
  }

  @Test
  void aColumnIndexThatCannotBeBuiltIsGone() {
    DdlCluster cluster = shop();
    cluster.builds.failure =
        Optional.of(new AlraiException(ErrorCode.ER_OUT_OF_RESOURCES, "memory"));
    assertEquals(1041, errno(cluster, "CREATE CLUSTERED COLUMNAR INDEX ci ON t (id)"));
    assertEquals(List.of(), table(cluster, "t").columnIndexes());
    cluster.builds.failure = Optional.empty();
    cluster.builds.refusal = Optional.of(new AlraiException(ErrorCode.ER_NOT_SUPPORTED_YET, "no"));
    assertEquals(1235, errno(cluster, "CREATE CLUSTERED COLUMNAR INDEX ci ON t (id)"));
    assertEquals(List.of(), table(cluster, "t").columnIndexes());
    cluster.builds.refusal = Optional.empty();
    assertEquals(1146, errno(cluster, "CREATE CLUSTERED COLUMNAR INDEX ci ON nope (id)"));
    assertEquals(1072, errno(cluster, "CREATE CLUSTERED COLUMNAR INDEX ci ON t (nope)"));
    assertEquals(1061, errno(cluster, "CREATE CLUSTERED COLUMNAR INDEX KV ON t (id)"));
    assertEquals(1061, errno(cluster, "CREATE CLUSTERED COLUMNAR INDEX CJ ON u (id)"));
    assertEquals(1235, errno(cluster, "CREATE CLUSTERED COLUMNAR INDEX ci ON u (id)"));
    assertEquals(
        1235,
        assertThrows(
                AlraiException.class, () -> ColumnIndexBuilds.NOBODY.check(table(cluster, "t")))
            .errno());
  }

  @Test
  void renameKeepsTheSequence() {
    DdlCluster cluster = shop();
    cluster.gms.reserve(table(cluster, "t").sequence(), 100);
    cluster.run("RENAME TABLE t TO n");
    assertEquals(101, cluster.gms.reserve(table(cluster, "n").sequence(), 1).first());
  }

  @Test
  void tablesWithEqualKeysShareAGroup() {
    DdlCluster cluster = shop();
    assertEquals(table(cluster, "t").tableGroupId(), table(cluster, "u").tableGroupId());
    cluster.run(
        "CREATE TABLE three (id int NOT NULL, PRIMARY KEY (id)) PARTITION BY KEY() PARTITIONS 3");
    assertNotEquals(table(cluster, "t").tableGroupId(), table(cluster, "three").tableGroupId());
    cluster.run(
        "CREATE TABLE named (id int NOT NULL, PRIMARY KEY (id)) PARTITION BY KEY() PARTITIONS 3 TABLEGROUP=g");
    assertNotEquals(table(cluster, "three").tableGroupId(), table(cluster, "named").tableGroupId());
    assertEquals(
        1235, errno(cluster, "CREATE TABLE x (id int NOT NULL, PRIMARY KEY (id)) TABLEGROUP=g"));
    cluster.checkPlaces();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE x (id int NOT NULL, v int, PRIMARY KEY (id), UNIQUE KEY k (id, v)) | id",
        "CREATE TABLE x (a int, b int, PRIMARY KEY (a, b), UNIQUE KEY k (b, c), c int) | b",
        "CREATE TABLE x (a int, b int, UNIQUE KEY k (b)) | b",
        "CREATE TABLE x (a varchar(5), b timestamp, PRIMARY KEY (b, a)) | a",
      })
  void defaultKeyIsCommonToAllUniqueKeys(String sql, String column) {
    DdlCluster cluster = shop();
    cluster.run(sql);
    assertEquals(new Partitioning.Key(List.of(column), 4), table(cluster, "x").partitioning());
  }

  @Test
  void noCommonKeyMeansOnePartition() {
    DdlCluster cluster = shop();
    cluster.run(
        "CREATE TABLE x (id int NOT NULL, mail varchar(9), PRIMARY KEY (id), UNIQUE KEY m (mail))");
    assertEquals(new Partitioning.Single(), table(cluster, "x").partitioning());
    assertEquals(table(cluster, "one").tableGroupId(), table(cluster, "x").tableGroupId());
  }

  @Test
  void implicitKey() {
    DdlCluster cluster = shop();
    Table spread = table(cluster, "spread");
    assertTrue(spread.implicitPrimaryKey());
    assertEquals(List.of(Table.IMPLICIT_KEY), spread.primaryKey());
    assertFalse(spread.column(Table.IMPLICIT_KEY).orElseThrow().autoIncrement());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1050 | CREATE VIEW t AS SELECT 1",
        "1050 | CREATE VIEW seen AS SELECT 1",
        "1050 | CREATE TABLE seen (a int)",
        "1050 | RENAME TABLE t TO seen",
        "1051 | DROP TABLE seen",
        "1051 | DROP VIEW seen, nope",
        "1146 | ALTER VIEW nope AS SELECT 1",
        "1146 | TRUNCATE seen",
        "1235 | RENAME TABLE seen TO x",
        "1347 | CREATE OR REPLACE VIEW t AS SELECT 1",
        "1347 | DROP VIEW t",
        "1347 | ALTER TABLE seen ADD COLUMN a int",
        "1347 | CREATE TABLE x LIKE seen",
        "1049 | CREATE VIEW nope.v AS SELECT 1",
        "1066 | DROP VIEW seen, shop.seen",
        "1007 | CREATE DATABASE shop",
        "1007 | CREATE DATABASE sys",
        "1102 | CREATE DATABASE a1_p00001",
        "1102 | CREATE DATABASE a7_b",
        "1102 | CREATE DATABASE alrai",
        "1102 | CREATE DATABASE alrai_gather_1",
        "3552 | DROP DATABASE mysql",
        "1044 | CREATE TABLE information_schema.x (a int)",
        "1008 | DROP DATABASE nope",
        "1049 | ALTER DATABASE nope COLLATE utf8mb4_bin",
        "1049 | CREATE TABLE nope.t (a int)",
        "1050 | CREATE TABLE t (a int)",
        "1064 | CREATE TABLE x (nonsense)",
        "1103 | CREATE TABLE __alrai_x (a int)",
        "1166 | CREATE TABLE x (__alrai_id int)",
        "1146 | CREATE TABLE x LIKE nope",
        "1051 | DROP TABLE t, nope",
        "1066 | DROP TABLE t, shop.t",
        "1146 | TRUNCATE nope",
        "1146 | RENAME TABLE nope TO x",
        "1050 | RENAME TABLE t TO u",
        "1050 | RENAME TABLE nope TO u",
        "1146 | RENAME TABLE t TO x, t TO y",
        "1146 | ALTER TABLE nope ADD COLUMN a int",
        "1488 | CREATE TABLE x (a int) PARTITION BY KEY(b)",
        "1488 | CREATE TABLE x (a int) PARTITION BY KEY()",
        "1503 | CREATE TABLE x (a int, b int, PRIMARY KEY (a)) PARTITION BY KEY(b)",
        "1652 | CREATE TABLE x (a int) PARTITION BY KEY(a, a)",
        "1659 | CREATE TABLE x (a float) PARTITION BY KEY(a)",
        "1659 | CREATE TABLE x (a varchar(3)) PARTITION BY HASH(a)",
        "1503 | CREATE UNIQUE INDEX k ON told (v)",
        "1235 | ALTER TABLE told MODIFY COLUMN id varchar(5)",
        "1235 | ALTER TABLE told ADD COLUMN w2 int, DROP COLUMN id",
        "1235 | ALTER TABLE t DROP COLUMN w, ADD COLUMN w varchar(3)",
        "1235 | ALTER TABLE told ADD COLUMN k int AUTO_INCREMENT",
        "1235 | ALTER TABLE t ADD COLUMN x int, RENAME TO y",
        "1235 | ALTER TABLE t, all_of_it SINGLE",
        "1235 | ALTER TABLE t SINGLE, ADD COLUMN x int",
        "1146 | ALTER TABLE t, nope SINGLE",
        "1235 | CREATE TEMPORARY TABLE x (a int)",
        "1235 | CREATE TEMPORARY TABLE x LIKE t",
      })
  void refusalsLeaveNothing(int errno, String sql) {
    DdlCluster cluster = shop();
    cluster.run(
        "CREATE TABLE told (id int NOT NULL, v varchar(9), PRIMARY KEY (id)) PARTITION BY KEY()");
    String before = cluster.logicalState();
    assertEquals(errno, errno(cluster, sql));
    assertEquals(before, cluster.logicalState());
    cluster.checkPlaces();
    assertTrue(cluster.gms.catalog().jobs().values().stream().noneMatch(DdlJob::open));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE DATABASE IF NOT EXISTS shop | 1007 | Can't create database 'shop'; database exists",
        "DROP DATABASE IF EXISTS nope | 1008 | Can't drop database 'nope'; database doesn't exist",
        "CREATE TABLE IF NOT EXISTS t (a int) | 1050 | Table 't' already exists",
        "DROP TABLE IF EXISTS nope | 1051 | Unknown table 'shop.nope'",
        "DROP TABLE IF EXISTS u, nope | 1051 | Unknown table 'shop.nope'",
      })
  void notes(String sql, int errno, String sentence) {
    assertEquals(List.of(SqlWarning.note(errno, sentence)), shop().run(sql).warnings());
  }

  @Test
  void anotherJobOnTheSameTableIsWaitedFor() {
    DdlCluster cluster = shop();
    cluster.crashes.arm(8);
    assertThrows(CrashPoints.Death.class, () -> cluster.run("ALTER TABLE t ADD COLUMN n int"));
    cluster.crashes.disarm();
    assertEquals(1317, errno(cluster, "DROP TABLE t"));
    cluster.run("DROP TABLE u");
    cluster.recover("cn-1");
    Thread.interrupted();
    cluster.run("DROP TABLE t");
    cluster.checkPlaces();
  }
}
