package io.alrai.cn.branch;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far a call's reply has come, and whether anybody wants it. The reply advances on the event
 * loop, and comes to its end under the call's lock; the wish is guarded by that lock. Steps
 * allocate nothing.
 *
 * <pre>
 *   AWAITED ---> ARRIVING ---> IN_ERROR       WANTED ---> DISCARDED ---> ABANDONED
 *      |  \          |  \          |
 *      |   \         v   \         v
 *      |    +--> SUCCEEDED \---> FAILED
 *      +---------------------------^
 * </pre>
 */
final class CallState {
  private static final Logger log = LoggerFactory.getLogger(CallState.class);

  /** How far a reply has come. */
  enum Arrival {
    /** Nothing of it has come: the statement may be sent again. */
    AWAITED,
    /** It has begun. */
    ARRIVING,
    /** Its last packet was an error. */
    IN_ERROR,
    /** All of it is there, without an error. */
    SUCCEEDED,
    /** It ended with an error, or was lost. */
    FAILED;

    /** Whether nothing more comes. */
    boolean over() {
      return this == SUCCEEDED || this == FAILED;
    }

    /** Whether {@code next} may follow. */
    boolean mayBecome(Arrival next) {
      return switch (this) {
        case AWAITED -> next != AWAITED;
        case ARRIVING -> next == IN_ERROR || next == SUCCEEDED || next == FAILED;
        case IN_ERROR -> next == FAILED;
        case SUCCEEDED, FAILED -> false;
      };
    }
  }

  /** What its reader wants. */
  enum Wish {
    /** It will be read. */
    WANTED,
    /** What is still to come is thrown away. */
    DISCARDED,
    /** Its reader has left for good: it must not be sent any more. */
    ABANDONED;

    /** Whether {@code next} may follow. */
    boolean mayBecome(Wish next) {
      return next.ordinal() >= ordinal();
    }
  }

  private Arrival arrival = Arrival.AWAITED;
  private Wish wish = Wish.WANTED;

  Arrival arrival() {
    return arrival;
  }

  Wish wish() {
    return wish;
  }

  /** Whether nothing more comes. */
  boolean over() {
    return arrival.over();
  }

  /**
   * The reply has come further.
   *
   * @throws IllegalStateException when that cannot follow; nothing is changed then
   */
  void advance(Arrival next, String reason) {
    step(arrival, next, arrival.mayBecome(next), reason);
    arrival = next;
  }

  /**
   * The reader wants less of it.
   *
   * @throws IllegalStateException when that cannot follow; nothing is changed then
   */
  void advance(Wish next, String reason) {
    step(wish, next, wish.mayBecome(next), reason);
    wish = next;
  }

  private static void step(Enum<?> before, Enum<?> next, boolean legal, String reason) {
    if (!legal) {
      throw new IllegalStateException(
          "a call: " + before + " cannot become " + next + " (" + reason + ")");
    }
    if (log.isTraceEnabled()) {
      log.trace("a call: {} -> {} ({})", before, next, reason);
    }
  }
}
