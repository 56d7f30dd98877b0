package io.alrai.optimizer.api.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NullIdsTest {
  private static final Table TABLE =
      new Table(
          1,
          "s",
          "t",
          List.of(new Column("id", MysqlType.INT, false, 0, 0, "", "", false, true, false, false)),
          List.of("id"),
          List.of(),
          false,
          new Partitioning.Broadcast(),
          1,
          List.of(),
          List.of(),
          false,
          false);
  private static final Catalog CATALOG =
      new Catalog(
          1,
          Map.of("s", new Schema("s", "utf8mb4", "x", 1, Map.of("t", TABLE), Map.of(), Map.of())),
          List.of(),
          List.of(),
          Map.of(),
          Map.of(),
          Map.of());

  private static Optional<String> meant(String sql) {
    return NullIds.meant(ShapedText.of(sql), new Planner.Context(CATALOG, "s", false, false));
  }

  @Test
  void aConditionOfItsOwnMeansTheLastId() {
    assertEquals(
        Optional.of("SELECT id FROM t WHERE (id = LAST_INSERT_ID())"),
        meant("SELECT id FROM t WHERE id IS NULL"));
    assertEquals(Optional.empty(), meant("SELECT id FROM t WHERE id IS NULL AND id > 1"));
  }

  @Test
  void commonTablesHideTablesFromWhereTheyAreKnown() {
    String within = "t AS (SELECT id FROM t WHERE id IS NULL) SELECT id FROM t WHERE id IS NULL";
    assertEquals(
        Optional.of(
            "WITH t AS (SELECT id FROM t WHERE (id = LAST_INSERT_ID()))"
                + " SELECT id FROM t WHERE id IS NULL"),
        meant("WITH " + within));
    assertEquals(Optional.empty(), meant("WITH RECURSIVE " + within));
  }
}
