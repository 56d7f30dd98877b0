package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.Trigger;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the steps of triggers, and of the DDL of their tables, do; {@link DdlExecutorTest} has their
 * crash points.
 */
class TriggerStepsTest {
  private static Table table(DdlCluster cluster, String name) {
    return cluster.gms.catalog().table("shop", name).orElseThrow();
  }

  private static int errno(DdlCluster cluster, String sql) {
    return assertThrows(AlraiException.class, () -> cluster.run(sql)).errno();
  }

  @Test
  void triggersFollowTheirTable() {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.run("CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW PRECEDES G SET NEW.w = 1");
    cluster.run("CREATE TRIGGER z AFTER INSERT ON t FOR EACH ROW DO OLD.w");
    cluster.run("CREATE TRIGGER b BEFORE INSERT ON t FOR EACH ROW FOLLOWS a SET NEW.w = 1");
    cluster.run("RENAME TABLE t TO n");
    cluster.run("TRUNCATE TABLE n");
    cluster.run("ALTER TABLE n ADD COLUMN x int");
    cluster.run("ALTER TABLE n DROP COLUMN x, ADD COLUMN y int");
    cluster.checkPlaces();
    List<Trigger> triggers = table(cluster, "n").triggers();
    assertEquals(List.of("a", "b", "g", "z"), triggers.stream().map(Trigger::name).toList());
    assertEquals(
        new Trigger(
            "b",
            "BEFORE",
            "INSERT",
            "root@%",
            "SET NEW.w = 1",
            List.of(),
            List.of("w"),
            "ANSI_QUOTES",
            "utf8mb4",
            "utf8mb4_0900_ai_ci"),
        triggers.get(1));
    cluster.run("CREATE TABLE copy LIKE n");
    assertEquals(List.of(), table(cluster, "copy").triggers());
    assertEquals(1235, errno(cluster, "ALTER TABLE n DROP COLUMN w"));
    assertEquals(1235, errno(cluster, "ALTER TABLE n CHANGE COLUMN w ww int"));
    cluster.run("DROP TRIGGER A");
    cluster.run("DROP TRIGGER b");
    cluster.run("DROP TRIGGER z");
    cluster.run("ALTER TABLE n DROP COLUMN w");
    cluster.checkPlaces();
  }

  @Test
  void triggersThatAreRefused() {
    DdlCluster cluster = DdlExecutorTest.shop();
    String before = cluster.logicalState();
    assertEquals(1359, errno(cluster, "CREATE TRIGGER g AFTER INSERT ON u FOR EACH ROW DO 1"));
    assertEquals(
        1235, errno(cluster, "CREATE TRIGGER n BEFORE INSERT ON t FOR EACH ROW SET NEW.ID = 1"));
    assertEquals(
        1235,
        errno(
            cluster,
            "CREATE TRIGGER n BEFORE UPDATE ON all_of_it FOR EACH ROW SET NEW.id = RAND()"));
    assertEquals(
        1235, errno(cluster, "CREATE TRIGGER __alrai_x AFTER INSERT ON t FOR EACH ROW DO 1"));
    assertEquals(1146, errno(cluster, "CREATE TRIGGER n AFTER INSERT ON no FOR EACH ROW DO 1"));
    assertEquals(1435, errno(cluster, "CREATE TRIGGER x.n AFTER INSERT ON t FOR EACH ROW DO 1"));
    assertEquals(1360, errno(cluster, "DROP TRIGGER n"));
    assertEquals(1360, cluster.run("DROP TRIGGER IF EXISTS n").warnings().getFirst().errno());
    assertEquals(before, cluster.logicalState());
    cluster.checkPlaces();
  }
}
