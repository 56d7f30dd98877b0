package io.alrai.cn.forward;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a forwarded statement is. Its branch is given back as its state says.
 *
 * <pre>
 *   IDLE -> TAKING ---> OWN, VIEW, SHARED, SHARED_AT_SNAPSHOT, KEPT, KEPT_AT_SNAPSHOT
 *             |  ^         |                      |
 *             |  +---------+ sent again           | answered
 *             |                                   v
 *             +------- refused -------------> ENDING -> IDLE
 *
 *   all of them -> IDLE where its client is gone, or it is planned anew
 * </pre>
 */
public enum ForwardState {
  /** There is no statement. */
  IDLE,
  /** It waits for a branch, or for a view. */
  TAKING,
  /** It runs on a branch that is its own, over current rows. */
  OWN,
  /** It runs on a branch that is its own, at a snapshot. */
  VIEW,
  /** It runs on its transaction's branch, over current rows. */
  SHARED,
  /** It runs on its transaction's branch, at the transaction's snapshot. */
  SHARED_AT_SNAPSHOT,
  /** A kept reply of current rows answers it. */
  KEPT,
  /** A kept reply of the transaction's snapshot answers it. */
  KEPT_AT_SNAPSHOT,
  /** It has no branch any more; its end is awaited. */
  ENDING;

  private static final Logger log = LoggerFactory.getLogger(ForwardState.class);

  /** Whether a branch that is its own runs it. */
  public boolean ownBranch() {
    return this == OWN || this == VIEW;
  }

  /** Whether its transaction answers it. */
  public boolean inTransaction() {
    return this == SHARED || this == SHARED_AT_SNAPSHOT || this == KEPT_AT_SNAPSHOT;
  }

  /** Whether it sees what a snapshot shows, which is known. */
  public boolean atSnapshot() {
    return this == VIEW || this == SHARED_AT_SNAPSHOT || this == KEPT_AT_SNAPSHOT;
  }

  /** Whether {@code next} may follow. */
  boolean mayBecome(ForwardState next) {
    return switch (this) {
      case IDLE -> next == TAKING;
      case TAKING -> next != TAKING;
      case OWN, VIEW -> next == TAKING || next == ENDING || next == IDLE;
      case SHARED, SHARED_AT_SNAPSHOT, KEPT, KEPT_AT_SNAPSHOT -> next == ENDING || next == IDLE;
      case ENDING -> next == IDLE;
    };
  }

  /**
   * The next state.
   *
   * @throws IllegalStateException when it cannot follow
   */
  public ForwardState advance(ForwardState next, String reason) {
    if (!mayBecome(next)) {
      throw new IllegalStateException(
          "a forward: " + this + " cannot become " + next + " (" + reason + ")");
    }
    if (log.isTraceEnabled()) {
      log.trace("a forward: {} -> {} ({})", this, next, reason);
    }
    return next;
  }
}
