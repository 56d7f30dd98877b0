package io.alrai.columnar.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.SampleTable;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.PartitionLoader;
import io.alrai.columnar.version.ResolvedTimestamp;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IndexCheckTest {
  private static final HlcTimestamp AT = new HlcTimestamp(5);

  private final Random random = new Random(11);
  private final List<RowImage> rows = new ArrayList<>();
  private final Partition partition;

  IndexCheckTest() {
    ResolvedTimestamp resolved = new ResolvedTimestamp();
    resolved.advance(AT);
    partition = new Partition("t", SampleTable.SHAPE, new MemoryBudget(64 << 20), resolved);
    PartitionLoader loader = new PartitionLoader(partition);
    for (int i = 0; i < 5_000; i++) {
      RowImage row = SampleTable.row(random, i, "p");
      rows.add(row);
      loader.add(row);
    }
    loader.finish(AT);
  }

  private TableScan scan() {
    return partition.scan(AT, SampleTable.all(), ZoneFilter.ALL).join();
  }

  private IndexCheck.Outcome compare() {
    return new IndexCheck(SampleTable.SHAPE).compare(this::scan, rows::forEach);
  }

  @Test
  void equalRowsInAnyOrderAreClean() {
    rows.sort((a, b) -> Long.compare(b.number(0), a.number(0)));
    IndexCheck.Outcome outcome = compare();
    assertTrue(outcome.isClean());
    assertEquals(new IndexCheck.Outcome(5_000, 0, 0, 0, List.of()), outcome);
  }

  @Test
  void eachKindOfDifferenceIsCountedAndShown() {
    rows.removeIf(row -> row.number(0) == 17);
    rows.add(SampleTable.row(random, 17, "q"));
    rows.add(SampleTable.row(random, 9_999, "p"));
    RowImage changed = rows.get(100);
    if (changed.isNull(2)) {
      changed.put(2, 0);
    } else {
      changed.put(2, changed.number(2) + 1);
    }
    IndexCheck.Outcome outcome = compare();
    assertFalse(outcome.isClean());
    assertEquals(5_001, outcome.rows());
    assertEquals(2, outcome.missing());
    assertEquals(1, outcome.surplus());
    assertEquals(1, outcome.different());
    assertEquals(4, outcome.examples().size());
  }
}
