package io.alrai.cn.pressure;

import java.util.PriorityQueue;

/** A clock that is set by what happens, and queues of what happens later. One thread. */
final class SimulatedTime {
  private record Event(long time, long number, Runnable task) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /** Some of what happens later: in its order, at the same time in the order in which it came. */
  final class Later {
    private final PriorityQueue<Event> events = new PriorityQueue<>();

    /** Something happens then. */
    void at(long time, Runnable task) {
      events.add(new Event(time, number++, task));
    }

    /** Something happens after so many nanoseconds. */
    void in(long nanos, Runnable task) {
      at(now + nanos, task);
    }

    /** When the next happens; {@link Long#MAX_VALUE} if nothing does. */
    long next() {
      Event first = events.peek();
      return first == null ? Long.MAX_VALUE : first.time;
    }

    /** Takes out the next, which is there. */
    Runnable take() {
      return events.remove().task;
    }
  }

  private long now = 1;
  private long number;

  /** In nanoseconds. */
  long now() {
    return now;
  }

  /** This number of nanoseconds passes. */
  void spend(long nanos) {
    now += nanos;
  }

  /** Time passes until then, unless it has. */
  void reach(long time) {
    now = Math.max(now, time);
  }

  /** A queue for which nothing happens yet. */
  Later later() {
    return new Later();
  }
}
