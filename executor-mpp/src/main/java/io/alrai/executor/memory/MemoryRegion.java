package io.alrai.executor.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory off the heap that all queries of a process share. A query reserves what it needs at least
 * before it begins and grows while it runs. Thread-safe.
 */
public final class MemoryRegion {
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private long limit;

  @GuardedBy("lock")
  private long used;

  /** Nothing is reserved yet. */
  public MemoryRegion(long limitBytes) {
    this.limit = limitBytes;
  }

  /** Changes the limit; what is reserved stays until it is given back. */
  public void limit(long bytes) {
    lock.lock();
    try {
      limit = bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes at most. */
  public long limit() {
    lock.lock();
    try {
      return limit;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes that are reserved now. */
  public long used() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reserves for a query; empty while others hold too much.
   *
   * @param least bytes that it has from the beginning
   * @param most bytes that it may come to have
   */
  public Optional<Reservation> reserve(long least, long most) {
    return take(least) ? Optional.of(new Reservation(least, most)) : Optional.empty();
  }

  private boolean take(long bytes) {
    lock.lock();
    try {
      if (used + bytes > limit) {
        return false;
      }
      used += bytes;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Why a reservation did not grow. */
  public enum Growth {
    /** It did. */
    GRANTED,
    /** The query has all that one may have. */
    TOO_MUCH,
    /** Others hold what it would need. */
    TAKEN
  }

  /** The share of one query. Thread-safe; given back once, by {@link #close}. */
  public final class Reservation implements AutoCloseable {
    /** It grows by at least this much, so that the region is not asked for each piece. */
    private static final long STEP = 1 << 20;

    /** What is enough for a query that puts on disk whatever it can. */
    private static final long NARROW = 16 << 20;

    private final ReentrantLock own = new ReentrantLock();

    @GuardedBy("own")
    private long most;

    @GuardedBy("own")
    private long reserved;

    @GuardedBy("own")
    private long given;

    @GuardedBy("own")
    private boolean crowdedOut;

    @GuardedBy("own")
    private boolean exhausted;

    private Reservation(long reserved, long most) {
      this.reserved = reserved;
      this.most = most;
    }

    /** Bytes that the query may come to have. */
    public long most() {
      own.lock();
      try {
        return most;
      } finally {
        own.unlock();
      }
    }

    /**
     * Has the query do with a quarter of the region, or with {@value #NARROW} bytes where that is
     * more, and gives the rest to others: it goes on for long. It has asked for nothing now.
     */
    public void narrow() {
      long narrow = Math.max(NARROW, limit() / 4);
      own.lock();
      try {
        most = Math.min(most, narrow);
        giveBack(Math.max(0, reserved - most));
      } finally {
        own.unlock();
      }
    }

    /** Bytes that it has asked for so far. */
    public long given() {
      own.lock();
      try {
        return given;
      } finally {
        own.unlock();
      }
    }

    /** Whether it was refused because of others: alone it might do. */
    public boolean isCrowdedOut() {
      own.lock();
      try {
        return crowdedOut;
      } finally {
        own.unlock();
      }
    }

    /** Whether it was refused because the query had all that one may have. */
    public boolean isExhausted() {
      own.lock();
      try {
        return exhausted;
      } finally {
        own.unlock();
      }
    }

    /** Takes back memory that the query no longer uses; it stays reserved for its next pieces. */
    public void shrink(long bytes) {
      own.lock();
      try {
        given -= bytes;
      } finally {
        own.unlock();
      }
    }

    /** Gives others what the query has reserved but does not use, as it will not grow again. */
    public void settle() {
      own.lock();
      try {
        giveBack(Math.max(0, reserved - given));
      } finally {
        own.unlock();
      }
    }

    @GuardedBy("own")
    private void giveBack(long bytes) {
      lock.lock();
      try {
        used -= bytes;
      } finally {
        lock.unlock();
      }
      reserved -= bytes;
    }

    /** Asks for more. */
    public Growth grow(long bytes) {
      own.lock();
      try {
        long wanted = given + bytes;
        if (wanted > most) {
          exhausted = true;
          return Growth.TOO_MUCH;
        }
        if (wanted > reserved) {
          long more = Math.min(most, Math.max(wanted, reserved + STEP)) - reserved;
          if (!take(more)) {
            crowdedOut = true;
            return Growth.TAKEN;
          }
          reserved += more;
        }
        given = wanted;
        return Growth.GRANTED;
      } finally {
        own.unlock();
      }
    }

    @Override
    public void close() {
      own.lock();
      try {
        giveBack(reserved);
      } finally {
        own.unlock();
      }
    }
  }
}
