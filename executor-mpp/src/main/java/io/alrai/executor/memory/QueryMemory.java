package io.alrai.executor.memory;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.lang.foreign.Arena;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory of one query: given piece by piece, freed at once when the query ends. Thread-safe;
 * {@link #close} only after every task of the query has ended.
 */
public final class QueryMemory implements AutoCloseable {
  private static final long ALIGNMENT = 16;

  private final Arena arena = Arena.ofShared();
  private final Set<Object> kept = ConcurrentHashMap.newKeySet();
  private final MemoryRegion.Reservation reservation;

  /**
   * Memory for a query.
   *
   * @param reservation what it may hold; closed with it
   */
  public QueryMemory(MemoryRegion.Reservation reservation) {
    this.reservation = reservation;
  }

  /**
   * The address of so many bytes, all zero.
   *
   * @throws AlraiException 1041 when the reservation does not allow it
   */
  public long allocate(long bytes) {
    return switch (reservation.grow(bytes)) {
      case GRANTED -> arena.allocate(bytes, ALIGNMENT).address();
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

  /** Keeps an object reachable until the end: one that owns memory which rows refer to. */
  public void keep(Object owner) {
    kept.add(owner);
  }

  @Override
  public void close() {
    arena.close();
    reservation.close();
  }
}
