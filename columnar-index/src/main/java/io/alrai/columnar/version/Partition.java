package io.alrai.columnar.version;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.columnar.delta.DeltaChunk;
import io.alrai.columnar.delta.KeyIndex;
import io.alrai.columnar.delta.RowKeys;
import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.segment.RowGroup;
import io.alrai.common.changelog.RowChange;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One partition of a table in the column index.
 *
 * <pre>
 *             parts: base row groups | chunks of the delta
 *  load   ->  adds row groups; all rows count as older than {@link #ready}'s timestamp
 *  apply  ->  ends rows anywhere, appends to the last chunk
 *  {@link Rewrite} -> replaces some parts by new row groups
 *  scan   ->  holds the version of the parts that it began with
 * </pre>
 *
 * Thread-safe; one thread feeds it, one rewrites at a time, any number scan. When it does not fit
 * in its memory, or a change does not fit to its rows, it is Failed: it gives its memory back as
 * soon as nobody reads it, and refuses scans with the reason.
 */
public final class Partition implements ColumnTable, AutoCloseable {
  private final String name;
  private final TableShape shape;
  private final MemoryBudget budget;
  private final ResolvedTimestamp resolved;
  private final RowKeys keys;

  @GuardedBy("this")
  private final PartNumbers numbers = new PartNumbers();

  @GuardedBy("this")
  private final KeyIndex index;

  @GuardedBy("this")
  private Version version = new Version(List.of());

  @GuardedBy("this")
  private PartitionState state = new PartitionState.Building(0);

  /** Snapshots below it are no longer, or were never, here. */
  @GuardedBy("this")
  private long horizon = Long.MAX_VALUE;

  @GuardedBy("this")
  private boolean rewriting;

  /**
   * An empty partition, to be loaded.
   *
   * @param name for messages
   * @param resolved of the stream that feeds it
   * @throws AlraiException ER_OUT_OF_RESOURCES beyond the budget
   */
  public Partition(String name, TableShape shape, MemoryBudget budget, ResolvedTimestamp resolved) {
    this.name = name;
    this.shape = shape;
    this.budget = budget;
    this.resolved = resolved;
    this.keys = new RowKeys(shape);
    this.index = new KeyIndex(budget);
  }

  @Override
  public TableShape shape() {
    return shape;
  }

  MemoryBudget budget() {
    return budget;
  }

  RowKeys keys() {
    return keys;
  }

  /** Takes a row group of a snapshot; it is closed with this, also when this throws. */
  synchronized void load(RowGroup group) {
    if (!(state instanceof PartitionState.Building building)) {
      group.close();
      throw notReady();
    }
    StoredRows.Base base = new StoredRows.Base(numbers.next(), group);
    replace(List.of(), List.of(base));
    state = new PartitionState.Building(building.rows() + group.rows());
    try {
      for (int row = 0; row < group.rows(); row++) {
        index.put(keys.hash(group.vectors(), row), base.place(row));
      }
    } catch (AlraiException e) {
      fail(e.sentence());
      throw e;
    }
  }

  /**
   * All rows of the snapshot are loaded.
   *
   * @param at the snapshot's timestamp; transactions above it are to be applied next
   */
  public synchronized void ready(HlcTimestamp at) {
    if (!(state instanceof PartitionState.Building)) {
      throw notReady();
    }
    horizon = at.value();
    state = new PartitionState.Ready();
  }

  /**
   * Applies a transaction, in the order of the log. Afterwards the stream's resolved timestamp may
   * reach its stamp. A partition that cannot take it is Failed; nothing is thrown then, as the feed
   * has others to serve; to one that is Failed nothing is done.
   *
   * @throws IllegalStateException while it is being built
   */
  public synchronized void apply(HlcTimestamp stamp, List<RowChange> changes) {
    if (state instanceof PartitionState.Building) {
      throw new IllegalStateException(name + " is not loaded yet");
    }
    if (state instanceof PartitionState.Failed) {
      return;
    }
    try {
      for (RowChange change : changes) {
        switch (change) {
          case RowChange.Insert insert -> insert(insert.after(), stamp.value());
          case RowChange.Delete delete -> delete(delete.before(), stamp.value());
          case RowChange.Update update -> {
            delete(update.before(), stamp.value());
            insert(update.after(), stamp.value());
          }
        }
      }
    } catch (AlraiException e) {
      fail(e.sentence());
    }
  }

  @GuardedBy("this")
  private int find(int hash, RowImage row) {
    PartNumbers known = numbers;
    return index.find(
        hash, place -> keys.same(row, known.at(place >>> 16).vectors(), place & 0xffff));
  }

  @GuardedBy("this")
  private void delete(RowImage before, long stamp) {
    int hash = keys.hash(before);
    int place = find(hash, before);
    if (place == KeyIndex.NONE) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, name + ": the log changes a row that is not in the index");
    }
    index.remove(hash, place);
    numbers.at(place >>> 16).delete(place & 0xffff, stamp);
  }

  @GuardedBy("this")
  private void insert(RowImage after, long stamp) {
    int hash = keys.hash(after);
    if (find(hash, after) != KeyIndex.NONE) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, name + ": the log inserts a row that is in the index");
    }
    StoredRows.Delta open = openChunk();
    index.put(hash, open.place(open.chunk().append(after, stamp)));
  }

  @GuardedBy("this")
  private StoredRows.Delta openChunk() {
    List<StoredRows> parts = version.parts();
    if (!parts.isEmpty()
        && parts.getLast() instanceof StoredRows.Delta last
        && !last.chunk().isFull()) {
      return last;
    }
    StoredRows.Delta fresh = new StoredRows.Delta(numbers.next(), new DeltaChunk(shape, budget));
    replace(List.of(), List.of(fresh));
    return fresh;
  }

  /** Row groups come first, the chunk that is written to last. */
  @GuardedBy("this")
  private void replace(List<? extends StoredRows> gone, List<? extends StoredRows> fresh) {
    List<StoredRows> parts = new ArrayList<>();
    List<StoredRows> chunks = new ArrayList<>();
    Set<StoredRows> without = new HashSet<>(gone);
    for (StoredRows part : version.parts()) {
      if (!without.contains(part)) {
        (part instanceof StoredRows.Base ? parts : chunks).add(part);
      }
    }
    for (StoredRows part : fresh) {
      (part instanceof StoredRows.Base ? parts : chunks).add(part);
      numbers.put(part);
    }
    parts.addAll(chunks);
    Version old = version;
    version = new Version(parts);
    for (StoredRows part : gone) {
      numbers.release(part.number());
    }
    old.letGo();
  }

  /** Makes it Failed, unless it is already: it must be built anew. */
  public synchronized void fail(String reason) {
    if (!(state instanceof PartitionState.Failed)) {
      state = new PartitionState.Failed(reason);
      replace(version.parts(), List.of());
      index.close();
    }
  }

  /** Frees everything that no scan holds. */
  @Override
  public void close() {
    fail(name + " was dropped");
  }

  /** How it is now. */
  public synchronized PartitionFigures figures() {
    long bytes = state instanceof PartitionState.Failed ? 0 : index.bytes();
    long deltaRows = 0;
    for (StoredRows part : version.parts()) {
      bytes += part.bytes();
      deltaRows += part instanceof StoredRows.Delta ? part.rows() : 0;
    }
    long rows = state instanceof PartitionState.Failed ? 0 : index.size();
    return new PartitionFigures(state, rows, deltaRows, bytes);
  }

  @GuardedBy("this")
  private AlraiException notReady() {
    String why =
        switch (state) {
          case PartitionState.Building building -> "is being built";
          case PartitionState.Ready ready -> "is loaded already";
          case PartitionState.Failed failed -> "is not usable: " + failed.reason();
        };
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, "the column index " + name + " " + why);
  }

  @Override
  public CompletableFuture<TableScan> scan(
      HlcTimestamp at, List<Integer> ordinals, ZoneFilter filter) {
    return whenReached(
        at,
        () -> {
          try (PartitionSnapshot snapshot = snapshot(at)) {
            return snapshot.scan(ordinals, filter);
          }
        },
        TableScan::close);
  }

  /**
   * Opens it as of a timestamp, on the terms of {@link #scan}: as soon as everything up to there
   * has arrived, with the same failures.
   */
  public CompletableFuture<PartitionSnapshot> openAt(HlcTimestamp at) {
    return whenReached(at, () -> snapshot(at), PartitionSnapshot::close);
  }

  private <T> CompletableFuture<T> whenReached(
      HlcTimestamp at, Supplier<T> opening, Consumer<T> unwanted) {
    CompletableFuture<T> result = new CompletableFuture<>();
    resolved
        .reached(at)
        .thenRun(() -> {
          try {
            T opened = opening.get();
            if (!result.complete(opened)) {
              unwanted.accept(opened);
            }
          } catch (AlraiException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private synchronized PartitionSnapshot snapshot(HlcTimestamp at) {
    if (!(state instanceof PartitionState.Ready)) {
      throw notReady();
    }
    if (at.value() < horizon) {
      throw new AlraiException(
          ErrorCode.ALRAI_SNAPSHOT_TOO_OLD,
          "the column index " + name + " has no versions of before " + new HlcTimestamp(horizon));
    }
    return new PartitionSnapshot(shape, version, at);
  }

  /**
   * Begins to rewrite what is worth it, if anything is and nobody else does already. The caller
   * runs it and then installs or abandons it.
   *
   * @param watermark below which no new reader is expected; at or below the resolved timestamp
   */
  public synchronized Optional<Rewrite> rewrite(HlcTimestamp watermark, RewriteRules rules) {
    long old = watermark.value();
    if (rewriting
        || !(state instanceof PartitionState.Ready)
        || watermark.compareTo(resolved.value()) > 0
        || old < horizon) {
      return Optional.empty();
    }
    List<StoredRows> worth = RewriteChoice.of(version.parts(), old, rules);
    if (worth.isEmpty()) {
      return Optional.empty();
    }
    rewriting = true;
    version.hold();
    return Optional.of(new Rewrite(this, version, worth, old));
  }

  /** The rewrite has ended, with or without a result. */
  synchronized void install(Rewrite rewrite, List<RowGroup> groups) {
    rewriting = false;
    if (!(state instanceof PartitionState.Ready)) {
      groups.forEach(RowGroup::close);
      return;
    }
    List<StoredRows.Base> fresh = new ArrayList<>();
    for (RowGroup group : groups) {
      fresh.add(new StoredRows.Base(numbers.next(), group));
    }
    rewrite.forEachDelete((group, row, stamp) -> fresh.get(group).delete(row, stamp));
    KeyIndex moved = index;
    rewrite.forEachMove(
        (hash, from, group, row) -> moved.move(hash, from, fresh.get(group).place(row)));
    horizon = Math.max(horizon, rewrite.watermark());
    replace(rewrite.sources(), fresh);
    for (StoredRows part : version.parts()) {
      if (part instanceof StoredRows.Base base) {
        base.fold(rewrite.watermark());
      }
    }
  }

  synchronized void abandon() {
    rewriting = false;
  }
}
