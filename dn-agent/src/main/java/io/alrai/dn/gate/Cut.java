package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.gate.Effect.Snapshot;
import io.alrai.dn.gate.StreamTail.CutPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The cut whose views are being opened; there is at most one at a time.
 *
 * <pre>
 *        make            all before it acknowledged            opened
 *  none -----> HELD ------------------------------> OPENING --------> none
 *                                                      | given up
 *                                                      +------------> none
 * </pre>
 */
final class Cut {
  private record Held(
      long number,
      BinlogPosition at,
      List<Snapshot> snapshots,
      HlcTimestamp cutThroughBefore,
      boolean opening) {}

  private final GateRules rules;
  private Optional<Held> held = Optional.empty();
  private long made;

  Cut(GateRules rules) {
    this.rules = rules;
  }

  /**
   * Makes the cut of the lowest waiting snapshot if it is ready, and of the next ones that have
   * their cut at the same position. Removes them from those that wait.
   *
   * @param settled whether everything that belongs into a snapshot has arrived, and nothing else
   *     can come into it
   * @return those for which no cut is possible; they are removed, too
   */
  List<Snapshot> make(
      WaitingOpens waiting, StreamTail tail, Fence fence, Predicate<HlcTimestamp> settled) {
    if (held.isPresent()) {
      return List.of();
    }
    List<Snapshot> impossible = new ArrayList<>();
    List<Snapshot> served = new ArrayList<>();
    Optional<BinlogPosition> place = Optional.empty();
    for (Snapshot snapshot : waiting.inOrder()) {
      if (!rules.mayCut(settled.test(snapshot.at()))) {
        break;
      }
      CutPlace found = tail.cutFor(snapshot.at());
      if (found instanceof CutPlace.Nowhere) {
        impossible.add(snapshot);
      } else if (found instanceof CutPlace.At at
          && at.position().equals(place.orElse(at.position()))) {
        place = Optional.of(at.position());
        served.add(snapshot);
      } else {
        break;
      }
    }
    waiting.removeAll(impossible);
    if (place.isPresent()) {
      waiting.removeAll(served);
      HlcTimestamp before = fence.cutThrough();
      fence.cut(served.getLast().at());
      held = Optional.of(new Held(++made, place.get(), served, before, false));
    }
    return impossible;
  }

  /** Up to where commits may be acknowledged, of those that are durable. */
  BinlogPosition limit(BinlogPosition durable) {
    if (held.isEmpty() || !rules.holdsAcks()) {
      return durable;
    }
    BinlogPosition at = held.get().at;
    return at.compareTo(durable) < 0 ? at : durable;
  }

  /** HELD to OPENING, if all before the cut is acknowledged. */
  Optional<Effect.OpenViews> beginOpening(BinlogPosition acked) {
    if (held.isEmpty() || held.get().opening || acked.compareTo(held.get().at) < 0) {
      return Optional.empty();
    }
    Held now = held.get();
    held = Optional.of(new Held(now.number, now.at, now.snapshots, now.cutThroughBefore, true));
    return Optional.of(new Effect.OpenViews(now.number, now.at, now.snapshots));
  }

  /**
   * The views of a cut are open.
   *
   * @return its snapshots; none for a number that is not the present one's
   */
  List<Snapshot> opened(long number) {
    if (held.isEmpty() || held.get().number != number) {
      return List.of();
    }
    List<Snapshot> snapshots = held.get().snapshots;
    held = Optional.empty();
    return snapshots;
  }

  /**
   * What is before the cut does not become visible: it is in the middle of a commit group.
   *
   * @return its snapshots, to wait again; none for a number that is not the present one's
   */
  List<Snapshot> giveUp(long number, Fence fence) {
    if (held.isEmpty() || held.get().number != number) {
      return List.of();
    }
    fence.uncut(held.get().cutThroughBefore);
    return opened(number);
  }
}
