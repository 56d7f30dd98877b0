package io.alrai.columnar.compact;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.columnar.SampleTable;
import io.alrai.columnar.delta.DeltaChunk;
import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.PartitionLoader;
import io.alrai.columnar.version.ResolvedTimestamp;
import io.alrai.columnar.version.RewriteRules;
import io.alrai.common.changelog.RowChange;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompactionTest {
  private static final int ROWS = 2 * DeltaChunk.CAPACITY + 1;

  private final Random random = new Random(4);
  private final ResolvedTimestamp resolved = new ResolvedTimestamp();
  private final Compaction compaction =
      new Compaction(new RewriteRules(DeltaChunk.CAPACITY, 0.25, ColumnBatch.MOST_ROWS), 1_000);

  private Partition filled(MemoryBudget budget) {
    Partition partition = new Partition("t", SampleTable.SHAPE, budget, resolved);
    new PartitionLoader(partition).finish(HlcTimestamp.ofMillis(1));
    for (int i = 0; i < ROWS; i++) {
      partition.apply(
          HlcTimestamp.ofMillis(5_000),
          List.of(new RowChange.Insert(SampleTable.row(random, i, "p"))));
    }
    return partition;
  }

  @Test
  void rowsWaitInTheDeltaUntilTheyAreHistory() {
    Partition partition = filled(new MemoryBudget(64 << 20));
    resolved.advance(HlcTimestamp.ofMillis(5_999));
    assertEquals(new Compaction.Pass(0, 0), compaction.pass(List.of(partition), resolved));
    resolved.advance(HlcTimestamp.ofMillis(6_000));
    assertEquals(new Compaction.Pass(ROWS - 1, 0), compaction.pass(List.of(partition), resolved));
    assertEquals(1, partition.figures().deltaRows());
    assertEquals(new Compaction.Pass(0, 0), compaction.pass(List.of(partition), resolved));
    try (TableScan scan =
        partition.scan(resolved.value(), SampleTable.all(), ZoneFilter.ALL).join()) {
      assertEquals(ROWS, SampleTable.contents(scan).size());
    }
  }

  @Test
  void whatDoesNotFitIsLeftAsItIs() {
    MemoryBudget budget = new MemoryBudget(64 << 20);
    Partition partition = filled(budget);
    resolved.advance(HlcTimestamp.ofMillis(9_000));
    long used = budget.usedBytes();
    MemoryBudget tight = new MemoryBudget(used + 1_000);
    Partition full = filled(tight);
    assertEquals(
        new Compaction.Pass(ROWS - 1, 1), compaction.pass(List.of(full, partition), resolved));
    assertEquals(ROWS, full.figures().deltaRows());
    assertEquals(full.figures().bytes(), tight.usedBytes());
    try (TableScan scan = full.scan(resolved.value(), SampleTable.all(), ZoneFilter.ALL).join()) {
      assertEquals(ROWS, SampleTable.contents(scan).size());
    }
  }
}
