package io.alrai.cn.ddl.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.ddl.DdlCluster;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DnLoadsTest {
  private final DdlCluster cluster = new DdlCluster(3);

  private void create(String database, int tables, String placement) {
    cluster.run("CREATE DATABASE IF NOT EXISTS " + database + " DEFAULT PARTITIONS 3");
    for (int i = 0; i < tables; i++) {
      String name = database + ".t" + tablesOf(database);
      cluster.run("CREATE TABLE " + name + " (a int NOT NULL, PRIMARY KEY (a)) " + placement);
    }
  }

  private int tablesOf(String database) {
    return cluster.gms.catalog().schema(database).orElseThrow().tables().size();
  }

  /** The DNs of the last table of a database. */
  private List<String> placesOfLast(String database) {
    Catalog catalog = cluster.gms.catalog();
    Table table = catalog.table(database, "t" + (tablesOf(database) - 1)).orElseThrow();
    List<String> dns = new ArrayList<>();
    for (PartitionGroup place : catalog.tableGroup(table).partitionGroups()) {
      dns.add(place.dn().name());
    }
    return dns;
  }

  @Test
  void databasesOfOnePartitionAreSpread() {
    List<String> dns = new ArrayList<>();
    for (String database : List.of("a", "b", "c", "d")) {
      create(database, 2, "SINGLE");
      dns.addAll(placesOfLast(database));
    }
    assertEquals(List.of("dn-1", "dn-2", "dn-3", "dn-1"), dns);
  }

  @Test
  void theDnWithTheFewestTablesIsTaken() {
    create("large", 9, "SINGLE");
    create("b", 1, "SINGLE");
    create("c", 1, "SINGLE");
    create("d", 1, "SINGLE");
    assertEquals(List.of("dn-2"), placesOfLast("d"));
    cluster.run("DROP DATABASE large");
    create("e", 1, "SINGLE");
    assertEquals(List.of("dn-1"), placesOfLast("e"));
  }

  @Test
  void whatIsEverywhereDoesNotCount() {
    create("a", 5, "BROADCAST");
    create("b", 1, "SINGLE");
    assertEquals(List.of("dn-1"), placesOfLast("b"));
    create("c", 5, "PARTITION BY KEY(a) PARTITIONS 6");
    create("d", 1, "SINGLE");
    assertEquals(List.of("dn-2"), placesOfLast("d"));
  }

  @Test
  void partitionsThatAreOverGoWhereThereIsLeast() {
    create("a", 3, "SINGLE");
    create("b", 1, "PARTITION BY KEY(a) PARTITIONS 5");
    assertEquals(List.of("dn-1", "dn-2", "dn-3", "dn-2", "dn-3"), placesOfLast("b"));
    create("c", 1, "PARTITION BY KEY(a) PARTITIONS 2");
    assertEquals(List.of("dn-2", "dn-3"), placesOfLast("c"));
    cluster.checkPlaces();
  }

  @Test
  void tablesOfADatabaseStayTogether() {
    create("a", 1, "SINGLE");
    create("b", 1, "SINGLE");
    create("a", 4, "SINGLE");
    assertEquals(List.of("dn-1"), placesOfLast("a"));
  }
}
