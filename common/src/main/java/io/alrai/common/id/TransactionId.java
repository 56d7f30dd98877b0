package io.alrai.common.id;

/**
 * A distributed transaction's name, and with {@link #gtrid} its XA name on every DN. It carries the
 * primary, so that whoever finds a prepared branch knows whom to ask for the outcome.
 *
 * @param coordinator the CN that runs it
 * @param epoch when that CN started, milliseconds since 1970: numbers start anew with each epoch
 * @param number unique within an epoch; its low 32 bits are {@link #primaryConnection}
 * @param primary the DN whose branch decides
 */
public record TransactionId(NodeId coordinator, long epoch, long number, DnId primary) {
  private static final String PREFIX = "a";
  private static final long CONNECTION = 0xffff_ffffL;

  /** A number with the primary branch's connection in it. */
  public static long number(long turn, long primaryConnection) {
    return turn << Integer.SIZE & Long.MAX_VALUE | primaryConnection & CONNECTION;
  }

  /**
   * The primary branch's connection at its mysqld: so whoever sees an XA branch knows the plain
   * transaction that it belongs to.
   */
  public long primaryConnection() {
    return number & CONNECTION;
  }

  /**
   * The gtrid of all its branches: at most 64 ASCII characters for names of up to 18 characters.
   */
  public String gtrid() {
    return PREFIX
        + ":"
        + coordinator.name()
        + ":"
        + Long.toString(epoch, 36)
        + ":"
        + Long.toString(number, 36)
        + ":"
        + primary.name();
  }

  /** Whether an XA name found on a DN is one of ours. */
  public static boolean isGtrid(String gtrid) {
    return gtrid.startsWith(PREFIX + ":") && gtrid.split(":", -1).length == 5;
  }

  /**
   * Reads {@link #gtrid} back.
   *
   * @throws IllegalArgumentException when it is not one of ours
   */
  public static TransactionId parse(String gtrid) {
    if (!isGtrid(gtrid)) {
      throw new IllegalArgumentException("not a gtrid of Alrai: " + gtrid);
    }
    String[] parts = gtrid.split(":", -1);
    return new TransactionId(
        new NodeId(parts[1]),
        Long.parseLong(parts[2], 36),
        Long.parseLong(parts[3], 36),
        new DnId(parts[4]));
  }
}
