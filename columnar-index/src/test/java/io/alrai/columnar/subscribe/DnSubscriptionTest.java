package io.alrai.columnar.subscribe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.SampleTable;
import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.PartitionLoader;
import io.alrai.columnar.version.PartitionState;
import io.alrai.columnar.version.ResolvedTimestamp;
import io.alrai.common.changelog.LogRecord;
import io.alrai.common.changelog.RowChange;
import io.alrai.common.changelog.TableChanges;
import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DnSubscriptionTest {
  private final Random random = new Random(2);
  private final ResolvedTimestamp resolved = new ResolvedTimestamp();
  private final DnSubscription subscription = new DnSubscription(resolved);
  private final Partition one = partition();
  private final Partition two = partition();
  private FedPartition fedTwo;

  private Partition partition() {
    return new Partition("t", SampleTable.SHAPE, new MemoryBudget(64 << 20), resolved);
  }

  private FedPartition fed(Partition partition) {
    return new FedPartition(partition, 10);
  }

  private FedPartition subscribe(String table, Partition partition) {
    FedPartition fed = fed(partition);
    fed.loaded(new PartitionLoader(partition), at(1));
    subscription.add("db", table, fed);
    return fed;
  }

  @BeforeEach
  void subscribe() {
    subscribe("one", one);
    fedTwo = subscribe("two", two);
  }

  private static HlcTimestamp at(long value) {
    return new HlcTimestamp(value);
  }

  private TableChanges insert(String table, long id) {
    return new TableChanges(
        "db", table, List.of(new RowChange.Insert(SampleTable.row(random, id, "p"))));
  }

  private void resolve(long to) {
    subscription.accept(new LogRecord.Resolved(at(to)));
  }

  private CompletableFuture<TableScan> scan(Partition partition, long at) {
    return partition.scan(at(at), SampleTable.all(), ZoneFilter.ALL);
  }

  private Set<String> keys(Partition partition, long at) {
    try (TableScan scan = scan(partition, at).join()) {
      return SampleTable.contents(scan).keySet();
    }
  }

  @Test
  void eachTablesRowsGoToItsPartition() {
    subscription.accept(
        new LogRecord.Committed(
            at(10), List.of(insert("one", 1), insert("other", 2), insert("two", 3))));
    CompletableFuture<TableScan> waiting = scan(one, 10);
    assertFalse(waiting.isDone());
    resolve(10);
    assertTrue(waiting.isDone());
    waiting.join().close();
    assertEquals(Set.of("1/p"), keys(one, 10));
    assertEquals(Set.of("3/p"), keys(two, 10));
    assertFalse(subscription.remove("db", "two", fed(two)), "another one");
    assertTrue(subscription.remove("db", "two", fedTwo));
    subscription.accept(new LogRecord.Committed(at(11), List.of(insert("two", 4))));
    resolve(11);
    assertEquals(Set.of("3/p"), keys(two, 11));
  }

  @Test
  void aPreparedBranchCountsFromItsCommitStampOn() {
    subscription.accept(new LogRecord.Prepared("x", List.of(insert("one", 1))));
    subscription.accept(new LogRecord.Prepared("y", List.of(insert("one", 2))));
    subscription.accept(new LogRecord.Committed(at(20), List.of(insert("one", 3))));
    subscription.accept(new LogRecord.BranchRolledBack("y"));
    subscription.accept(new LogRecord.BranchCommitted("x", at(15)));
    resolve(30);
    assertEquals(Set.of(), keys(one, 14));
    assertEquals(Set.of("1/p"), keys(one, 15));
    assertEquals(Set.of("1/p", "3/p"), keys(one, 30));
  }

  @Test
  void aBranchWhoseRowsDidNotComeMakesThePartitionsUnusable() {
    subscription.accept(new LogRecord.BranchCommitted("unknown", at(15)));
    PartitionState.Failed failed =
        assertInstanceOf(PartitionState.Failed.class, one.figures().state());
    assertTrue(failed.reason().contains("unknown"));
    assertInstanceOf(PartitionState.Failed.class, two.figures().state());
  }

  @Test
  void changesThatComeWhileItIsLoadedAreAppliedUnlessTheSnapshotHasThem() {
    Partition third = partition();
    FedPartition fed = fed(third);
    subscription.add("db", "three", fed);
    subscription.accept(new LogRecord.Committed(at(5), List.of(insert("three", 5))));
    subscription.accept(new LogRecord.Prepared("x", List.of(insert("three", 9))));
    subscription.accept(new LogRecord.BranchCommitted("x", at(9)));
    subscription.accept(new LogRecord.Committed(at(7), List.of(insert("three", 7))));
    PartitionLoader loader = new PartitionLoader(third);
    loader.add(SampleTable.row(random, 5, "p"));
    loader.add(SampleTable.row(random, 7, "p"));
    resolve(9);
    fed.loaded(loader, at(8));
    subscription.accept(new LogRecord.Committed(at(6), List.of(insert("three", 6))));
    subscription.accept(new LogRecord.Committed(at(12), List.of(insert("three", 12))));
    resolve(12);
    assertEquals(Set.of("5/p", "7/p"), keys(third, 8));
    assertEquals(Set.of("5/p", "7/p", "9/p"), keys(third, 9));
    assertEquals(Set.of("5/p", "7/p", "9/p", "12/p"), keys(third, 12));
  }

  @Test
  void rowsThatDidNotComeCountOnlyAboveTheSnapshot() {
    subscription.accept(new LogRecord.BranchCommitted("before", at(1)));
    assertInstanceOf(PartitionState.Ready.class, one.figures().state());
    Partition below = partition();
    Partition above = partition();
    FedPartition fedBelow = fed(below);
    FedPartition fedAbove = fed(above);
    subscription.add("db", "below", fedBelow);
    subscription.add("db", "above", fedAbove);
    subscription.accept(new LogRecord.BranchCommitted("meanwhile", at(20)));
    fedBelow.loaded(new PartitionLoader(below), at(19));
    fedAbove.loaded(new PartitionLoader(above), at(20));
    assertInstanceOf(PartitionState.Failed.class, below.figures().state());
    assertInstanceOf(PartitionState.Ready.class, above.figures().state());
  }

  @Test
  void tooManyChangesMeanwhileMakeItUnusable() {
    Partition third = partition();
    FedPartition fed = fed(third);
    subscription.add("db", "three", fed);
    for (int i = 0; i < 11; i++) {
      subscription.accept(new LogRecord.Committed(at(10 + i), List.of(insert("three", i))));
    }
    assertInstanceOf(PartitionState.Failed.class, third.figures().state());
    PartitionLoader loader = new PartitionLoader(third);
    assertThrows(AlraiException.class, () -> fed.loaded(loader, at(9)));
  }

  /** The row groups that they were gathered in would be more than the heap of the tests. */
  @Test
  void loadedPartitionsHoldNoRowsOnTheHeap() {
    MemoryBudget budget = new MemoryBudget(256 << 20);
    byte[] note = new byte[1_000];
    int most = 15;
    List<FedPartition> loaded = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      Partition partition = new Partition("t" + i, SampleTable.SHAPE, budget, resolved);
      FedPartition fed = fed(partition);
      PartitionLoader loader = new PartitionLoader(partition);
      for (int row = 0; row < ColumnBatch.MOST_ROWS; row++) {
        loader.add(SampleTable.row(random, row, "p").put(7, note));
      }
      fed.loaded(loader, at(1));
      loaded.add(fed);
    }
    loaded.forEach(
        fed -> assertInstanceOf(PartitionState.Ready.class, fed.partition().figures().state()));
  }
}
