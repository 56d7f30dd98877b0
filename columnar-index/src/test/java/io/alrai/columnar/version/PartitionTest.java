package io.alrai.columnar.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.SampleTable;
import io.alrai.columnar.delta.DeltaChunk;
import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.Cursor;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.common.changelog.RowChange;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class PartitionTest {
  private final Random random = new Random(5);
  private final MemoryBudget budget = new MemoryBudget(256 << 20);
  private final ResolvedTimestamp resolved = new ResolvedTimestamp();
  private final Partition partition = new Partition("db.t[0]", SampleTable.SHAPE, budget, resolved);

  private static HlcTimestamp at(long value) {
    return new HlcTimestamp(value);
  }

  private RowImage row(long id) {
    return SampleTable.row(random, id, "p");
  }

  private void load(int rows, long snapshot) {
    PartitionLoader loader = new PartitionLoader(partition);
    for (int i = 0; i < rows; i++) {
      loader.add(row(i));
    }
    loader.finish(at(snapshot));
    resolved.advance(at(snapshot));
  }

  private void apply(long stamp, RowChange... changes) {
    partition.apply(at(stamp), List.of(changes));
    resolved.advance(at(stamp));
  }

  private CompletableFuture<TableScan> scan(long at) {
    return partition.scan(at(at), SampleTable.all(), ZoneFilter.ALL);
  }

  private Set<String> keys(long at) {
    try (TableScan scan = scan(at).join()) {
      return SampleTable.contents(scan).keySet();
    }
  }

  private static ErrorCode refusal(CompletableFuture<TableScan> scan) {
    AlraiException e =
        assertInstanceOf(
            AlraiException.class, assertThrows(CompletionException.class, scan::join).getCause());
    for (ErrorCode code : ErrorCode.values()) {
      if (code.errno() == e.errno()) {
        return code;
      }
    }
    throw e;
  }

  @Test
  void aReaderSeesWhatWasThereAtItsTimestamp() {
    load(3, 10);
    RowImage one = SampleTable.row(random, 7, "q");
    RowImage two = SampleTable.row(random, 7, "q");
    apply(20, new RowChange.Insert(one));
    apply(
        30, new RowChange.Update(one, two), new RowChange.Delete(SampleTable.row(random, 1, "p")));
    apply(40, new RowChange.Delete(two));
    assertEquals(Set.of("0/p", "1/p", "2/p"), keys(19));
    assertEquals(Set.of("0/p", "1/p", "2/p", "7/q"), keys(29));
    assertEquals(Set.of("0/p", "2/p", "7/q"), keys(30));
    assertEquals(Set.of("0/p", "2/p"), keys(40));
    try (TableScan old = scan(25).join();
        TableScan later = scan(35).join()) {
      assertEquals(one, SampleTable.contents(old).get("7/q"));
      assertEquals(two, SampleTable.contents(later).get("7/q"));
    }
  }

  @Test
  void aRowThatItsOwnTransactionEndsIsNeverSeen() {
    load(0, 10);
    RowImage one = row(1);
    apply(20, new RowChange.Insert(one), new RowChange.Delete(one), new RowChange.Insert(row(1)));
    assertEquals(Set.of(), keys(19));
    assertEquals(Set.of("1/p"), keys(20));
  }

  @Test
  void aSnapshotIsReadAsOftenAsWantedWhateverHappensToThePartition() {
    load(3, 10);
    apply(20, new RowChange.Insert(row(7)));
    PartitionSnapshot snapshot = partition.openAt(at(20)).join();
    apply(30, new RowChange.Delete(SampleTable.row(random, 1, "p")));
    partition.close();
    for (int i = 0; i < 2; i++) {
      try (TableScan scan = snapshot.scan(at(20), SampleTable.all(), ZoneFilter.ALL).join()) {
        assertEquals(Set.of("0/p", "1/p", "2/p", "7/p"), SampleTable.contents(scan).keySet());
      }
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> snapshot.scan(at(21), SampleTable.all(), ZoneFilter.ALL));
    assertTrue(budget.usedBytes() > 0);
    snapshot.close();
    snapshot.close();
    assertEquals(0, budget.usedBytes());
    assertThrows(
        IllegalStateException.class, () -> snapshot.scan(SampleTable.all(), ZoneFilter.ALL));
  }

  @Test
  void memoryInUseOutlivesItsScan() {
    load(3, 10);
    TableScan scan = scan(10).join();
    ColumnBatch batch = scan.cursor().next().orElseThrow();
    TableScan.Use use = scan.use();
    TableScan.Use other = scan.use();
    scan.close();
    partition.close();
    assertEquals(2, batch.columns().get(0).longAt(2));
    assertThrows(IllegalStateException.class, scan::use);
    other.close();
    other.close();
    assertEquals(2, batch.columns().get(0).longAt(2));
    use.close();
    assertEquals(0, budget.usedBytes());
    assertThrows(IllegalStateException.class, () -> batch.columns().get(0).longAt(2));
  }

  @Test
  void aScanWaitsUntilItsTimestampIsResolved() {
    load(1, 10);
    CompletableFuture<TableScan> waiting = scan(25);
    CompletableFuture<TableScan> cancelled = scan(25);
    cancelled.cancel(false);
    apply(20, new RowChange.Insert(row(5)));
    assertFalse(waiting.isDone());
    apply(30, new RowChange.Insert(row(6)));
    assertTrue(waiting.isDone());
    try (TableScan scan = waiting.join()) {
      assertEquals(Set.of("0/p", "5/p"), SampleTable.contents(scan).keySet());
    }
    partition.close();
    assertEquals(0, budget.usedBytes(), "the cancelled scan holds nothing");
  }

  @Test
  void beforeItIsReadyAndBelowItsHorizonItIsRefused() {
    resolved.advance(at(5));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE, refusal(scan(5)));
    assertThrows(IllegalStateException.class, () -> partition.apply(at(6), List.of()));
    load(1, 10);
    assertEquals(ErrorCode.ALRAI_SNAPSHOT_TOO_OLD, refusal(scan(9)));
    assertEquals(Set.of("0/p"), keys(10));
  }

  @Test
  void aChangeThatDoesNotFitMakesItUnusable() {
    load(1, 10);
    TableScan open = scan(10).join();
    apply(20, new RowChange.Delete(row(99)));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE, refusal(scan(20)));
    assertInstanceOf(PartitionState.Failed.class, partition.figures().state());
    assertEquals(Set.of("0/p"), SampleTable.contents(open).keySet());
    assertTrue(budget.usedBytes() > 0, "a reader holds it");
    open.close();
    open.close();
    assertEquals(0, budget.usedBytes());
    apply(30, new RowChange.Insert(row(1))); // others are still fed
  }

  @Test
  void aSecondInsertOfAKeyMakesItUnusable() {
    load(1, 10);
    apply(20, new RowChange.Insert(row(0)));
    assertInstanceOf(PartitionState.Failed.class, partition.figures().state());
  }

  @Test
  void whatDoesNotFitInMemoryIsUnusableAndFreed() {
    MemoryBudget small = new MemoryBudget(1_000_000);
    Partition tight = new Partition("db.t[1]", SampleTable.SHAPE, small, resolved);
    new PartitionLoader(tight).finish(at(1));
    for (int i = 0; i < 3 * DeltaChunk.CAPACITY; i++) {
      tight.apply(at(2 + i), List.of(new RowChange.Insert(row(i))));
    }
    PartitionState.Failed failed =
        assertInstanceOf(PartitionState.Failed.class, tight.figures().state());
    assertTrue(failed.reason().contains("memory"), failed.reason());
    assertEquals(0, small.usedBytes());
  }

  @Test
  void cursorsShareTheBatchesAndZonesLeaveSomeOut() {
    load(3 * ColumnBatch.MOST_ROWS, 10);
    apply(20, new RowChange.Insert(row(1_000_000)));
    List<Integer> rows = new ArrayList<>();
    List<Cursor> cursors;
    try (TableScan scan =
        partition.scan(at(20), List.of(0), ZoneFilter.between(0, 70_000, 140_000)).join()) {
      assertEquals(3 * ColumnBatch.MOST_ROWS + 1, scan.rowsAtMost());
      cursors = List.of(scan.cursor(), scan.cursor());
      for (int turn = 0; turn < 8; turn++) {
        Optional<ColumnBatch> batch = cursors.get(turn % 2).next();
        batch.ifPresent(found -> rows.add(found.rows()));
      }
    }
    assertEquals(List.of(ColumnBatch.MOST_ROWS, ColumnBatch.MOST_ROWS, 1), rows);
    assertThrows(IllegalStateException.class, () -> cursors.getFirst().next());
  }

  @Test
  void aRewriteKeepsReadersAndMakesRoom() {
    RewriteRules rules = new RewriteRules(DeltaChunk.CAPACITY, 0.25, ColumnBatch.MOST_ROWS);
    load(100, 10);
    for (int i = 0; i < 2 * DeltaChunk.CAPACITY + 5; i++) {
      apply(20 + i, new RowChange.Insert(row(1_000 + i)));
    }
    for (int i = 0; i < DeltaChunk.CAPACITY; i++) {
      apply(10_000 + i, new RowChange.Delete(row(1_000 + i)));
    }
    Set<String> before = keys(10_500);
    Set<String> atEnd = keys(14_095);
    TableScan reader = scan(10_500).join();
    Rewrite rewrite = partition.rewrite(at(13_000), rules).orElseThrow();
    assertTrue(partition.rewrite(at(13_000), rules).isEmpty(), "one at a time");
    rewrite.run();
    RowImage late = row(1_000 + DeltaChunk.CAPACITY);
    apply(20_000, new RowChange.Delete(late));
    rewrite.install();
    assertEquals(before, SampleTable.contents(reader).keySet());
    reader.close();
    assertEquals(atEnd, keys(14_095));
    assertFalse(keys(20_000).contains(SampleTable.key(late)));
    assertTrue(keys(19_999).contains(SampleTable.key(late)));
    assertEquals(ErrorCode.ALRAI_SNAPSHOT_TOO_OLD, refusal(scan(12_999)));
    assertEquals(5, partition.figures().deltaRows());
    assertEquals(partition.figures().bytes(), budget.usedBytes());
    apply(20_001, new RowChange.Delete(row(5)), new RowChange.Insert(late));
    assertInstanceOf(PartitionState.Ready.class, partition.figures().state());
    partition.close();
    assertEquals(0, budget.usedBytes());
  }
}
