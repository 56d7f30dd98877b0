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

  /** How often it was given back; what was sent before the last time counts no more. */
  private int givenBack;

  private boolean rests;

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
    if (!rests) {
      more.accept(one.clock);
    }
  }

  /** How often it was given back: for {@link #committed}. */
  int givenBack() {
    return givenBack;
  }

  /**
   * The group has committed this H.
   *
   * @param givenBack as it was when its entry was sent
   */
  void committed(long h, int givenBack) {
    if (h <= reserved || givenBack != this.givenBack) {
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

  /**
   * Nothing that was asked for before counts any more, and nobody asks until {@link #goOn}; an
   * entry that goes anyway still counts. Whoever was allowed to speak has a clock that is not above
   * this leader's now.
   */
  void giveBack() {
    givenBack++;
    rests = true;
    reserved = 0;
  }

  /** Whether it was given back since {@link #goOn} last. */
  boolean rests() {
    return rests;
  }

  /** Asks again for those who wait. */
  void goOn() {
    if (rests) {
      rests = false;
      waiting.stream().mapToLong(Waiting::clock).max().ifPresent(more);
    }
  }

  /** Nothing more is committed in this term: whoever waits has to give up by itself. */
  void end() {
    over = true;
    waiting.clear();
  }
}
