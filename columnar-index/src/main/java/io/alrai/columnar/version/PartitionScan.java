package io.alrai.columnar.version;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Cursor;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.Zone;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.scan.ZoneMap;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** One scan of a partition. Its cursors take the parts one after the other. Thread-safe. */
final class PartitionScan implements TableScan {
  /** A part as it was when the scan began. */
  private record Seen(StoredRows part, int rows, StoredRows.Sight sight) implements ZoneMap {
    @Override
    public Zone zone(int ordinal) {
      return part instanceof StoredRows.Base base ? base.group().zone(ordinal) : new Zone.Unknown();
    }
  }

  private final Version version;
  private final HlcTimestamp at;
  private final List<Integer> ordinals;
  private final ZoneFilter filter;
  private final List<Seen> parts = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Under the partition's lock. */
  PartitionScan(Version version, HlcTimestamp at, List<Integer> ordinals, ZoneFilter filter) {
    this.version = version;
    this.at = at;
    this.ordinals = List.copyOf(ordinals);
    this.filter = filter;
    version.hold();
    for (StoredRows part : version.parts()) {
      int rows = part.rows();
      if (rows > 0) {
        parts.add(new Seen(part, rows, part.sight(rows)));
      }
    }
  }

  @Override
  public HlcTimestamp at() {
    return at;
  }

  @Override
  public long rowsAtMost() {
    return parts.stream().mapToLong(Seen::rows).sum();
  }

  @Override
  public Cursor cursor() {
    return this::nextBatch;
  }

  private Optional<ColumnBatch> nextBatch() {
    while (true) {
      if (closed.get()) {
        throw new IllegalStateException("the scan at " + at + " is closed");
      }
      int turn = next.getAndIncrement();
      if (turn >= parts.size()) {
        next.set(parts.size());
        return Optional.empty();
      }
      Seen part = parts.get(turn);
      if (filter.mayMatch(part)) {
        Optional<int[]> selection = part.sight().at(at.value());
        if (selection.isEmpty() || selection.get().length > 0) {
          List<ColumnVector> all = part.part().vectors();
          List<ColumnVector> wanted = ordinals.stream().map(all::get).toList();
          return Optional.of(new ColumnBatch(part.rows(), wanted, selection));
        }
      }
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      version.letGo();
    }
  }
}
