package io.alrai.optimizer.api;

import io.alrai.gms.api.Account;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an account is to be identified by. Its text never goes to a log. */
public sealed interface NewPassword {
  /** IDENTIFIED BY 'text'; no password where it is empty. */
  record Plain(String text) implements NewPassword {
    @Override
    public String toString() {
      return "Plain[]";
    }
  }

  /**
   * IDENTIFIED WITH .. AS 'text': what SHOW CREATE USER shows. MySQL's own text has a salted digest
   * that only a whole password can be compared with; this one has what Alrai keeps of it.
   *
   * @param nativeDigest upper-case hex of SHA1(SHA1(password)); empty where there is none
   * @param sha2Digest upper-case hex of SHA256(SHA256(password)); empty where there is none
   */
  record Digests(String nativeDigest, String sha2Digest) implements NewPassword {
    private static final Pattern TEXT =
        Pattern.compile("\\$ALRAI\\$([0-9a-fA-F]{40}|)\\$([0-9a-fA-F]{64}|)");

    /** Those of an account; empty where it has no password. */
    public static Optional<Digests> of(Account account) {
      return account.nativeDigest().isEmpty() && account.sha2Digest().isEmpty()
          ? Optional.empty()
          : Optional.of(new Digests(account.nativeDigest(), account.sha2Digest()));
    }

    /** Reads a text; empty for one that is not of Alrai's form. */
    public static Optional<Digests> parse(String text) {
      Matcher matcher = TEXT.matcher(text);
      return matcher.matches()
          ? Optional.of(
              new Digests(
                  matcher.group(1).toUpperCase(Locale.ROOT),
                  matcher.group(2).toUpperCase(Locale.ROOT)))
          : Optional.empty();
    }

    /** The text that {@link #parse} reads. */
    public String text() {
      return "$ALRAI$" + nativeDigest + "$" + sha2Digest;
    }

    @Override
    public String toString() {
      return "Digests[]";
    }
  }
}
