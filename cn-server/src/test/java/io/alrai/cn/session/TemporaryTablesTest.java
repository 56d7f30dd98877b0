package io.alrai.cn.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.settings.Diagnostics;
import io.alrai.common.id.DnId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TemporaryTablesTest {
  private final TemporaryTables tables = new TemporaryTables();
  private final Table shared = table("t", 7, 1);
  private final Catalog catalog =
      new Catalog(
          12,
          Map.of(
              "shop",
              new Schema(
                  "shop",
                  "utf8mb4",
                  "utf8mb4_0900_ai_ci",
                  2,
                  Map.of("t", shared),
                  Map.of(),
                  Map.of())),
          List.of(),
          List.of(),
          Map.of(),
          Map.of(),
          Map.of());

  private static Table table(String name, long id, long group) {
    return new Table(
        id,
        "shop",
        name,
        List.of(),
        List.of(),
        List.of(),
        false,
        new Partitioning.Single(),
        group,
        List.of(),
        List.of(),
        true,
        false);
  }

  private Table made(String name) {
    return table(name, tables.nextId(), Table.TEMPORARY_GROUP);
  }

  @Test
  void withoutTablesTheCatalogIsTheClusters() {
    assertSame(catalog, tables.over(catalog));
    Table made = made("t");
    tables.put(made);
    tables.remove(made);
    assertTrue(tables.none());
    assertSame(catalog, tables.over(catalog));
  }

  @Test
  void oneHidesAnotherOfItsName() {
    Table hiding = made("t");
    tables.put(hiding);
    Catalog seen = tables.over(catalog);
    assertSame(hiding, seen.table("shop", "t").orElseThrow());
    assertTrue(hiding.temporary());
    assertEquals(DnId.OF_SESSION, seen.tableGroup(hiding).partitionGroups().getFirst().dn());
    assertSame(shared, catalog.table("shop", "t").orElseThrow());
  }

  @Test
  void eachChangeGivesACatalogOfAnotherVersion() {
    tables.put(made("x"));
    Catalog first = tables.over(catalog);
    assertSame(first, tables.over(catalog));
    tables.put(made("y"));
    Catalog second = tables.over(catalog);
    assertNotEquals(first.version(), second.version());
    assertNotEquals(catalog.version(), second.version());
  }

  @Test
  void aTableOfASchemaThatIsGoneIsNotSeen() {
    tables.put(made("x"));
    assertTrue(tables.over(Catalog.EMPTY).schema("shop").isEmpty());
  }

  @Test
  void aRollbackTellsWhatItCouldNotUndo() {
    tables.changedInside(true);
    tables.changedInside(false);
    assertEquals(
        List.of(1751, 1752), tables.endInside().stream().map(Diagnostics.Condition::code).toList());
    assertTrue(tables.endInside().isEmpty());
  }
}
