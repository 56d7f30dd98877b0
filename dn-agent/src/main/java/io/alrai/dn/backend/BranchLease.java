package io.alrai.dn.backend;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who has a branch: its home, or one holder. Event loop only; a step takes no lock and allocates
 * nothing.
 *
 * <pre>
 *   HOME &lt;------------------+----------+
 *    | lent                 |          |
 *    v        given back    |          | nobody holds it up
 *   LENT -------------------+----> LEAVING
 *    |^                              ^
 *    v| prepared, ended              | ended
 *   KEPT --------- given back ---> LEAVING_KEPT
 *
 *   all of them -> CLOSED
 * </pre>
 */
final class BranchLease {
  private static final Logger log = LoggerFactory.getLogger(BranchLease.class);

  /** Where it is. */
  enum State {
    /** Whoever asks next gets it. */
    HOME,
    /** Somebody sends on it. */
    LENT,
    /** Lent, and what is prepared on it is ended there and nowhere else. */
    KEPT,
    /** Given back by its holder while others hold it up. */
    LEAVING,
    /** Given back with something prepared on it. */
    LEAVING_KEPT,
    /** It serves nobody any more. */
    CLOSED;

    /** Whether {@code next} may follow. */
    boolean mayBecome(State next) {
      return switch (this) {
        case HOME -> next == LENT || next == CLOSED;
        case LENT -> next == HOME || next == KEPT || next == LEAVING || next == CLOSED;
        case KEPT -> next == LENT || next == LEAVING_KEPT || next == CLOSED;
        case LEAVING -> next == HOME || next == CLOSED;
        case LEAVING_KEPT -> next == LEAVING || next == CLOSED;
        case CLOSED -> false;
      };
    }
  }

  private final long serverConnectionId;
  private State state = State.LENT;
  private int holds;

  /**
   * Lent to whoever opened it.
   *
   * @param serverConnectionId names it in the log
   */
  BranchLease(long serverConnectionId) {
    this.serverConnectionId = serverConnectionId;
  }

  State state() {
    return state;
  }

  boolean closed() {
    return state == State.CLOSED;
  }

  /** Something passes over it: nothing of others may come between. */
  void hold() {
    holds++;
  }

  /** The end of one {@link #hold}. */
  void resume() {
    holds--;
  }

  boolean held() {
    return holds > 0;
  }

  /**
   * Its holder is done with it.
   *
   * @param busy whether a reply is due, so that it cannot serve anybody else
   * @return whether it leaves at once; else {@link #leaves} says so later
   */
  boolean giveBack(boolean busy) {
    if (!busy && (state == State.KEPT || state == State.LEAVING_KEPT)) {
      advance(State.LEAVING_KEPT, "given back");
      return false;
    }
    if (!busy && held() && !closed()) {
      advance(State.LEAVING, "given back");
      return false;
    }
    return true;
  }

  /** Whether it was given back, and nothing holds it up any more. */
  boolean leaves() {
    return state == State.LEAVING && !held();
  }

  /** Something is prepared on it. */
  void keep() {
    if (!closed() && state != State.KEPT) {
      advance(State.KEPT, "prepared");
    }
  }

  /** What was prepared on it is ended. */
  void letGo() {
    if (state == State.KEPT) {
      advance(State.LENT, "ended what was prepared");
    } else if (state == State.LEAVING_KEPT) {
      advance(State.LEAVING, "ended what was prepared");
    }
  }

  /** Its home has it, or nobody where it is closed. */
  void home(String reason) {
    if (!closed()) {
      advance(State.HOME, reason);
    }
  }

  void lend() {
    advance(State.LENT, "taken");
  }

  void close(String reason) {
    if (!closed()) {
      advance(State.CLOSED, reason);
    }
  }

  /**
   * The next state.
   *
   * @throws IllegalStateException when it cannot follow, as for a branch that is given back twice;
   *     nothing is changed then
   */
  void advance(State next, String reason) {
    if (!state.mayBecome(next)) {
      throw new IllegalStateException(
          "connection "
              + serverConnectionId
              + ": "
              + state
              + " cannot become "
              + next
              + " ("
              + reason
              + ")");
    }
    if (log.isTraceEnabled()) {
      log.trace("connection {}: {} -> {} ({})", serverConnectionId, state, next, reason);
    }
    state = next;
  }
}
