package io.alrai.dn.group;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/**
 * What a leader's group has committed of H in its term, and those who wait for more. {@link
 * #allows} and {@link #whenAllowed} from any thread, all else on the gate's loop.
 */
final class GroupReservation implements Reservation {
  private final Executor loop;
  private final LongConsumer more;

  /** The lowest clock first: a thousand of them must not be gone through for each entry. */
  private final Queue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::clock));

  private volatile long reserved;
  private volatile boolean asked;
  private boolean over;

  private record Waiting(long clock, Executor on, Runnable then) {}

  /**
   * Nothing is reserved.
   *
   * @param more asks for H at or above a clock
   */
  GroupReservation(Executor loop, LongConsumer more) {
    this.loop = loop;
    this.more = more;
  }

  @Override
  public boolean allows(long clock) {
    if (!asked) {
      asked = true;
    }
    return clock <= reserved;
  }

  @Override
  public void whenAllowed(long clock, Executor on, Runnable then) {
    if (allows(clock)) {
      on.execute(then);
    } else {
      loop.execute(() -> await(new Waiting(clock, on, then)));
    }
  }

  private void await(Waiting one) {
    if (over) {
      return;
    }
    if (one.clock <= reserved) {
      one.on.execute(one.then);
      return;
    }
    waiting.add(one);
    more.accept(one.clock);
  }

  /** The group has committed this H. */
  void committed(long h) {
    if (h <= reserved) {
      return;
    }
    reserved = h;
    Waiting first;
    while ((first = waiting.peek()) != null && first.clock <= h) {
      waiting.remove();
      first.on.execute(first.then);
    }
  }

  /** Whether somebody has asked since the last time. */
  boolean takeAsked() {
    boolean was = asked;
    asked = false;
    return was;
  }

  /** Nothing more is committed in this term: whoever waits has to give up by itself. */
  void end() {
    over = true;
    waiting.clear();
  }
}
