package io.alrai.dn.group;

import io.alrai.dn.binlog.GtidSet;

/**
 * How far a mysqld that follows has come.
 *
 * @param received since it follows, as whole transactions
 * @param executed all that it has
 * @param receiver ON, CONNECTING or OFF
 * @param applies whether it applies what it receives, as far as there is anything
 * @param error why it does not; empty where it does
 */
public record ReplicaState(
    GtidSet received, GtidSet executed, String receiver, boolean applies, String error) {
  private static final String OFF = "OFF";

  /** Whether it does not go on by itself. */
  public boolean stopped() {
    return !error.isEmpty() || !applies || receiver.equals(OFF);
  }
}
