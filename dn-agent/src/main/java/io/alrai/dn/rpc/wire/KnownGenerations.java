package io.alrai.dn.rpc.wire;

/**
 * Which generations a node knows that were begun by force: an agent of an earlier one of its group
 * is not to be believed, nor is a node that knows an earlier one of the GMS.
 *
 * @param gms of the GMS
 * @param group of the DN's group
 * @param survivor the member that was made that group; empty for none
 */
public record KnownGenerations(long gms, long group, String survivor) {
  /** Nobody was ever forced. */
  public static final KnownGenerations FIRST = new KnownGenerations(0, 0, "");
}
