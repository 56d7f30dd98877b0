package io.alrai.common.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A password as caching_sha2_password keeps it: salted, and slow to try. Its text is what a mysqld
 * has in mysql.user.
 *
 * <pre>
 *  $A$ 00A $ salt, 20 bytes of 7 bits; digest, 43 characters of {@link Sha256Crypt}
 *      thousands of rounds, hexadecimal
 * </pre>
 *
 * @param thousands of rounds, 1 to 4095
 * @param salt a character for each byte
 * @param digest of {@link Sha256Crypt}
 */
public record PasswordHash(int thousands, String salt, String digest) {
  /** The most bytes that a password can have, as in MySQL. */
  public static final int LONGEST_PASSWORD = 256;

  /** The rounds of a new one, in thousands: MySQL 9.7's caching_sha2_password_digest_rounds. */
  private static final int ROUNDS = 10;

  private static final int SALT_LENGTH = 20;
  private static final Pattern TEXT =
      Pattern.compile(
          "\\$A\\$([0-9A-Fa-f]{3})\\$([\\x00-\\x7f]{20})([\\x00-\\x7f]{43})", Pattern.DOTALL);
  private static final SecureRandom RANDOM = new SecureRandom();

  /** One that no password is known of: for those who ask for accounts that are not there. */
  public static PasswordHash ofNobody() {
    byte[] unknown = new byte[SALT_LENGTH];
    RANDOM.nextBytes(unknown);
    return of(unknown);
  }

  /** A password with a fresh salt. Takes milliseconds. */
  public static PasswordHash of(byte[] password) {
    StringBuilder salt = new StringBuilder(SALT_LENGTH);
    while (salt.length() < SALT_LENGTH) {
      int next = RANDOM.nextInt(1, 0x80);
      if (next != '$') { // which ends a salt
        salt.append((char) next);
      }
    }
    return of(password, salt.toString(), ROUNDS);
  }

  static PasswordHash of(byte[] password, String salt, int thousands) {
    byte[] bytes = salt.getBytes(StandardCharsets.ISO_8859_1);
    return new PasswordHash(thousands, salt, Sha256Crypt.digest(password, bytes, thousands * 1000));
  }

  /** Reads a text; empty for one that is not of the form. */
  public static Optional<PasswordHash> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    int thousands = matcher.matches() ? Integer.parseInt(matcher.group(1), 16) : 0;
    return thousands == 0
        ? Optional.empty()
        : Optional.of(new PasswordHash(thousands, matcher.group(2), matcher.group(3)));
  }

  /** Whether it is of this password. Takes milliseconds, the longer the more rounds it has. */
  public boolean matches(byte[] password) {
    return password.length <= LONGEST_PASSWORD
        && MessageDigest.isEqual(
            digest.getBytes(StandardCharsets.US_ASCII),
            of(password, salt, thousands).digest.getBytes(StandardCharsets.US_ASCII));
  }

  /** The text that {@link #parse} reads. */
  public String text() {
    String rounds = Integer.toHexString(0x1000 | thousands).substring(1).toUpperCase(Locale.ROOT);
    return "$A$" + rounds + "$" + salt + digest;
  }

  @Override
  public String toString() {
    return "PasswordHash[]";
  }
}
