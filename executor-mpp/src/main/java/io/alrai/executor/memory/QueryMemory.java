package io.alrai.executor.memory;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The memory of one query: given piece by piece, freed at once when the query ends. A part of it
 * can be freed before. Thread-safe; {@link #close} only after every task has ended that uses it.
 */
public final class QueryMemory implements AutoCloseable {
  private static final long ALIGNMENT = 16;

  private final Arena arena = Arena.ofShared();
  private final Set<Object> kept = ConcurrentHashMap.newKeySet();
  private final Set<QueryMemory> parts = ConcurrentHashMap.newKeySet();
  private final AtomicLong given = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final MemoryRegion.Reservation reservation;
  private final Consumer<QueryMemory> whenClosed;

  /**
   * Memory for a query.
   *
   * @param reservation what it may hold; what it held is given back when it is closed
   */
  public QueryMemory(MemoryRegion.Reservation reservation) {
    this(reservation, closed -> {});
  }

  private QueryMemory(MemoryRegion.Reservation reservation, Consumer<QueryMemory> whenClosed) {
    this.reservation = reservation;
    this.whenClosed = whenClosed;
  }

  /**
   * Memory of the same query that may be freed earlier, and is freed with this. Freeing is work for
   * the whole process (a handshake with all its threads): for megabytes, not for rows.
   */
  public QueryMemory part() {
    QueryMemory part = new QueryMemory(reservation, parts::remove);
    parts.add(part);
    return part;
  }

  /**
   * The address of so many bytes, all zero.
   *
   * @throws AlraiException 1041 when the reservation does not allow it
   */
  public long allocate(long bytes) {
    return switch (reservation.grow(bytes)) {
      case GRANTED -> {
        given.addAndGet(bytes);
        yield arena.allocate(bytes, ALIGNMENT).address();
      }
      case TOO_MUCH ->
          throw outOfMemory("the query needs more than its " + reservation.most() + " bytes");
      case TAKEN ->
          throw outOfMemory(
              "other queries hold what the query needs beyond its "
                  + reservation.given()
                  + " bytes");
    };
  }

  private static AlraiException outOfMemory(String why) {
    return new AlraiException(ErrorCode.ER_OUT_OF_RESOURCES, "Out of memory: " + why);
  }

  /** Bytes that the query may have at most. */
  public long mostBytes() {
    return reservation.most();
  }

  /** Keeps an object reachable until the end: one that owns memory which rows refer to. */
  public void keep(Object owner) {
    kept.add(owner);
  }

  /** Frees it. Repeating it is harmless. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      List.copyOf(parts).forEach(QueryMemory::close);
      arena.close();
      reservation.shrink(given.get());
      whenClosed.accept(this);
    }
  }
}
