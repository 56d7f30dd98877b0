package io.alrai.cn.columnar;

import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.subscribe.FedPartition;
import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.PartitionLoader;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.id.TransactionId;
import io.alrai.common.thread.Pause;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Builds column indexes while their tables are written to:
 *
 * <ol>
 *   <li>the log comes up to now: DDL before is not about what is built;
 *   <li>the log is followed from here on, for all partitions; for each of them then:
 *   <li>branches that are prepared already, whose rows the log has before, come to their end;
 *   <li>a snapshot is chosen and its rows are loaded;
 *   <li>what came from the log above the snapshot is applied.
 * </ol>
 *
 * Blocking; any thread.
 */
final class IndexBuild {
  /** Changed rows that are kept while an index is built, of all its partitions together. */
  private static final long MOST_KEPT = 200_000;

  private static final long LOOK_MILLIS = 5;
  private static final long PREPARED_MILLIS = 10_000;
  private static final long LOG_MILLIS = 15_000;

  private final Surroundings around;

  /**
   * What a build works with.
   *
   * @param loop of the connections that read rows
   * @param settings of these: UTF-8, UTC
   * @param tables whose columns are asked for
   * @param followers by DN; starts one that does not run yet
   * @param now a timestamp above all that anybody was given
   */
  record Surroundings(
      DnLinks links,
      EventLoop loop,
      SessionSettings settings,
      IndexableTables tables,
      Function<DnId, DnFollower> followers,
      Supplier<HlcTimestamp> now,
      MemoryBudget budget) {}

  IndexBuild(Surroundings around) {
    this.around = around;
  }

  /** Where the rows of a table are; of a broadcast table the first DN's copy. */
  static List<PartitionGroup> places(DnLinks links, Catalog catalog, Table table) {
    if (table.partitioning() instanceof Partitioning.Broadcast) {
      PhysicalSchema schema = catalog.broadcastSchema(table);
      return List.of(new PartitionGroup(0, schema, links.dns().getFirst()));
    }
    return catalog.tableGroup(table).partitionGroups();
  }

  /**
   * Builds an index to its end.
   *
   * @throws AlraiException when it cannot be; what was begun is to be closed with the index
   */
  void run(TableIndex index) {
    List<TableIndex.Part> parts = new ArrayList<>();
    try {
      for (PartitionGroup place : index.places()) {
        parts.add(part(index, place, MOST_KEPT / index.places().size()));
      }
    } finally {
      index.parts(parts);
    }
    awaitLog(index, parts);
    for (TableIndex.Part part : parts) {
      Waits.get(part.follower().add(part.schema(), index.table().name(), part.fed()));
    }
    for (PartitionGroup place : index.places()) {
      // whatever changes them from here on is in the log, and ends the partition
      if (!around.tables().columns(place, index.table()).equals(parts.getFirst().columns())) {
        throw new AlraiException(
            ErrorCode.ALRAI_CATALOG_CONFLICT, "the table's columns are changing");
      }
    }
    for (TableIndex.Part part : parts) {
      load(index, part);
    }
    index.loaded();
  }

  /** Followers hear of DDL later than its client does, and it would end what is built. */
  private void awaitLog(TableIndex index, List<TableIndex.Part> parts) {
    HlcTimestamp now = around.now().get();
    for (DnFollower follower : parts.stream().map(TableIndex.Part::follower).distinct().toList()) {
      await(
          index,
          follower.applied(now, () -> !index.closed())::isDone,
          LOG_MILLIS,
          () -> "the log of " + follower.dn() + " is not here up to now yet");
    }
  }

  private static void await(
      TableIndex index, BooleanSupplier done, long mostMillis, Supplier<String> late) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMillis);
    while (!done.getAsBoolean()) {
      if (index.closed()) {
        throw unwanted();
      }
      if (System.nanoTime() - deadline > 0) {
        throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, late.get());
      }
      Pause.ofMillis(LOOK_MILLIS);
    }
  }

  private static AlraiException unwanted() {
    return new AlraiException(ErrorCode.ER_QUERY_INTERRUPTED, "the index is wanted no longer");
  }

  private TableIndex.Part part(TableIndex index, PartitionGroup place, long mostKept) {
    IndexedColumns columns = around.tables().columns(place, index.table());
    DnFollower follower = around.followers().apply(place.dn());
    String name =
        index.name() + " of " + place.physicalSchema().name() + "." + index.table().name();
    Partition partition =
        new Partition(name, columns.shape(), around.budget(), follower.resolved());
    return new TableIndex.Part(
        follower, place.physicalSchema().name(), new FedPartition(partition, mostKept), columns);
  }

  private void load(TableIndex index, TableIndex.Part part) {
    DnFollower follower = part.follower();
    String table = index.table().name();
    awaitPrepared(index, follower);
    RowTexts texts = new RowTexts(part.columns().shape());
    PartitionLoader loader = new PartitionLoader(part.partition());
    try (SnapshotView view = view(follower.dn())) {
      view.query(
          part.columns().select(part.schema(), table),
          row -> {
            if (index.closed()) {
              throw unwanted();
            }
            loader.add(texts.read(row));
          });
      part.fed().loaded(loader, view.at());
    }
  }

  /** A view of a DN as it is now. */
  SnapshotView view(DnId dn) {
    return SnapshotView.open(
        around.links().link(dn), around.loop(), around.settings(), around.now());
  }

  /** Their rows came before the log was followed, so the snapshot must have them. */
  private static void awaitPrepared(TableIndex index, DnFollower follower) {
    Collection<TransactionId> left = new ArrayList<>(Waits.get(follower.preparedBranches()));
    await(
        index,
        () -> left.isEmpty() || stillPrepared(left, follower).isEmpty(),
        PREPARED_MILLIS,
        () -> follower.dn() + " has transactions that are prepared and do not end: " + left);
  }

  private static Collection<TransactionId> stillPrepared(
      Collection<TransactionId> left, DnFollower follower) {
    left.retainAll(Waits.get(follower.preparedBranches()));
    return left;
  }
}
