package io.alrai.optimizer.route.insert;

import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tables of every placement in schema {@code shop}. */
public final class InsertTestCatalog {
  public static final Catalog CATALOG = make();

  private InsertTestCatalog() {}

  private static Catalog make() {
    Map<String, Table> tables = new HashMap<>();
    // t: KEY(id), id AUTO_INCREMENT; a, and g generated.
    add(
        tables,
        "t",
        new Partitioning.Key(List.of("id"), 2),
        1,
        column("id", true, false, false),
        column("a", false, false, false),
        column("g", false, false, true));
    // o: KEY(w,d), no AUTO_INCREMENT.
    add(
        tables,
        "o",
        new Partitioning.Key(List.of("w", "d"), 2),
        1,
        column("w", false, false, false),
        column("d", false, false, false),
        column("x", false, false, false));
    // h: HASH(k), with AUTO_INCREMENT elsewhere.
    add(
        tables,
        "h",
        new Partitioning.Hash("k", 2),
        1,
        column("id", true, false, false),
        column("k", false, false, false));
    // n: no key of its own.
    add(
        tables,
        "n",
        new Partitioning.Spread(2),
        1,
        column("a", false, false, false),
        column("__alrai_id", true, true, false));
    add(tables, "s", new Partitioning.Single(), 2, column("a", false, false, false));
    add(tables, "b", new Partitioning.Broadcast(), 3, column("a", false, false, false));
    Map<Long, TableGroup> groups =
        Map.of(
            1L,
                new TableGroup(
                    1,
                    "tg1",
                    "x",
                    List.of(place(0, "shop_p00000", "dn-0"), place(1, "shop_p00001", "dn-1"))),
            2L, new TableGroup(2, "tg2", "s", List.of(place(0, "shop_p00002", "dn-0"))),
            3L, new TableGroup(3, "tg3", "b", List.of(place(0, "shop_b", "dn-0"))));
    Schema shop = new Schema("shop", "utf8mb4", "utf8mb4_0900_ai_ci", 2, tables, groups, Map.of());
    return new Catalog(1, Map.of("shop", shop), List.of(), List.of(), Map.of(), Map.of(), Map.of());
  }

  private static PartitionGroup place(int index, String schema, String dn) {
    return new PartitionGroup(index, new PhysicalSchema(schema), new DnId(dn));
  }

  private static void add(
      Map<String, Table> tables, String name, Partitioning how, long group, Column... columns) {
    tables.put(
        name,
        new Table(
            10 + tables.size(),
            "shop",
            name,
            List.of(columns),
            List.of(),
            List.of(),
            false,
            how,
            group,
            List.of(),
            List.of(),
            how instanceof Partitioning.Single,
            false));
  }

  private static Column column(String name, boolean auto, boolean invisible, boolean generated) {
    return new Column(
        name, MysqlType.BIGINT, false, 0, 0, "", "", true, auto, invisible, generated);
  }
}
