package io.alrai.executor.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.executor.memory.MemoryRegion;
import io.alrai.executor.timeslice.SliceScheduler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets analytical queries begin, in the order in which they came: so many at once as there are
 * places, and each with the memory that it needs at least. A query that turns out to be slow leaves
 * its place of the core to the next and goes on beside it, with a slow one's part of the time: so
 * slow ones keep others out for as long only as they need to be found out. Thread-safe.
 *
 * <pre>
 *   waits --place, memory--> core --2 s of processor time--> slow (while there are places)
 *                              \------------ end ------------/
 * </pre>
 */
public final class Admission {
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private final MemoryRegion memory;
  private final int slowPlaces;

  @GuardedBy("lock")
  private int freeCore;

  @GuardedBy("lock")
  private int slow;

  private record Waiting(long least, long most, CompletableFuture<Place> place) {}

  private record Admitted(Waiting waiting, Place place) {}

  /**
   * Nobody is in yet.
   *
   * @param corePlaces how many run at once that are not slow
   * @param slowPlaces how many slow ones run beside these
   */
  public Admission(MemoryRegion memory, int corePlaces, int slowPlaces) {
    this.memory = memory;
    this.freeCore = corePlaces;
    this.slowPlaces = slowPlaces;
  }

  /** The memory of those that are in. */
  public MemoryRegion memory() {
    return memory;
  }

  /** How many wait. */
  public int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many slow ones have left their places to others. */
  public int slow() {
    lock.lock();
    try {
      return slow;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Asks for a place. A caller that no longer wants it cancels the future; one that has it closes
   * it.
   *
   * @param leastBytes memory that it needs to begin; what no limit allows is cut to the limit
   * @param mostBytes memory that it may come to have
   */
  public CompletableFuture<Place> enter(long leastBytes, long mostBytes) {
    Waiting one = new Waiting(leastBytes, mostBytes, new CompletableFuture<>());
    lock.lock();
    try {
      waiting.add(one);
    } finally {
      lock.unlock();
    }
    admit();
    return one.place();
  }

  /** Lets in whom there is room for; also to be called when the memory's limit was raised. */
  public void admit() {
    Optional<Admitted> next = next();
    while (next.isPresent()) {
      Admitted admitted = next.get();
      if (!admitted.waiting().place().complete(admitted.place())) {
        admitted.place().close();
      }
      next = next();
    }
  }

  private Optional<Admitted> next() {
    lock.lock();
    try {
      waiting.removeIf(one -> one.place().isDone());
      Waiting first = waiting.peek();
      if (first == null || freeCore == 0) {
        return Optional.empty();
      }
      long least = Math.min(first.least(), memory.limit());
      Optional<MemoryRegion.Reservation> reserved = memory.reserve(least, first.most());
      if (reserved.isEmpty()) {
        return Optional.empty();
      }
      waiting.remove();
      freeCore--;
      return Optional.of(new Admitted(first, new Place(reserved.get())));
    } finally {
      lock.unlock();
    }
  }

  /** Where a place is. */
  private enum Pool {
    CORE,
    SLOW,
    LEFT
  }

  /** A query that is in. */
  public final class Place implements AutoCloseable {
    private final MemoryRegion.Reservation reservation;
    private final SliceScheduler.Account account = new SliceScheduler.Account(this::slowDown);

    @GuardedBy("lock")
    private Pool pool = Pool.CORE;

    private Place(MemoryRegion.Reservation reservation) {
      this.reservation = reservation;
    }

    /** Its memory. */
    public MemoryRegion.Reservation memory() {
      return reservation;
    }

    /** What its time goes to. */
    public SliceScheduler.Account account() {
      return account;
    }

    private void slowDown() {
      lock.lock();
      try {
        if (pool != Pool.CORE || slow == slowPlaces) {
          return;
        }
        pool = Pool.SLOW;
        slow++;
        freeCore++;
      } finally {
        lock.unlock();
      }
      admit();
    }

    /** The query has run to its end; its memory stays until its rows are read. */
    public void leave() {
      lock.lock();
      try {
        switch (pool) {
          case CORE -> freeCore++;
          case SLOW -> slow--;
          case LEFT -> {
            return;
          }
        }
        pool = Pool.LEFT;
      } finally {
        lock.unlock();
      }
      admit();
    }

    /** The query has ended and its memory is free. */
    @Override
    public void close() {
      reservation.close();
      leave();
      admit();
    }
  }
}
