package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
 *
 * <p>mysqld makes a commit group visible as one, when its last transaction is acknowledged, so a
 * cut is at the end of a group. Every last transaction is marked, and now and then one in the
 * middle: then a cut turns out to be none, see {@link Gate#cutStuck}.
 */
final class StreamTail {
  private static final class Pending {
    private final BinlogPosition end;
    private final boolean mayEndGroup;

    /** The transaction whose stamp is awaited; null if it has one. */
    private final @Nullable TransactionId stampAwaited;

    /** ZERO for what changes no visible row; null while it is not known. */
    private @Nullable HlcTimestamp stamp;

    /** The largest stamp that it depends on; null if its own was not given here. */
    private final @Nullable HlcTimestamp dependency;

    Pending(
        BinlogPosition end,
        boolean mayEndGroup,
        @Nullable HlcTimestamp stamp,
        @Nullable HlcTimestamp dependency,
        @Nullable TransactionId stampAwaited) {
      this.end = end;
      this.mayEndGroup = mayEndGroup;
      this.stamp = stamp;
      this.dependency = dependency;
      this.stampAwaited = stampAwaited;
    }
  }

  /** Where a snapshot's view could be cut now. */
  sealed interface CutPlace {
    /** Exactly what ends at or before this position is in the view. */
    record At(BinlogPosition position) implements CutPlace {}

    /** A stamp among them is not known yet, or the rest of a commit group is to come. */
    record NotYet() implements CutPlace {}

    /** Something that belongs into the view comes after something that does not. */
    record Nowhere() implements CutPlace {}
  }

  private final GateRules rules;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private BinlogPosition acked;
  private boolean ackedMayEndGroup = true;
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
   * A transaction arrived whose stamp is fixed.
   *
   * @throws IllegalArgumentException when it does not end after the last one
   */
  void add(BinlogPosition end, boolean mayEndGroup, HlcTimestamp stamp) {
    follow(end);
    pending.add(new Pending(end, mayEndGroup, stamp, null, null));
  }

  /** A commit arrived that is stamped here. */
  void addStamped(
      BinlogPosition end, boolean mayEndGroup, HlcTimestamp stamp, HlcTimestamp dependency) {
    follow(end);
    pending.add(new Pending(end, mayEndGroup, stamp, dependency, null));
  }

  /** An XA COMMIT arrived whose timestamp is not known. */
  void addUnstamped(BinlogPosition end, boolean mayEndGroup, TransactionId id) {
    follow(end);
    pending.add(new Pending(end, mayEndGroup, null, null, id));
  }

  private void follow(BinlogPosition end) {
    if (end.compareTo(last) <= 0) {
      throw new IllegalArgumentException(end + " does not follow " + last);
    }
    last = end;
  }

  /** Gives a waiting XA COMMIT its timestamp; returns where it ends. */
  Optional<BinlogPosition> stamp(TransactionId id, HlcTimestamp stamp) {
    for (Pending p : pending) {
      if (p.stamp == null && id.equals(p.stampAwaited)) {
        p.stamp = stamp;
        return Optional.of(p.end);
      }
    }
    return Optional.empty();
  }

  /**
   * The end of a commit group such that everything before it is stamped at or below the snapshot,
   * and nothing after it is.
   */
  CutPlace cutFor(HlcTimestamp snapshot) {
    BinlogPosition cut = acked;
    boolean whole = ackedMayEndGroup;
    boolean beyond = false;
    for (Pending p : pending) {
      HlcTimestamp stamp = p.stamp;
      if (stamp == null) {
        return new CutPlace.NotYet();
      }
      boolean shown = stamp.value() != 0;
      if (!rules.isIn(stamp, snapshot)) {
        beyond = true;
      } else if (beyond && shown) {
        return new CutPlace.Nowhere();
      } else if (!beyond && p.mayEndGroup) {
        cut = p.end;
        whole = true;
      } else if (!beyond && shown) {
        whole = false;
      }
    }
    if (whole) {
      return new CutPlace.At(cut);
    }
    return beyond ? new CutPlace.Nowhere() : new CutPlace.NotYet();
  }

  /** What is acknowledged last did not end its commit group after all. */
  void groupGoesOn() {
    ackedMayEndGroup = false;
  }

  /**
   * Everything up to that position is visible: if nothing more is acknowledged, a group ended
   * there.
   */
  void visible(BinlogPosition through) {
    if (through.compareTo(acked) >= 0) {
      ackedMayEndGroup = true;
    }
  }

  /** Where what precedes a transaction ends, of what has arrived. */
  BinlogPosition before(BinlogPosition end) {
    BinlogPosition before = acked;
    for (Pending p : pending) {
      if (p.end.equals(end)) {
        break;
      }
      before = p.end;
    }
    return before;
  }

  /** Lowers the stamps that were given here to a snapshot, unless they depend on more. */
  List<Effect.Stamped> restamp(HlcTimestamp snapshot) {
    List<Effect.Stamped> lowered = new ArrayList<>();
    for (Pending p : pending) {
      if (p.dependency != null
          && p.dependency.compareTo(snapshot) <= 0
          && p.stamp != null
          && p.stamp.compareTo(snapshot) > 0) {
        p.stamp = snapshot;
        lowered.add(new Effect.Stamped(p.end, snapshot));
      }
    }
    return lowered;
  }

  /**
   * Acknowledges as far as possible.
   *
   * @param limit not beyond this
   * @param fence receives the stamps
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
      ackedMayEndGroup = first.mayEndGroup;
      fence.acknowledged(stamp);
      any = true;
    }
    return any;
  }
}
