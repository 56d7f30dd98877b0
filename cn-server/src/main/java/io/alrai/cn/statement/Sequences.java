package io.alrai.cn.statement;

import io.alrai.cn.route.Router.SequenceLevels;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Ranges of ids that this CN has reserved from the GMS' sequences. Ids of one statement follow each
 * other. Thread-safe; what may ask the GMS blocks.
 */
public final class Sequences implements SequenceLevels {
  private static final long FIRST_RANGE = 1_000;
  private static final long LARGEST_RANGE = 1 << 17;
  private static final long BUSY_NANOS = 1_000_000_000L;

  private final GmsService gms;
  private final LongSupplier nanoTime;
  private final Map<String, Range> ranges = new ConcurrentHashMap<>();

  /** Ids from the GMS. */
  public Sequences(GmsService gms, LongSupplier nanoTime) {
    this.gms = gms;
    this.nanoTime = nanoTime;
  }

  /** What is left of a reserved range; guarded by itself. */
  private static final class Range {
    private long next = 1;
    private long last;
    private long size = FIRST_RANGE;
    private long reservedAt;

    /** Read without the lock: ids below are never given again. */
    private volatile long above;

    /** 0 when nothing is left. */
    private synchronized long next() {
      return next > last ? 0 : next;
    }
  }

  @Override
  public boolean isAbove(String sequence, long id) {
    Range range = ranges.get(sequence);
    return range != null && range.above > id;
  }

  /** The first of {@code count} ids in a row. */
  public long take(String sequence, long count) {
    Range range = range(sequence);
    synchronized (range) {
      if (range.last - range.next + 1 < count) {
        reserve(sequence, range, count);
      }
      long first = range.next;
      range.next += count;
      range.above = range.next;
      return first;
    }
  }

  /**
   * The ids that statements of this CN get next, without taking any; where it has none left, as if
   * nobody else took some.
   */
  public Map<String, Long> next(Collection<String> sequences) {
    Map<String, Long> next = new HashMap<>();
    List<String> elsewhere = new ArrayList<>();
    for (String sequence : sequences) {
      Range range = ranges.get(sequence);
      long id = range == null ? 0 : range.next();
      if (id > 0) {
        next.put(sequence, id);
      } else {
        elsewhere.add(sequence);
      }
    }
    if (!elsewhere.isEmpty()) {
      Map<String, Long> last = gms.lastNumbers(elsewhere);
      elsewhere.forEach(sequence -> next.put(sequence, last.getOrDefault(sequence, 0L) + 1));
    }
    return next;
  }

  /** Makes the sequence give only ids above one that a client gave. */
  public void passOver(String sequence, long id) {
    if (isAbove(sequence, id)) {
      return;
    }
    Range range = range(sequence);
    synchronized (range) {
      if (range.next > range.last) {
        reserve(sequence, range, 1);
      }
      if (id >= range.next) {
        if (id > range.last) {
          gms.raise(sequence, id);
          range.last = id;
        }
        range.next = id + 1;
      }
      range.above = Math.max(range.above, range.next);
    }
  }

  private Range range(String sequence) {
    return ranges.computeIfAbsent(sequence, name -> new Range());
  }

  private void reserve(String sequence, Range range, long count) {
    long now = nanoTime.getAsLong();
    if (range.last > 0) {
      boolean busy = now - range.reservedAt < BUSY_NANOS;
      range.size = busy ? Math.min(range.size * 2, LARGEST_RANGE) : FIRST_RANGE;
    }
    SequenceRange reserved = gms.reserve(sequence, Math.max(range.size, count));
    if (range.last + 1 != reserved.first() || range.next > range.last) {
      range.next = reserved.first();
    }
    range.last = reserved.last();
    range.reservedAt = now;
    range.above = range.next;
  }
}
