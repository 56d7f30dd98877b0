package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Schema;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaNumbersTest {
  private static final int ENOUGH = 200;

  private final DdlCluster cluster = new DdlCluster(2);

  private static FakeMysqld first(DdlCluster cluster) {
    return cluster.shards.mysqlds.firstEntry().getValue();
  }

  private TreeSet<String> schemas() {
    return new TreeSet<>(first(cluster).schemas.keySet());
  }

  /** A database as versions before the numbers have made it, with a table. */
  private static DdlCluster older(String name) {
    DdlCluster cluster = new DdlCluster(2);
    for (DnId dn : cluster.shards.dns()) {
      cluster.shards.mysqld(dn).schemas.put(name, new TreeMap<>());
      cluster.shards.mysqld(dn).schemas.put(name + "_b", new TreeMap<>());
      cluster.shards.mysqld(dn).grants.add(name);
    }
    cluster.gms.submit(
        new CatalogCommand.CreateSchema(name, name, "utf8mb4", "utf8mb4_0900_ai_ci", 2));
    cluster.run("CREATE TABLE " + name + ".t (a int NOT NULL, PRIMARY KEY (a))");
    return cluster;
  }

  @Test
  void physicalSchemasAreNamedByNumber() {
    cluster.run("CREATE DATABASE shop DEFAULT PARTITIONS 2");
    cluster.run("CREATE TABLE t (a int NOT NULL, PRIMARY KEY (a))");
    cluster.run("CREATE TABLE b (a int NOT NULL, PRIMARY KEY (a)) BROADCAST");
    cluster.checkPlaces();
    assertEquals(new TreeSet<>(List.of("a1_b", "a1_p00001", "shop")), schemas());
  }

  @Test
  void aNameGetsAnotherNumberEachTime() {
    TreeSet<String> stems = new TreeSet<>();
    for (int round = 1; round < 5; round++) {
      cluster.run("CREATE DATABASE shop DEFAULT PARTITIONS 1");
      cluster.run("CREATE TABLE t (a int NOT NULL, PRIMARY KEY (a))");
      cluster.checkPlaces();
      String stem = cluster.gms.catalog().schema("shop").orElseThrow().stem();
      assertTrue(stems.add(stem), stems::toString);
      assertTrue(schemas().contains(stem + "_p00001"), schemas()::toString);
      cluster.run("DROP DATABASE shop");
      assertEquals(new TreeSet<>(), schemas());
    }
  }

  @Test
  void longNamesHaveShortPhysicalOnes() {
    String name = "x".repeat(64);
    cluster.run("CREATE DATABASE " + name);
    assertTrue(cluster.gms.catalog().schema(name).isPresent());
  }

  @Test
  void whatIsThereIsNotTaken() {
    first(cluster).schemas.put("a1_p00001", new TreeMap<>());
    cluster.run("CREATE DATABASE shop");
    assertEquals("a2", cluster.gms.catalog().schema("shop").orElseThrow().stem());
  }

  @Test
  void aDatabaseNamedAsAnotherOnesStem() {
    DdlCluster kept = older("a1");
    kept.run("CREATE DATABASE shop DEFAULT PARTITIONS 2");
    kept.run("CREATE TABLE t (a int NOT NULL, PRIMARY KEY (a))");
    assertEquals("a2", kept.gms.catalog().schema("shop").orElseThrow().stem());
    kept.checkPlaces();
    kept.run("DROP DATABASE a1");
    kept.checkPlaces();
    assertTrue(first(kept).schemas.containsKey("a2_b"));
  }

  /** Their rows stay where they are, and so do tables that are made later. */
  @Test
  void olderDatabasesKeepTheirPhysicalSchemas() {
    DdlCluster kept = older("shop");
    kept.run("CREATE TABLE u (a int NOT NULL, PRIMARY KEY (a)) SINGLE");
    kept.run("CREATE TABLE b (a int NOT NULL, PRIMARY KEY (a)) BROADCAST");
    kept.run("ALTER DATABASE shop COLLATE utf8mb4_bin");
    kept.checkPlaces();
    assertTrue(first(kept).schemas.containsKey("shop_p00001"), first(kept).schemas::toString);
    Schema schema = kept.gms.catalog().schema("shop").orElseThrow();
    assertEquals("shop", schema.stem());
    assertEquals("utf8mb4_bin", schema.collation());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP DATABASE shop",
        "ALTER DATABASE shop COLLATE utf8mb4_bin",
        "CREATE TABLE n (a int) BROADCAST",
        "CREATE DATABASE shop2",
      })
  void everyCrashPointOverAnOlderDatabase(String sql) {
    for (int point = 1; point < ENOUGH; point++) {
      DdlCluster kept = older("shop");
      kept.crashes.arm(point);
      try {
        kept.run(sql);
        assertTrue(point > 4, "no crash point was met");
        return;
      } catch (CrashPoints.Death death) {
        kept.recover(point % 2 == 0 ? "cn-1" : "cn-2");
      }
      kept.checkPlaces();
      kept.run("CREATE DATABASE IF NOT EXISTS shop");
      kept.run("DROP DATABASE shop");
      kept.run("CREATE DATABASE shop");
      kept.checkPlaces();
      assertFalse(kept.gms.catalog().schema("shop").orElseThrow().stem().equals("shop"));
    }
    throw new AssertionError("the statement never ended");
  }
}
