package io.alrai.cn.columnar;

import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.columnar.subscribe.FedPartition;
import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionSnapshot;
import io.alrai.columnar.version.PartitionState;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The column index of one table in this process, from the beginning of its build to its end. A
 * failed one is never mended: another takes its place. Thread-safe.
 *
 * <pre>
 *  BUILDING --> READY
 *      |          |
 *      +----------+--> FAILED
 * </pre>
 */
final class TableIndex implements ColumnIndex, AutoCloseable {
  /** A partition of the table, and who feeds it. */
  record Part(DnFollower follower, String schema, FedPartition fed, IndexedColumns columns) {
    Partition partition() {
      return fed.partition();
    }
  }

  private final Table table;
  private final ColumnIndexDefinition definition;
  private volatile List<PartitionGroup> places;
  private volatile List<Part> parts = List.of();
  private volatile boolean loaded;
  private volatile Optional<AlraiException> failure = Optional.empty();
  private volatile boolean closed;

  /** Who builds it; guarded by this. */
  private @Nullable Thread builder;

  /**
   * One whose build has not begun.
   *
   * @param places of the partitions that it has, all or some of the table's
   */
  TableIndex(Table table, ColumnIndexDefinition definition, List<PartitionGroup> places) {
    this.table = table;
    this.definition = definition;
    this.places = List.copyOf(places);
  }

  /** What it was built for. */
  Table table() {
    return table;
  }

  /** Where its partitions are, to be built or built. */
  List<PartitionGroup> places() {
    return places;
  }

  List<Part> parts() {
    return parts;
  }

  /** Its partitions, all still empty. */
  void parts(List<Part> all) {
    parts = List.copyOf(all);
  }

  /** All partitions are loaded. */
  void loaded() {
    loaded = true;
  }

  /** It cannot be built, or not be kept. The first reason is kept: the others follow from it. */
  synchronized void fail(AlraiException reason) {
    if (failure.isEmpty()) {
      failure = Optional.of(reason);
    }
  }

  /** Whether no index can hold the table as it is: another build would fail as this one. */
  boolean isGivenUp() {
    return failure.map(reason -> reason.is(ErrorCode.ER_NOT_SUPPORTED_YET)).orElse(false);
  }

  /** Why it failed, as an error for those who wait for it. */
  AlraiException reason(PartitionState.Failed failed) {
    return failure.orElseGet(() -> notReady("is not usable: " + failed.reason()));
  }

  boolean closed() {
    return closed;
  }

  /** Whether it is neither built nor failed. */
  boolean isBuilding() {
    return figures().state() instanceof PartitionState.Building;
  }

  /**
   * Its build begins on the calling thread, which is interrupted when the index is closed.
   *
   * @return whether the index is still wanted
   */
  synchronized boolean buildBegins() {
    builder = closed ? null : Thread.currentThread();
    return !closed;
  }

  /** Its build has ended, well or not. */
  void buildEnds() {
    boolean wanted;
    synchronized (this) {
      builder = null;
      wanted = !closed;
    }
    if (!wanted) {
      // what the build has begun since it was closed
      parts.forEach(this::close);
    }
  }

  @Override
  public String name() {
    return definition.name();
  }

  @Override
  public PartitionFigures figures() {
    long rows = 0;
    long deltaRows = 0;
    long bytes = 0;
    Optional<String> failed = failure.map(AlraiException::sentence);
    for (Part part : parts) {
      PartitionFigures one = part.partition().figures();
      rows +=
          one.state() instanceof PartitionState.Building building ? building.rows() : one.rows();
      deltaRows += one.deltaRows();
      bytes += one.bytes();
      if (failed.isEmpty() && one.state() instanceof PartitionState.Failed broken) {
        failed = Optional.of(broken.reason());
      }
    }
    PartitionState state =
        failed.isPresent()
            ? new PartitionState.Failed(failed.get())
            : loaded ? new PartitionState.Ready() : new PartitionState.Building(rows);
    return new PartitionFigures(state, rows, deltaRows, bytes);
  }

  private AlraiException notReady(String why) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, "the column index " + definition.name() + " " + why);
  }

  @Override
  public CompletableFuture<IndexSnapshot> openAt(HlcTimestamp at) {
    return openAt(at, parts);
  }

  /**
   * Opens those of its partitions that are in these physical schemas.
   *
   * @return fails also when one of them is not here
   */
  CompletableFuture<IndexSnapshot> openAt(HlcTimestamp at, Set<String> schemas) {
    List<Part> some = parts.stream().filter(part -> schemas.contains(part.schema())).toList();
    return some.size() == schemas.size()
        ? openAt(at, some)
        : CompletableFuture.failedFuture(notReady("has not all the partitions that are asked for"));
  }

  private CompletableFuture<IndexSnapshot> openAt(HlcTimestamp at, List<Part> some) {
    CompletableFuture<IndexSnapshot> result = new CompletableFuture<>();
    switch (figures().state()) {
      case PartitionState.Building building ->
          result.completeExceptionally(notReady("is being built"));
      case PartitionState.Failed failed ->
          result.completeExceptionally(notReady("is not usable: " + failed.reason()));
      case PartitionState.Ready ready -> open(at, some, result);
    }
    return result;
  }

  private void open(HlcTimestamp at, List<Part> some, CompletableFuture<IndexSnapshot> result) {
    List<CompletableFuture<PartitionSnapshot>> opening = new ArrayList<>();
    for (Part part : some) {
      opening.add(part.partition().openAt(at));
    }
    some.stream()
        .map(Part::follower)
        .distinct()
        .forEach(follower -> follower.reach(at, () -> !result.isDone() && !closed));
    result.whenComplete((snapshot, error) -> opening.forEach(one -> one.cancel(false)));
    CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
        .whenComplete((all, error) -> {
          if (error != null) {
            close(opening);
            result.completeExceptionally(AlraiException.causeOf(error));
            return;
          }
          Opened opened = new Opened(at, opening.stream().map(CompletableFuture::join).toList());
          if (!result.complete(opened)) {
            opened.close();
          }
        });
  }

  private static void close(List<CompletableFuture<PartitionSnapshot>> opening) {
    for (CompletableFuture<PartitionSnapshot> one : opening) {
      if (!one.cancel(false) && !one.isCompletedExceptionally()) {
        one.join().close();
      }
    }
  }

  private record Opened(HlcTimestamp at, List<PartitionSnapshot> snapshots)
      implements IndexSnapshot {
    @Override
    public List<ColumnTable> partitions() {
      return List.copyOf(snapshots);
    }

    @Override
    public void close() {
      snapshots.forEach(PartitionSnapshot::close);
    }
  }

  /** Frees its partitions elsewhere than at these places; the others can be read all the time. */
  void keepOnly(List<PartitionGroup> held) {
    Set<String> schemas =
        held.stream().map(place -> place.physicalSchema().name()).collect(Collectors.toSet());
    List<Part> before = parts;
    places = List.copyOf(held);
    parts = before.stream().filter(part -> schemas.contains(part.schema())).toList();
    before.stream().filter(part -> !schemas.contains(part.schema())).forEach(this::close);
  }

  private void close(Part part) {
    part.follower().remove(part.schema(), table.name(), part.fed());
    part.partition().close();
  }

  /** Frees what nobody reads, and ends its build; readers that wait fail. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      Thread building = builder;
      if (building != null) {
        building.interrupt();
      }
    }
    parts.forEach(this::close);
  }
}
