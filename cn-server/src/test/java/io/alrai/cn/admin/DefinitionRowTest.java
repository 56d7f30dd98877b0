package io.alrai.cn.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.result.ResultTable;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DefinitionRowTest {
  private static final Table TABLE =
      new Table(
          1,
          "s",
          "t`x",
          List.of(),
          List.of("a"),
          List.of(),
          false,
          new Partitioning.Single(),
          1,
          List.of(new ColumnIndexDefinition("c*/i", List.of("a", "b"))),
          List.of(),
          true,
          false);
  private static final Catalog CATALOG =
      new Catalog(
          1,
          Map.of("s", new Schema("s", "", "", 1, Map.of(TABLE.name(), TABLE), Map.of(), Map.of())),
          List.of(),
          List.of(),
          Map.of(),
          Map.of(),
          Map.of());
  private static final Optional<String> COMMENT =
      Optional.of("\n/* CLUSTERED COLUMNAR INDEX `c* /i` (`a`,`b`) */");

  @Test
  void onlyOfTablesWithColumnIndexes() {
    assertEquals(COMMENT, DefinitionRow.comment("SHOW CREATE TABLE `t``x`", "s", CATALOG));
    assertEquals(COMMENT, DefinitionRow.comment(" show create\ntable s . `t``x` ;", "", CATALOG));
    assertEquals(Optional.empty(), DefinitionRow.comment("SHOW CREATE TABLE `t``x`", "z", CATALOG));
    assertEquals(Optional.empty(), DefinitionRow.comment("SHOW CREATE TABLE t", "s", CATALOG));
    assertEquals(Optional.empty(), DefinitionRow.comment("SHOW COLUMNS FROM `t``x`", "s", CATALOG));
  }

  @Test
  void theCommentIsBehindTheDefinition() {
    byte[] row = ResultTable.encode(List.of("t", "CREATE ".repeat(100)));
    assertEquals(
        List.of("t", "CREATE ".repeat(100) + "/* x */"),
        ShardQueries.texts(DefinitionRow.with(row, "/* x */"), 2));
  }
}
