package io.alrai.executor.memory;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.lang.foreign.Arena;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of one query: given piece by piece, freed at once when the query ends. Thread-safe;
 * {@link #close} only after every task of the query has ended.
 */
public final class QueryMemory implements AutoCloseable {
  private static final long ALIGNMENT = 16;

  private final Arena arena = Arena.ofShared();
  private final Set<Object> kept = ConcurrentHashMap.newKeySet();
  private final long budget;
  private final AtomicLong used = new AtomicLong();

  /**
   * Memory for a query.
   *
   * @param budget bytes that it may hold
   */
  public QueryMemory(long budget) {
    this.budget = budget;
  }

  /**
   * The address of so many bytes, all zero.
   *
   * @throws AlraiException 1041 when the budget does not allow it
   */
  public long allocate(long bytes) {
    long now = used.addAndGet(bytes);
    if (now > budget) {
      used.addAndGet(-bytes);
      throw new AlraiException(
          ErrorCode.ER_OUT_OF_RESOURCES,
          "Out of memory: the query needs more than its " + budget + " bytes");
    }
    return arena.allocate(bytes, ALIGNMENT).address();
  }

  /** Keeps an object reachable until the end: one that owns memory which rows refer to. */
  public void keep(Object owner) {
    kept.add(owner);
  }

  /** Bytes that were given. */
  public long used() {
    return used.get();
  }

  @Override
  public void close() {
    arena.close();
  }
}
