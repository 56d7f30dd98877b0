package io.alrai.dn.gate;

import java.util.PriorityQueue;
import java.util.Random;

/** Simulated time, chance and messages: everything that happens follows from the seed. */
public final class World {
  private record Event(long at, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int times = Long.compare(at, other.at);
      return times != 0 ? times : Long.compare(number, other.number);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long number;
  private final double slow;
  private final boolean far;
  public final Random random;

  /** How often a clock cannot write its mark, in the middle of what its gate does. */
  public double failures;

  /** Clocks that were refused. */
  int refusals;

  /** Begins anew. */
  public World(long seed) {
    this.random = new Random(seed);
    this.slow = 0.02 + 0.25 * random.nextDouble();
    this.far = random.nextBoolean();
  }

  /** Microseconds since the start. */
  public long now() {
    return now;
  }

  /** A wall clock that is so far ahead. */
  public long wallMillis(long offsetMillis) {
    return 1_000_000 + now / 1_000 + offsetMillis;
  }

  /** Lets something happen in so many microseconds. */
  public void after(long micros, Runnable action) {
    events.add(new Event(now + micros, number++, action));
  }

  /** From low to high, both included. */
  public long between(long low, long high) {
    return low + (long) (random.nextDouble() * (high - low + 1));
  }

  /** Says yes with that probability. */
  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** How long a message between a CN and a DN takes: mostly short, now and then very long. */
  public long delay() {
    double kind = random.nextDouble();
    if (kind >= slow) {
      return between(20, 150);
    }
    if (kind >= slow / 8) {
      return between(150, 2_000);
    }
    return kind >= slow / 60 ? between(2_000, 8_000) : between(8_000, 40_000);
  }

  /** How long a message between two DNs takes: in some runs they are far apart. */
  public long peerDelay() {
    return far ? between(500, 5_000) : delay();
  }

  /** Runs until that time or until nothing is left to do. */
  public void run(long untilMicros) {
    Event next;
    while ((next = events.peek()) != null && next.at <= untilMicros) {
      events.remove();
      now = next.at;
      next.action.run();
    }
    now = untilMicros;
  }
}
