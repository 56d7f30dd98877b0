package io.alrai.dn.rpc.wire;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;

/**
 * The versions of the envelope that this release speaks: its own and the one before, so that the
 * processes of a cluster can be upgraded one after the other. A connection has the newest version
 * that both sides speak; what came with a newer one is not said over it.
 *
 * <pre>
 * agent of 18                 agent of 18 and 19
 *   CHALLENGE 18, call 0        CHALLENGE 18, call 19      call is the newest; 0 as version 18 had
 *                                                          no range
 * caller of 18                caller of 18 and 19
 *   HELLO 18                    HELLO 19 to the second agent, 18 to the first
 * </pre>
 *
 * <pre>
 * version
 *  18   what was first kept
 *  19   the range in CHALLENGE; PULSE_IS
 * </pre>
 *
 * Stateless.
 */
public final class EnvelopeVersions {
  /** The one before. */
  public static final int OLDEST = 18;

  /** Another one for every change of a layout, that of {@link KeptRecords} included. */
  public static final int NEWEST = 19;

  private EnvelopeVersions() {}

  /**
   * The newest version that both speak.
   *
   * @param oldest that the other one speaks
   * @param newest that the other one speaks; 0 for the same
   * @param other who that is, in words
   * @param self who this is, in words
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE where there is none: which one to upgrade
   */
  public static int agreed(int oldest, int newest, String other, String self) {
    int most = Math.max(oldest, newest);
    if (most < OLDEST || oldest > NEWEST) {
      throw refused(range(oldest, most), most < OLDEST, other, self);
    }
    return Math.min(most, NEWEST);
  }

  /**
   * Refuses a version that is not spoken here.
   *
   * @param version of the other one
   * @param other who that is, in words
   * @param self who this is, in words
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE: which one to upgrade
   */
  public static void requireOurs(int version, String other, String self) {
    var _ = agreed(version, version, other, self);
  }

  private static AlraiException refused(
      String versions, boolean otherFirst, String other, String self) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        other
            + " speaks "
            + versions
            + " of the envelope, and "
            + self
            + " "
            + range(OLDEST, NEWEST)
            + ": upgrade "
            + (otherFirst ? other : self)
            + " first, one release at a time");
  }

  private static String range(int oldest, int newest) {
    return oldest == newest ? "version " + oldest : "versions " + oldest + " to " + newest;
  }
}
