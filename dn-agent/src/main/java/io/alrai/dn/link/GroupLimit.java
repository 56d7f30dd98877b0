package io.alrai.dn.link;

import java.util.Arrays;
import java.util.Optional;

/**
 * Limits of all groups, and one of all CNs, that can be changed while they serve: variables of SET
 * GLOBAL that the GMS keeps.
 */
public enum GroupLimit {
  /**
   * Milliseconds that the best follower may lag before commits wait for it; 0: as much as it likes.
   */
  APPLY_LAG("dn_max_apply_lag_ms", 1_000, 0, 3_600_000),

  /** Bytes that each member's log keeps for members that are away. */
  LOG_RETENTION("dn_log_retention_bytes", 4L << 30, 64 << 20, Long.MAX_VALUE),

  /** MiB that a member copies in a second of another one that it clones; 0: as many as come. */
  CLONE_SPEED("dn_clone_max_mib_per_second", 0, 0, 1 << 20),

  /** Milliseconds that a statement may wait for a place of its CN; 0: there are no places. */
  STATEMENT_WAIT("alrai_admission_wait_ms", 0, 0, 60_000);

  private final String variable;
  private final long usual;
  private final long least;
  private final long most;

  GroupLimit(String variable, long usual, long least, long most) {
    this.variable = variable;
    this.usual = usual;
    this.least = least;
    this.most = most;
  }

  /** The variable's name, in small letters. */
  public String variable() {
    return variable;
  }

  /** What it is, if nobody says so. */
  public long usual() {
    return usual;
  }

  /** The smallest value. */
  public long least() {
    return least;
  }

  /** The largest value. */
  public long most() {
    return most;
  }

  /** The limit of a variable's name in small letters. */
  public static Optional<GroupLimit> named(String variable) {
    return Arrays.stream(values()).filter(limit -> limit.variable.equals(variable)).findFirst();
  }
}
