package io.alrai.gms.member;

import io.alrai.gms.api.node.GmsPeer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Which of the nodes that a DROP would leave live: those that have answered their leader since this
 * was asked for the first time. One that has just died may have answered before; with its vote the
 * change would not end. A leader that follows another one is looked at anew. For one thread.
 */
final class Survivors {
  /** A node that has not answered its leader for so long does not count as one that lives. */
  static final Duration ALIVE = Duration.ofMillis(1_500);

  private final LongSupplier nanoTime;
  private long term = -1;
  private long beginNanos;

  /**
   * Nobody is looked at yet.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  Survivors(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * The names of those that live; empty while one may that has not answered yet.
   *
   * @param leader what it says now
   * @param left who would be left
   * @param askedNanos when the leader was asked
   */
  Optional<List<String>> living(SeenNode leader, List<GmsPeer> left, long askedNanos) {
    SeenNode.Lead lead = leader.lead().orElseThrow();
    if (lead.members().term() != term) {
      term = lead.members().term();
      beginNanos = nanoTime.getAsLong();
    }
    Duration since = Duration.ofNanos(askedNanos - beginNanos);
    boolean over = since.compareTo(ALIVE) >= 0;
    Duration within = over ? ALIVE : since;
    List<String> living =
        left.stream()
            .map(peer -> peer.id().name())
            .filter(name ->
                name.equals(leader.name())
                    || lead.silences().getOrDefault(name, ALIVE).compareTo(within) < 0)
            .toList();
    return over || living.size() == left.size() ? Optional.of(living) : Optional.empty();
  }
}
