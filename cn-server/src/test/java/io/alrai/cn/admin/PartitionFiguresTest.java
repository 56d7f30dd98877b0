package io.alrai.cn.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.system.IndexFigures;
import io.alrai.cn.system.NativePartitions;
import io.alrai.cn.system.PartitionRows;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sums over partitions, some of which cannot be asked. */
class PartitionFiguresTest {
  private static final Table THERE = table("t");
  private static final Table HALF = table("u");
  private static final Table GONE = table("v");

  private static Table table(String name) {
    return new Table(
        1,
        "s",
        name,
        List.of(),
        List.of("a"),
        List.of(),
        false,
        new Partitioning.Single(),
        1,
        List.of(),
        List.of(),
        true,
        false);
  }

  private static List<@Nullable String> row(@Nullable String... cells) {
    return Arrays.asList(cells);
  }

  /** Whichever DN answers first. */
  private static void awayBetween(PartitionRows.Reader reader, List<@Nullable String> row) {
    reader.row(THERE, row);
    reader.away(HALF);
    reader.away(GONE);
    reader.row(HALF, row);
    reader.row(THERE, row);
  }

  @Test
  void partitionsOfAMysqldsOwn() {
    NativePartitions.Sums sums = new NativePartitions.Sums();
    awayBetween(sums, row("p", "t", "2", "20", "4", "1", null, "7", "p0", null));
    assertEquals(
        "[[\"73\",\"74\",4,10,40,8,2,null,7,\"7030\",\"\"],[\"73\",\"75\"],[\"73\",\"76\"]]",
        sums.json());
  }

  @Test
  void indexes() {
    IndexFigures.Sums sums = new IndexFigures.Sums();
    awayBetween(sums, row("p", "t", "i", "1", "5"));
    assertEquals("[[\"73\",\"74\",\"69\",1,10],[\"73\",\"75\"],[\"73\",\"76\"]]", sums.json());
  }
}
