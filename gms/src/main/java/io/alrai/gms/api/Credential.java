package io.alrai.gms.api;

import io.alrai.common.secret.PasswordHash;
import io.alrai.common.wire.Scramble;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What is kept of an account's password: the columns of mysql.user with these names. The text is
 * never logged.
 *
 * @param plugin {@link Scramble#SHA2}, or {@link Scramble#NATIVE} where the account was made with
 *     it
 * @param text empty for no password; else a {@link PasswordHash}, or after an asterisk the
 *     upper-case hex of SHA1(SHA1(password)) for {@link Scramble#NATIVE}; or what older versions
 *     kept of it
 */
public record Credential(String plugin, String text) {
  /** No password. */
  public static final Credential NONE = new Credential(Scramble.SHA2, "");

  /** Comes before the upper-case hex of SHA256(SHA256(password)), which older versions kept. */
  private static final String OLD = "$ALRAI$$";

  /** The credential of a password. Takes milliseconds. */
  public static Credential of(String plugin, String password) {
    return of(plugin, password.getBytes(StandardCharsets.UTF_8));
  }

  /** The credential of a password as a client sends it. Takes milliseconds. */
  public static Credential of(String plugin, byte[] password) {
    if (password.length == 0) {
      return new Credential(plugin, "");
    }
    return new Credential(
        plugin,
        plugin.equals(Scramble.NATIVE)
            ? "*" + Scramble.digest(plugin, password)
            : PasswordHash.of(password).text());
  }

  /** The credential of a new account, by {@link Scramble#SHA2}. */
  public static Credential of(String password) {
    return of(Scramble.SHA2, password);
  }

  /**
   * A credential of the form that older versions kept.
   *
   * @param digest upper-case hex of SHA256(SHA256(password)); empty for no password
   */
  public static Credential old(String digest) {
    return digest.isEmpty() ? NONE : new Credential(Scramble.SHA2, OLD + digest);
  }

  /**
   * A credential made of the two digests that older versions kept. One of them may be missing,
   * where IDENTIFIED .. AS gave only the other: such an account has a password all the same.
   *
   * @param nativeDigest upper-case hex of SHA1(SHA1(password)); empty for none
   * @param sha2Digest upper-case hex of SHA256(SHA256(password)); empty for none
   */
  public static Credential old(String nativeDigest, String sha2Digest) {
    return sha2Digest.isEmpty() && !nativeDigest.isEmpty()
        ? new Credential(Scramble.NATIVE, "*" + nativeDigest)
        : old(sha2Digest);
  }

  /** Whether there is no password. */
  public boolean noPassword() {
    return text.isEmpty();
  }

  /** Whether clients prove the password with SHA-1. */
  public boolean usesSha1() {
    return plugin.equals(Scramble.NATIVE);
  }

  /** Upper-case hex of SHA256(SHA256(password)), where an older version has kept it. */
  public Optional<String> oldDigest() {
    return text.startsWith(OLD) ? Optional.of(text.substring(OLD.length())) : Optional.empty();
  }

  /**
   * Upper-case hex of SHA1(SHA1(password)) of one that {@link #usesSha1}; empty for no password.
   */
  public String nativeDigest() {
    return usesSha1() && !text.isEmpty() ? text.substring(1) : "";
  }

  @Override
  public String toString() {
    return "Credential[" + plugin + "]";
  }
}
