package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that foreign keys and triggers need in one partition come there. */
class TablesTogetherTest {
  private static final int ENOUGH = 500;
  private static final Partitioning SINGLE = new Partitioning.Single();
  private static final String CHILD =
      "(id int NOT NULL, t_id int, PRIMARY KEY (id), CONSTRAINT c FOREIGN KEY (t_id) REFERENCES %s"
          + " (id))";

  private static Table table(DdlCluster cluster, String name) {
    return cluster.gms.catalog().table("shop", name).orElseThrow();
  }

  private static Partitioning placement(DdlCluster cluster, String name) {
    return table(cluster, name).partitioning();
  }

  private static void requireSingle(DdlCluster cluster, String... names) {
    for (String name : names) {
      assertEquals(SINGLE, placement(cluster, name), name);
      assertEquals(table(cluster, names[0]).tableGroupId(), table(cluster, name).tableGroupId());
    }
    cluster.checkPlaces();
  }

  private static int errno(DdlCluster cluster, String sql) {
    return assertThrows(AlraiException.class, () -> cluster.run(sql)).errno();
  }

  @Test
  void parentsComeToTheirChild() {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.gms.reserve(table(cluster, "t").sequence(), 100);
    cluster.run("CREATE TABLE child " + CHILD.formatted("t"));
    requireSingle(cluster, "t", "child");
    assertEquals(20, cluster.rows(cluster.gms.catalog(), table(cluster, "t")));
    assertTrue(table(cluster, "t").ownIds());
    assertEquals(new Partitioning.Key(List.of("id"), 4), placement(cluster, "u"));
    cluster.run("CREATE TABLE grandchild " + CHILD.formatted("child"));
    cluster.run("ALTER TABLE u ADD CONSTRAINT f FOREIGN KEY (id) REFERENCES grandchild (id)");
    requireSingle(cluster, "t", "u", "child", "grandchild");
    assertEquals(1, table(cluster, "u").columnIndexes().size());
  }

  @Test
  void familiesComeWhole() {
    DdlCluster cluster = DdlExecutorTest.shop();
    // in one table group by their keys
    cluster.run(
        "CREATE TABLE part (id int NOT NULL, PRIMARY KEY (id), CONSTRAINT c FOREIGN KEY (id)"
            + " REFERENCES u (id))");
    assertEquals(placement(cluster, "u"), placement(cluster, "part"));
    assertEquals(1235, errno(cluster, "ALTER TABLE u SINGLE"));
    cluster.checkPlaces();
    cluster.run("CREATE TABLE other " + CHILD.formatted("part"));
    requireSingle(cluster, "u", "part", "other");
  }

  @Test
  void aTableThatRefersToItselfIsSingle() {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.run("CREATE TABLE tree " + CHILD.formatted("tree"));
    requireSingle(cluster, "tree");
  }

  @Test
  void aParentMayComeBehindItsChildInDumps() {
    DdlCluster cluster = DdlExecutorTest.shop();
    String child = "CREATE TABLE child " + CHILD.formatted("later");
    assertEquals(1235, errno(cluster, child));
    cluster.run(child, Map.of("foreign_key_checks", "OFF"));
    requireSingle(cluster, "child");
    cluster.run("CREATE TABLE later (id int NOT NULL, PRIMARY KEY (id))");
    requireSingle(cluster, "child", "later");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PARTITION BY KEY (id) PARTITIONS 4", "BROADCAST", "TABLEGROUP=g"})
  void whatIsPlacedByAClauseStaysThere(String clause) {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.run("CREATE TABLE placed (id int NOT NULL, PRIMARY KEY (id)) " + clause);
    Partitioning before = placement(cluster, "placed");
    assertNotEquals(SINGLE, before);
    assertEquals(1235, errno(cluster, "CREATE TABLE child " + CHILD.formatted("placed")));
    assertEquals(
        1235,
        errno(cluster, "CREATE TABLE child " + CHILD.formatted("t") + " PARTITION BY KEY(id)"));
    assertEquals(before, placement(cluster, "placed"));
    assertEquals(new Partitioning.Key(List.of("id"), 4), placement(cluster, "t"));
    cluster.checkPlaces();
  }

  @Test
  void tablesOfATriggerComeTogether() {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.run("CREATE TABLE child " + CHILD.formatted("u"));
    cluster.run(
        "CREATE TRIGGER h AFTER INSERT ON spread FOR EACH ROW INSERT INTO t (w) VALUES (NEW.a)");
    requireSingle(cluster, "spread", "t", "u", "child");
    assertEquals(
        1235,
        errno(
            cluster,
            "CREATE TRIGGER i AFTER INSERT ON one FOR EACH ROW UPDATE all_of_it SET id = 1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE UNIQUE INDEX n ON t (v)",
        "ALTER TABLE t MODIFY COLUMN id varchar(5)",
        "ALTER TABLE spread ADD PRIMARY KEY (a)",
        "ALTER TABLE spread ADD UNIQUE KEY n (b)",
        "ALTER TABLE spread ADD COLUMN n int NOT NULL, ADD PRIMARY KEY (n)",
      })
  void whatPartitionsDoNotAllowMovesATable(String sql) {
    DdlCluster cluster = DdlExecutorTest.shop();
    String name = sql.contains("spread") ? "spread" : "t";
    cluster.run(sql);
    requireSingle(cluster, name);
    assertEquals(20, cluster.rows(cluster.gms.catalog(), table(cluster, name)));
    boolean keyed = sql.contains("PRIMARY") || name.equals("t");
    assertEquals(!keyed, table(cluster, name).implicitPrimaryKey());
    // what would not be allowed there either moves nothing
    cluster.run("CREATE TABLE n (id int NOT NULL AUTO_INCREMENT, PRIMARY KEY (id), KEY k (id))");
    Partitioning before = placement(cluster, "n");
    assertEquals(1235, errno(cluster, "ALTER TABLE n DROP PRIMARY KEY"));
    assertEquals(before, placement(cluster, "n"));
  }

  /** Whoever dies, no row is lost, and each table is at one place. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE child (id int NOT NULL, t_id int, PRIMARY KEY (id), CONSTRAINT c FOREIGN KEY"
            + " (t_id) REFERENCES t (id), CONSTRAINT d FOREIGN KEY (t_id) REFERENCES u (id))",
        "ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY (w) REFERENCES u (id)",
        "CREATE TRIGGER h AFTER INSERT ON t FOR EACH ROW DELETE FROM u",
        "ALTER TABLE spread ADD PRIMARY KEY (a)",
      })
  void everyCrashPoint(String sql) {
    Set<Partitioning> met = new HashSet<>();
    for (int point = 1; point < ENOUGH; point++) {
      DdlCluster cluster = DdlExecutorTest.shop();
      cluster.crashes.arm(point);
      boolean ended = false;
      try {
        cluster.run(sql);
        ended = true;
      } catch (CrashPoints.Death death) {
        cluster.recover(point % 2 == 0 ? "cn-1" : "cn-2");
      }
      cluster.checkPlaces();
      List<String> moved = sql.contains("spread") ? List.of("spread") : List.of("t", "u");
      for (String name : moved) {
        assertEquals(20, cluster.rows(cluster.gms.catalog(), table(cluster, name)), name);
      }
      met.add(placement(cluster, moved.getFirst()));
      if (ended) {
        requireSingle(cluster, moved.toArray(String[]::new));
        assertEquals(2, met.size());
        return;
      }
    }
    throw new AssertionError("the statement never ended");
  }
}
