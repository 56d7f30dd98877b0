package io.alrai.dn.group;

import java.util.concurrent.Executor;

/**
 * Up to which time a leader may speak: the largest H that its group has committed in its term, and
 * that was not given back. Any thread.
 */
public interface Reservation {
  /** For a DN with one replica: nobody else can lead. */
  Reservation NONE =
      new Reservation() {
        @Override
        public boolean allows(long clock) {
          return true;
        }

        @Override
        public void whenAllowed(long clock, Executor on, Runnable then) {
          on.execute(then);
        }
      };

  /**
   * Whether a message that carries this clock may go. No lock, no allocation.
   *
   * @param clock 64 bits of a timestamp
   */
  boolean allows(long clock);

  /**
   * Runs an action as soon as the clock is allowed, which it may be already. Never, where this
   * leader's term has ended before: a bound is the caller's affair.
   */
  void whenAllowed(long clock, Executor on, Runnable then);
}
