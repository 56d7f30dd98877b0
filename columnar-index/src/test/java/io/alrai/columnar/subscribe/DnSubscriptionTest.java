package io.alrai.columnar.subscribe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.SampleTable;
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
import io.alrai.common.time.HlcTimestamp;
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

  private Partition partition() {
    Partition made = new Partition("t", SampleTable.SHAPE, new MemoryBudget(64 << 20), resolved);
    new PartitionLoader(made).finish(at(1));
    return made;
  }

  @BeforeEach
  void subscribe() {
    subscription.add("db", "one", one);
    subscription.add("db", "two", two);
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
    subscription.remove("db", "two");
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
}
