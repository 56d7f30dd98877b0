package io.alrai.e2e.soak;

import java.util.Random;

/**
 * What happens to a connection in the middle of a statement.
 *
 * @param toServer which way is hit: what the client sends, or what it is sent
 * @param afterBytes how many bytes still pass that way
 * @param afterMillis when it happens if fewer bytes than that come
 * @param kind what happens then
 * @param millis how long a stall lasts
 */
record Fate(boolean toServer, long afterBytes, long afterMillis, Kind kind, long millis) {
  /** The kinds. */
  enum Kind {
    /** The connection is reset. */
    RESET,
    /** The connection is closed in order, both ways. */
    CLOSED,
    /** Nothing passes for a while, then the connection is reset. */
    STALLED_THEN_RESET,
    /** Nothing passes for a while, then all goes on. */
    STALLED,
    /** Little passes at a time, until the while has passed. */
    TRICKLED,
    /** Nothing happens. */
    SPARED
  }

  private static final int MOST_BYTES_LOG = 24;
  private static final int MOST_WAIT_LOG = 9;

  /** A fate whose sizes are spread evenly over their orders of magnitude. */
  static Fate random(Random random, boolean mayStall) {
    Kind[] kinds = Kind.values();
    Kind kind = kinds[random.nextInt(kinds.length)];
    if (!mayStall && kind != Kind.CLOSED) {
      kind = Kind.RESET;
    }
    return new Fate(
        random.nextInt(4) == 0,
        (long) Math.pow(2, random.nextDouble() * MOST_BYTES_LOG) - 1,
        (long) Math.pow(2, random.nextDouble() * MOST_WAIT_LOG) - 1,
        kind,
        200 + random.nextInt(2_500));
  }
}
