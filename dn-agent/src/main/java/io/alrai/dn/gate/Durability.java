package io.alrai.dn.gate;

import io.alrai.dn.binlog.BinlogPosition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Up to where commits are written where they must be, with the stamps that they have: what gets
 * another stamp after it was written is held back, with all after it, until the new one is written,
 * too.
 */
final class Durability {
  private record Late(long number, BinlogPosition before) {}

  private final Deque<Late> late = new ArrayDeque<>();
  private BinlogPosition through;
  private long numbers;

  Durability(BinlogPosition start) {
    this.through = start;
  }

  /** Whether that is further than before. */
  boolean reached(BinlogPosition now) {
    boolean further = now.compareTo(through) > 0;
    through = further ? now : through;
    return further;
  }

  /** Stamps that came late, in the order of their transactions. */
  Optional<Effect.WriteStamps> restamped(List<Effect.Stamped> stamps, StreamTail tail) {
    if (stamps.isEmpty()) {
      return Optional.empty();
    }
    late.add(new Late(++numbers, tail.before(stamps.getFirst().end())));
    return Optional.of(new Effect.WriteStamps(numbers, stamps));
  }

  void stampsWritten(long number) {
    late.removeIf(one -> one.number == number);
  }

  BinlogPosition limit() {
    if (late.isEmpty()) {
      return through;
    }
    BinlogPosition limit = through;
    for (Late one : late) {
      limit = one.before.compareTo(limit) < 0 ? one.before : limit;
    }
    return limit;
  }
}
