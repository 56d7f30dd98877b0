package io.alrai.cn.tls;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * What whoever starts an endpoint wants of TLS.
 *
 * @param use whether there is TLS
 * @param certificate the server's, followed by those of the CAs between it and the root; made by
 *     ourselves if not given
 * @param key the certificate's
 * @param authority the root, for those who want to know where clients find it
 */
public record TlsChoice(
    Use use, Optional<Path> certificate, Optional<Path> key, Optional<Path> authority) {
  /** TLS for clients who want it, with certificates of our own. */
  public static final TlsChoice OWN =
      new TlsChoice(Use.YES, Optional.empty(), Optional.empty(), Optional.empty());

  /** Whether there is TLS. */
  public enum Use {
    /** No client gets it. */
    NO,
    /** A client that asks for it gets it. */
    YES,
    /** Clients must use it until somebody sets require_secure_transport to OFF. */
    REQUIRED;

    /** As it is written. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A choice as options or a configuration have it.
   *
   * @param use no, yes or required
   * @param certificate file name; empty for none
   * @param key the same
   * @param authority the same
   * @throws AlraiException 1231 with a sentence that says what does not go together
   */
  public static TlsChoice of(String use, String certificate, String key, String authority) {
    Use wanted =
        switch (use.strip().toLowerCase(Locale.ROOT)) {
          case "no" -> Use.NO;
          case "yes" -> Use.YES;
          case "required" -> Use.REQUIRED;
          default -> throw wrong("tls is yes, no or required, not " + use);
        };
    TlsChoice choice = new TlsChoice(wanted, path(certificate), path(key), path(authority));
    boolean given = choice.certificate.isPresent();
    if (given != choice.key.isPresent()) {
      throw wrong("a certificate for TLS needs its key, and a key its certificate: give both");
    }
    if (!given && choice.authority.isPresent()) {
      throw wrong("a CA for TLS goes with a certificate that it has signed: give that and its key");
    }
    if (given && wanted == Use.NO) {
      throw wrong("TLS is off, so that its certificate would not be used: leave out one of both");
    }
    return choice;
  }

  private static Optional<Path> path(String name) {
    return name.isBlank() ? Optional.empty() : Optional.of(Path.of(name.strip()).toAbsolutePath());
  }

  private static AlraiException wrong(String sentence) {
    return new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, sentence);
  }
}
