package io.alrai.dn.xa;

import io.alrai.common.id.TransactionId;
import io.alrai.dn.link.CommitParticipant.Outcome;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that may not be decided any more, because a tombstone of this agent is written
 * or on its way. If a client's XA PREPARE comes first, its row is there, no tombstone can be
 * written, and the client decides. Thread-safe.
 */
final class Condemned {
  /**
   * What is known of the tombstones of a transaction.
   *
   * @param atWork how many tombstones are on their way
   * @param written whether one is there
   * @param lostIn the mysqld's life in which one with an unknown end may still be on its way
   */
  private record State(long sinceNanos, int atWork, boolean written, @Nullable Object lostIn) {}

  private final Map<TransactionId, State> states = new ConcurrentHashMap<>();
  private final Supplier<@Nullable Object> life;
  private final LongSupplier nanos;

  /**
   * Begins without transactions.
   *
   * @param life names the present life of the mysqld; null between two of them
   */
  Condemned(Supplier<@Nullable Object> life, LongSupplier nanos) {
    this.life = life;
    this.nanos = nanos;
  }

  boolean contains(TransactionId id) {
    return states.containsKey(id);
  }

  /** A tombstone is about to be written. */
  void begins(TransactionId id) {
    states.merge(
        id,
        new State(nanos.getAsLong(), 1, false, null),
        (was, begun) -> new State(begun.sinceNanos, was.atWork + 1, was.written, was.lostIn));
  }

  /** The tombstone is there, or another final outcome; or, in doubt, a client's row came first. */
  void ended(TransactionId id, Outcome outcome) {
    boolean written = !(outcome instanceof Outcome.InDoubt);
    states.computeIfPresent(
        id,
        (key, was) ->
            orFree(new State(was.sinceNanos, was.atWork - 1, was.written || written, was.lostIn)));
  }

  /** It is not known whether the tombstone is there, or will be. */
  void lost(TransactionId id) {
    Object in = life.get();
    states.computeIfPresent(
        id,
        (key, was) ->
            new State(was.sinceNanos, was.atWork - 1, was.written, in == null ? was.lostIn : in));
  }

  /** A client's row has been found where the tombstone would be. */
  void isClients(TransactionId id) {
    states.computeIfPresent(
        id, (key, was) -> orFree(new State(was.sinceNanos, was.atWork, false, was.lostIn)));
  }

  private @Nullable State orFree(State state) {
    boolean mayCome =
        state.atWork > 0 || state.lostIn != null && Objects.equals(state.lostIn, life.get());
    return mayCome || state.written ? state : null;
  }

  /** Forgets old ones, whose tombstones are deleted, too. */
  void removeOlderThan(long ageNanos) {
    long now = nanos.getAsLong();
    states.values().removeIf(one -> one.atWork == 0 && now - one.sinceNanos > ageNanos);
  }
}
