package io.alrai.columnar.version;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Cursor;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** One scan of a partition. Its cursors take the parts one after the other. Thread-safe. */
final class PartitionScan implements TableScan {
  private final Version version;
  private final HlcTimestamp at;
  private final List<Integer> ordinals;
  private final ZoneFilter filter;
  private final List<SeenPart> parts;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The scan itself until it is closed, and its uses. */
  private final AtomicInteger holders = new AtomicInteger(1);

  /** A scan of a version that the caller holds; the scan holds it, too, from now on. */
  PartitionScan(
      Version version,
      List<SeenPart> parts,
      HlcTimestamp at,
      List<Integer> ordinals,
      ZoneFilter filter) {
    this.version = version;
    this.parts = List.copyOf(parts);
    this.at = at;
    this.ordinals = List.copyOf(ordinals);
    this.filter = filter;
    version.hold();
  }

  @Override
  public HlcTimestamp at() {
    return at;
  }

  @Override
  public long rowsAtMost() {
    return parts.stream().mapToLong(SeenPart::rows).sum();
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
      SeenPart part = parts.get(turn);
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
  public Use use() {
    int now = holders.get();
    while (!closed.get() && now > 0) {
      if (holders.compareAndSet(now, now + 1)) {
        AtomicBoolean ended = new AtomicBoolean();
        return () -> {
          if (ended.compareAndSet(false, true)) {
            letGo();
          }
        };
      }
      now = holders.get();
    }
    throw new IllegalStateException("the scan at " + at + " is closed");
  }

  private void letGo() {
    if (holders.decrementAndGet() == 0) {
      version.letGo();
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      letGo();
    }
  }
}
