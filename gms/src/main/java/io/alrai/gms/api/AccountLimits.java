package io.alrai.gms.api;

/**
 * How much an account may be used, all CNs together (MySQL Reference Manual, "Setting Account
 * Resource Limits"); 0 for as much as its clients like.
 *
 * @param queries statements an hour
 * @param updates those that may change something, an hour
 * @param logins connections an hour
 * @param sessions connections at a time
 */
public record AccountLimits(long queries, long updates, long logins, long sessions) {
  /** No limits. */
  public static final AccountLimits NONE = new AccountLimits(0, 0, 0, 0);

  /** Whether its statements are counted. */
  public boolean ofStatements() {
    return queries > 0 || updates > 0;
  }

  /** Whether something of an hour is counted. */
  public boolean ofHours() {
    return ofStatements() || logins > 0;
  }

  /** Whether its connections are counted. */
  public boolean ofLogins() {
    return logins > 0 || sessions > 0;
  }
}
