package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TouchedTable;
import io.alrai.gms.api.Trigger;
import java.util.ArrayList;
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
            List.of(),
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
  void bodiesOverTables() {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.run("CREATE TABLE log (id bigint NOT NULL AUTO_INCREMENT, PRIMARY KEY (id)) SINGLE");
    cluster.run(
        "CREATE TABLE apart (id bigint NOT NULL, PRIMARY KEY (id)) SINGLE TABLEGROUP = other");
    cluster.run(
        "CREATE TABLE placed (id int NOT NULL, PRIMARY KEY (id)) PARTITION BY KEY() PARTITIONS 2");
    assertTrue(table(cluster, "log").ownIds());
    assertFalse(table(cluster, "t").ownIds());
    String create = "CREATE TRIGGER n AFTER INSERT ON one FOR EACH ROW ";
    String before = cluster.logicalState();
    assertEquals(1235, errno(cluster, create + "INSERT INTO placed (id) VALUES (1)"));
    assertEquals(1235, errno(cluster, create + "INSERT INTO apart VALUES (1)"));
    assertEquals(1235, errno(cluster, create + "UPDATE all_of_it SET id = 1"));
    assertEquals(1235, errno(cluster, create + "DELETE FROM seen"));
    assertEquals(1235, errno(cluster, create + "DELETE FROM x.log"));
    for (String triggered : List.of("placed", "all_of_it")) {
      assertEquals(
          1235,
          errno(
              cluster,
              "CREATE TRIGGER n AFTER INSERT ON "
                  + triggered
                  + " FOR EACH ROW INSERT INTO log VALUES (1)"));
    }
    assertEquals(before, cluster.logicalState());
    cluster.run(
        create
            + "BEGIN INSERT INTO shop.log VALUES (NULL); DELETE FROM missing;"
            + " DO (SELECT MAX(id) FROM all_of_it); END");
    cluster.checkPlaces();
    assertEquals(
        List.of(
            new TouchedTable("log", Privilege.INSERT.bit(), false),
            new TouchedTable("missing", Privilege.DELETE.bit(), false),
            new TouchedTable("all_of_it", Privilege.SELECT.bit(), true)),
        table(cluster, "one").triggers().getFirst().tables());
    cluster.run("ALTER TABLE log ADD COLUMN x int");
    assertTrue(table(cluster, "log").ownIds());
    cluster.run("TRUNCATE TABLE log");
    assertTrue(table(cluster, "log").ownIds());
  }

  /** No place of rows has a function: the shadow schema has it. */
  @Test
  void functionsInBodies() {
    DdlCluster cluster = DdlExecutorTest.shop();
    List<String> texts = new ArrayList<>();
    for (DnId dn : cluster.shards.dns()) {
      cluster.shards.mysqld(dn).fails =
          (schema, sql) -> {
            if (sql.contains("TRIGGER `n`")) {
              texts.add(sql);
            }
            return false;
          };
    }
    cluster.run(
        "CREATE TRIGGER n BEFORE INSERT ON t FOR EACH ROW SET NEW.w = ABS(stored_f (NEW.w)) +"
            + " `stored_g`(LENGTH('stored_f(1)'))");
    cluster.checkPlaces();
    assertFalse(texts.isEmpty());
    for (String text : texts) {
      assertTrue(
          text.endsWith(
              " SET NEW.w = ABS(`shop`.`stored_f` (NEW.w)) +"
                  + " `shop`.`stored_g`(LENGTH('stored_f(1)'))"),
          text);
    }
    String before = cluster.logicalState();
    assertEquals(
        1235,
        errno(
            cluster,
            "CREATE TRIGGER m BEFORE INSERT ON all_of_it FOR EACH ROW SET NEW.id = stored_f(1)"));
    assertEquals(before, cluster.logicalState());
    cluster.checkPlaces();
  }

  /** Tables from before there was {@link Table#ownIds} have ids of a sequence, for good. */
  @Test
  void olderTablesAreNotFilled() {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.run("CREATE TABLE log (id bigint NOT NULL AUTO_INCREMENT, PRIMARY KEY (id)) SINGLE");
    cluster.gms.submit(new CatalogCommand.PutTable(table(cluster, "log").withOwnIds(false)));
    String create = "CREATE TRIGGER n AFTER INSERT ON one FOR EACH ROW ";
    assertEquals(1235, errno(cluster, create + "INSERT INTO log VALUES (NULL)"));
    cluster.run(create + "DELETE FROM log");
    cluster.run("ALTER TABLE log ADD COLUMN x int");
    assertFalse(table(cluster, "log").ownIds());
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
