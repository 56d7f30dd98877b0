package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived and is not acknowledged, in binlog order.
 *
 * <pre>
 *      acknowledged        arrived, not acknowledged          (in the mysqld only)
 *  ... ------------| p1(5) | prepare | p2(7) | xa commit(?) |
 *                acked        cut at S=6: here ^ would leave p2 out
 * </pre>
 */
final class StreamTail {
  private static final class Pending {
    private final BinlogPosition end;

    /** What it is waiting to have a stamp for; null otherwise. */
    private final @Nullable TransactionId stampAwaited;

    /** ZERO for what changes no visible row; null while it is not known. */
    private @Nullable HlcTimestamp stamp;

    Pending(
        BinlogPosition end, @Nullable HlcTimestamp stamp, @Nullable TransactionId stampAwaited) {
      this.end = end;
      this.stamp = stamp;
      this.stampAwaited = stampAwaited;
    }
  }

  /** Where a snapshot's view could be cut now. */
  sealed interface CutPlace {
    /** Exactly what ends at or before this position is in the view. */
    record At(BinlogPosition position) implements CutPlace {}

    /** A stamp among them is not known yet. */
    record NotYet() implements CutPlace {}

    /** Something that must be in comes after something that must not. */
    record Nowhere() implements CutPlace {}
  }

  private final GateRules rules;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private BinlogPosition acked;
  private BinlogPosition last;

  StreamTail(BinlogPosition start, GateRules rules) {
    this.rules = rules;
    this.acked = start;
    this.last = start;
  }

  BinlogPosition acked() {
    return acked;
  }

  /**
   * A transaction arrived.
   *
   * @throws IllegalArgumentException when it is not behind the last one
   */
  void add(BinlogPosition end, HlcTimestamp stamp) {
    follow(end);
    pending.add(new Pending(end, stamp, null));
  }

  /** An XA COMMIT arrived whose timestamp is not known. */
  void addUnstamped(BinlogPosition end, TransactionId id) {
    follow(end);
    pending.add(new Pending(end, null, id));
  }

  private void follow(BinlogPosition end) {
    if (end.compareTo(last) <= 0) {
      throw new IllegalArgumentException(end + " does not follow " + last);
    }
    last = end;
  }

  /** Where the XA COMMIT that waits for its timestamp ends; it has it now. */
  Optional<BinlogPosition> stamp(TransactionId id, HlcTimestamp stamp) {
    for (Pending p : pending) {
      if (p.stamp == null && id.equals(p.stampAwaited)) {
        p.stamp = stamp;
        return Optional.of(p.end);
      }
    }
    return Optional.empty();
  }

  /** The longest beginning that is at or below the snapshot, if nothing behind it is. */
  CutPlace cutFor(HlcTimestamp snapshot) {
    BinlogPosition cut = acked;
    boolean beyond = false;
    for (Pending p : pending) {
      HlcTimestamp stamp = p.stamp;
      if (stamp == null) {
        return new CutPlace.NotYet();
      }
      if (!rules.isIn(stamp, snapshot)) {
        beyond = true;
      } else if (!beyond) {
        cut = p.end;
      } else if (stamp.value() != 0) {
        return new CutPlace.Nowhere();
      }
    }
    return new CutPlace.At(cut);
  }

  /**
   * Acknowledges as far as it goes.
   *
   * @param limit not beyond this
   * @param fence is told the stamps
   * @return whether something was acknowledged
   */
  boolean acknowledge(BinlogPosition limit, Fence fence) {
    boolean any = false;
    Pending first;
    while ((first = pending.peek()) != null && first.end.compareTo(limit) <= 0) {
      HlcTimestamp stamp = first.stamp;
      if (stamp == null) {
        break;
      }
      pending.remove();
      acked = first.end;
      fence.acknowledged(stamp);
      any = true;
    }
    return any;
  }
}
