package io.alrai.cn.turn;

import io.alrai.common.error.AlraiException;

/** Places for statements, and those who wait for one. Nobody is called while it is locked. */
public interface PlaceQueue {
  /** Somebody who waits. */
  interface Waiter {
    /**
     * May begin. Any thread.
     *
     * @param hasPlace whether it has one, to be given back; not where the queue is gone
     */
    void goesOn(boolean hasPlace);
  }

  /** What becomes of a statement. */
  enum Answer {
    /** It has a place. */
    RUNS,
    /** It will be called. */
    WAITS,
    /** There is no room in the queue either. */
    REFUSED,
    /** It needs no place. */
    FREE
  }

  /** Somebody who is in no queue asks for a place. */
  Answer enter(Waiter waiter);

  /**
   * Gives a place back: somebody who waits gets it.
   *
   * @param holder who had it
   */
  void leave(Waiter holder);

  /**
   * Gives up waiting. A waiter that has been called meanwhile has a place all the same.
   *
   * @param tooLong whether it has waited for as long as it may
   */
  void withdraw(Waiter waiter, boolean tooLong);

  /** How long somebody who queues now may wait, in milliseconds. */
  long waitMillis();

  /** What SHOW PROCESSLIST says of those who wait. */
  String state();

  /**
   * The error for a statement that gets no place.
   *
   * @param waitedMillis negative for one that has not waited
   */
  AlraiException refusal(long waitedMillis);
}
