package io.alrai.gms.api;

/**
 * A user account. The GMS holds digests only.
 *
 * @param user name; empty for the anonymous account
 * @param host pattern, for example {@code %}
 * @param nativeDigest upper-case hex of SHA1(SHA1(password)); empty for no password
 * @param sha2Digest upper-case hex of SHA256(SHA256(password)); empty for no password
 * @param locked whether log-in is refused
 * @param grants what it may do
 */
public record Account(
    String user,
    String host,
    String nativeDigest,
    String sha2Digest,
    boolean locked,
    Grants grants) {
  /** The key of an account in the catalog: {@code user@host}. */
  public static String key(String user, String host) {
    return user + "@" + host;
  }

  /** Its key in the catalog. */
  public String key() {
    return key(user, host);
  }

  /** The same account with other privileges. */
  public Account with(Grants changed) {
    return new Account(user, host, nativeDigest, sha2Digest, locked, changed);
  }
}
