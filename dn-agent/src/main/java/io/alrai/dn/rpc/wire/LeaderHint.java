package io.alrai.dn.rpc.wire;

/**
 * Who leads a DN, as far as one knows who does not.
 *
 * @param term in which it leads; 0 when none is known
 * @param name of the member; empty when it is not known
 */
public record LeaderHint(long term, String name) {
  /** Nobody is known. */
  public static final LeaderHint NOBODY = new LeaderHint(0, "");
}
