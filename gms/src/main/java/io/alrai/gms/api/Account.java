package io.alrai.gms.api;

/**
 * A user account. The GMS holds digests only.
 *
 * @param user name; empty for the anonymous account
 * @param host pattern, for example {@code %}
 * @param nativeDigest upper-case hex of SHA1(SHA1(password)); empty for no password
 * @param sha2Digest upper-case hex of SHA256(SHA256(password)); empty for no password
 * @param locked whether log-in is refused
 */
public record Account(
    String user, String host, String nativeDigest, String sha2Digest, boolean locked) {}
