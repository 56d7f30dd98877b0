package io.alrai.columnar.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.SampleTable;
import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LoadedRowsTest {
  private static final HlcTimestamp AT = new HlcTimestamp(7);

  private final Random random = new Random(3);
  private final MemoryBudget budget = new MemoryBudget(64 << 20);

  @Test
  void whatWasReadCanBeScannedUntilItIsClosed() {
    TreeMap<String, RowImage> expected = new TreeMap<>();
    PartitionSnapshot snapshot;
    try (LoadedRows rows = new LoadedRows(SampleTable.SHAPE, budget)) {
      for (int i = 0; i < ColumnBatch.MOST_ROWS + 10; i++) {
        RowImage row = SampleTable.row(random, i, "p");
        expected.put(SampleTable.key(row), row);
        rows.add(row);
      }
      assertEquals(expected.size(), rows.rows());
      snapshot = rows.finish(AT);
    }
    assertEquals(AT, snapshot.at());
    try (TableScan scan = snapshot.scan(AT, SampleTable.all(), ZoneFilter.ALL).join()) {
      snapshot.close();
      assertTrue(budget.usedBytes() > 0);
      assertEquals(expected.keySet(), SampleTable.contents(scan).keySet());
    }
    assertEquals(0, budget.usedBytes());
  }

  @Test
  void rowsWithoutColumnsAreCounted() {
    try (LoadedRows rows = new LoadedRows(new TableShape(List.of(), List.of()), budget)) {
      rows.add(new RowImage(0));
      rows.add(new RowImage(0));
      try (PartitionSnapshot snapshot = rows.finish(AT);
          TableScan scan = snapshot.scan(List.of(), ZoneFilter.ALL)) {
        assertEquals(2, scan.cursor().next().orElseThrow().visibleRows());
      }
    }
    assertEquals(0, budget.usedBytes());
  }

  @Test
  void whatDoesNotFitIsGivenBack() {
    MemoryBudget small = new MemoryBudget(3 << 20);
    LoadedRows rows = new LoadedRows(SampleTable.SHAPE, small);
    assertThrows(
        AlraiException.class,
        () -> {
          for (int i = 0; i < 4 * ColumnBatch.MOST_ROWS; i++) {
            rows.add(SampleTable.row(random, i, "p"));
          }
        });
    rows.close();
    assertEquals(0, small.usedBytes());
  }
}
