package io.alrai.common.secret;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a process speaks TLS with other members: how far a cluster has come with it, and from where
 * its own certificate is.
 *
 * @param files of a certificate that the cluster's CA has signed; empty: each process makes itself
 *     one by the cluster's secret
 */
public record MemberTls(Mode mode, Optional<Files> files) {
  /** None at agents; other nodes have certificates by the secret. */
  public static final MemberTls OFF = new MemberTls(Mode.NO, Optional.empty());

  /**
   * The steps by which a cluster that runs comes to TLS, one process after the other: all take one
   * step before any takes the next.
   */
  public enum Mode {
    /** Agents take no TLS and nobody calls them with it; certificates of the CA are not used. */
    NO,
    /** Takes both, calls without: what processes understand that are still at NO. */
    ACCEPT,
    /** Takes both, calls with TLS. */
    PREFER,
    /** Takes and calls with TLS only, and where there is a CA, believes nothing but it. */
    REQUIRE;

    /** As it is written. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether agents are called with TLS, and a certificate of the CA is shown. */
    public boolean calls() {
      return this == PREFER || this == REQUIRE;
    }
  }

  /**
   * Files in PEM form.
   *
   * @param certificate the process', then those of CAs between it and the root
   * @param key its key, for its owner alone
   * @param authority the cluster's CA; several while one takes over from another
   */
  public record Files(Path certificate, Path key, Path authority) {}

  /**
   * A choice as a configuration has it; each may be empty.
   *
   * @throws AlraiException 1231 with a sentence that says what does not go together
   */
  public static MemberTls of(String mode, String certificate, String key, String authority) {
    long given = Stream.of(certificate, key, authority).filter(text -> !text.isBlank()).count();
    if (given != 0 && given != 3) {
      throw wrong(
          "TLS between members by files wants member.cert, member.key and member.ca: give all three"
              + " or none");
    }
    Optional<Files> files =
        given == 0
            ? Optional.empty()
            : Optional.of(new Files(path(certificate), path(key), path(authority)));
    Mode standard = files.isPresent() ? Mode.REQUIRE : Mode.NO;
    return new MemberTls(mode.isBlank() ? standard : mode(mode.strip()), files);
  }

  /**
   * A mode as it is written.
   *
   * @throws AlraiException 1231: there is none of that name
   */
  public static Mode mode(String text) {
    return Arrays.stream(Mode.values())
        .filter(mode -> mode.text().equals(text))
        .findAny()
        .orElseThrow(() ->
            wrong(
                "member.tls is one of "
                    + Arrays.stream(Mode.values()).map(Mode::text).collect(Collectors.joining(", "))
                    + ", not "
                    + text));
  }

  /** Lines of a role's file, each after a newline. */
  public String text() {
    return "\nmember.tls = "
        + mode.text()
        + "\nmember.cert = "
        + files.map(by -> by.certificate().toString()).orElse("")
        + "\nmember.key = "
        + files.map(by -> by.key().toString()).orElse("")
        + "\nmember.ca = "
        + files.map(by -> by.authority().toString()).orElse("");
  }

  private static Path path(String name) {
    return Path.of(name.strip()).toAbsolutePath();
  }

  private static AlraiException wrong(String sentence) {
    return new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, sentence);
  }
}
