package io.alrai.gms.api;

/**
 * A table of the trigger's own schema, by the name that the body has for it; there need not be one.
 *
 * @param name as written
 * @param privileges bits of {@link Privilege}: what the body does to it, and its definer needs
 * @param broadcast whether it was a broadcast table when the trigger was made: the body that runs
 *     names the schema of those
 */
public record TouchedTable(String name, long privileges, boolean broadcast) {
  /** Whether the body does that to it. */
  public boolean has(Privilege privilege) {
    return (privileges & privilege.bit()) != 0;
  }
}
