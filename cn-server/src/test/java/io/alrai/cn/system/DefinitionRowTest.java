package io.alrai.cn.system;

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
          List.of(new ColumnIndexDefinition("c*/i", List.of("a", "b"), 1)),
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
  void theNextNumberIsAmongTheOptions() {
    String before = "CREATE TABLE `t` (\n  `a` int COMMENT ') ENGINE=x AUTO_INCREMENT=7'\n)";
    String behind = " DEFAULT CHARSET=utf8mb4 COMMENT='é AUTO_INCREMENT=7'";
    byte[] row = ResultTable.encode(List.of("t", before + " ENGINE=InnoDB" + behind));
    byte[] numbered = DefinitionRow.withNextId(row, 12);
    assertEquals(
        List.of("t", before + " ENGINE=InnoDB AUTO_INCREMENT=12" + behind),
        ShardQueries.texts(numbered, 2));
    assertEquals(
        List.of("t", before + " ENGINE=InnoDB AUTO_INCREMENT=18446744073709551615" + behind),
        ShardQueries.texts(DefinitionRow.withNextId(numbered, -1), 2));
    assertEquals(
        List.of("t", before + " ENGINE=InnoDB" + behind),
        ShardQueries.texts(DefinitionRow.withNextId(numbered, 1), 2));
    assertEquals(Optional.of(12L), DefinitionRow.nextId(ShardQueries.texts(numbered, 2).getLast()));
    assertEquals(Optional.empty(), DefinitionRow.nextId(before + " ENGINE=InnoDB" + behind));
  }

  @Test
  void theCommentIsBehindTheDefinition() {
    byte[] row = ResultTable.encode(List.of("t", "CREATE ".repeat(100)));
    assertEquals(
        List.of("t", "CREATE ".repeat(100) + "/* `é` */"),
        ShardQueries.texts(DefinitionRow.with(row, "/* `é` */"), 2));
  }
}
