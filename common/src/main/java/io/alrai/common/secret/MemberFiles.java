package io.alrai.common.secret;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.certificate.KeyFiles;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process' certificate by the cluster's CA, in files that are read anew when they change: at the
 * next handshake, and not more than once a second. Files that do not go together, as while they are
 * being copied, change nothing. Thread-safe; looks at files on the thread of a handshake.
 */
public final class MemberFiles implements MemberTrust.Voucher {
  private static final Logger log = LoggerFactory.getLogger(MemberFiles.class);
  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Duration SOON = Duration.ofDays(30);
  private static final char[] NO_PASSWORD = {};

  private final MemberTls.Files files;
  private final LongSupplier nanoTime;
  private final InstantSource now;
  private final KeyManager shown = new Shown();
  private volatile Material material;
  private volatile long lookedNanos;

  @GuardedBy("this")
  private List<Stamp> seen;

  /** What a file was like. */
  private record Stamp(FileTime time, long size, Object inode) {}

  /** What was read of them. */
  private record Material(
      X509ExtendedKeyManager own, KeyStore roots, X509Certificate certificate, Instant end) {}

  private MemberFiles(MemberTls.Files files, LongSupplier nanoTime, InstantSource now) {
    this.files = files;
    this.nanoTime = nanoTime;
    this.now = now;
    this.seen = stamps();
    this.material = read();
    this.lookedNanos = nanoTime.getAsLong();
  }

  /**
   * Reads them, and warns of an end that is near.
   *
   * @throws AlraiException with a sentence that says what is wrong with a file
   */
  static MemberFiles open(MemberTls.Files files) {
    MemberFiles opened = open(files, System::nanoTime, InstantSource.system());
    opened.warnOfEnd();
    return opened;
  }

  static MemberFiles open(MemberTls.Files files, LongSupplier nanoTime, InstantSource now) {
    return new MemberFiles(files, nanoTime, now);
  }

  /** When the certificate ends, or a CA that signed it if that is before. */
  public Instant end() {
    return current().end();
  }

  /** Whose it is, as it says. */
  public String name() {
    return name(current().certificate());
  }

  /** Where it is. */
  public Path file() {
    return files.certificate();
  }

  /** Measures when it ends. */
  public void measure(Metrics metrics) {
    metrics.now(Metric.MEMBER_CERTIFICATE_END, () -> end().getEpochSecond());
  }

  private void warnOfEnd() {
    Instant end = material.end();
    if (end.isBefore(now.instant())) {
      log.error(
          "the certificate in {} has ended at {}: other members refuse this process until there is"
              + " a new one (alrai cert renew)",
          files.certificate(),
          end);
    } else if (end.isBefore(now.instant().plus(SOON))) {
      log.warn(
          "the certificate in {} ends at {}: other members refuse this process then (alrai cert"
              + " renew)",
          files.certificate(),
          end);
    }
  }

  KeyManager keyManager() {
    return shown;
  }

  private Material current() {
    if (nanoTime.getAsLong() - lookedNanos >= LOOK_NANOS) {
      look();
    }
    return material;
  }

  private synchronized void look() {
    if (nanoTime.getAsLong() - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = nanoTime.getAsLong();
    try {
      List<Stamp> stamps = stamps();
      if (stamps.equals(seen)) {
        return;
      }
      seen = stamps;
      material = read();
      log.info("the certificate in {} was read anew", files.certificate());
      warnOfEnd();
    } catch (AlraiException e) {
      log.warn("the certificate that was read before is used further: {}", e.sentence());
    }
  }

  private List<Stamp> stamps() {
    List<Stamp> stamps = new ArrayList<>();
    for (Path file : List.of(files.certificate(), files.key(), files.authority())) {
      try {
        var attributes =
            Files.readAttributes(file, java.nio.file.attribute.BasicFileAttributes.class);
        stamps.add(
            new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey()));
      } catch (IOException e) {
        throw wrong(file, "cannot be read: " + FileErrors.text(e), e);
      }
    }
    return stamps;
  }

  private Material read() {
    List<X509Certificate> chain = KeyFiles.certificates(files.certificate());
    PrivateKey key = KeyFiles.key(files.key(), files.certificate(), chain.getFirst());
    List<X509Certificate> authorities = KeyFiles.certificates(files.authority());
    try {
      if (PrivateFiles.openToOthers(files.key())) {
        throw wrong(
            files.key(), "may be read by others than its owner: chmod 600 " + files.key(), null);
      }
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(null, NO_PASSWORD);
      own.setKeyEntry("member", key, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(own, NO_PASSWORD);
      KeyStore roots = KeyStore.getInstance("PKCS12");
      roots.load(null, NO_PASSWORD);
      for (int i = 0; i < authorities.size(); i++) {
        roots.setCertificateEntry("ca-" + i, authorities.get(i));
      }
      requireSigned(chain.getFirst(), Stream.concat(chain.stream().skip(1), authorities.stream()));
      return new Material(
          (X509ExtendedKeyManager) managers.getKeyManagers()[0],
          roots,
          chain.getFirst(),
          end(chain, authorities));
    } catch (GeneralSecurityException | IOException e) {
      throw wrong(files.certificate(), "cannot be used: " + e.getMessage(), e);
    }
  }

  /** A certificate of another CA would be refused by everybody: better said at the start. */
  private void requireSigned(X509Certificate certificate, Stream<X509Certificate> by) {
    if (by.noneMatch(authority -> isSigned(certificate, authority))) {
      throw wrong(
          files.certificate(),
          "(" + name(certificate) + ") was not signed by a CA of " + files.authority(),
          null);
    }
  }

  private static boolean isSigned(X509Certificate certificate, X509Certificate authority) {
    try {
      certificate.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static Instant end(List<X509Certificate> chain, List<X509Certificate> authorities) {
    Instant authority =
        authorities.stream()
            .filter(root -> isSigned(chain.getLast(), root))
            .map(root -> root.getNotAfter().toInstant())
            .max(Instant::compareTo)
            .orElse(Instant.MAX);
    return Stream.concat(
            Stream.of(authority), chain.stream().map(one -> one.getNotAfter().toInstant()))
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  private static String name(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName();
  }

  /** Vouches for certificates that the CA has signed and that are valid now. */
  @Override
  public Optional<String> objection(X509Certificate[] chain) {
    X509Certificate shownByOther = chain[0];
    Instant at = now.instant();
    try {
      trustedAt(at).checkClientTrusted(chain, "UNKNOWN");
      return Optional.empty();
    } catch (CertificateException e) {
      String whose = "shows a certificate (" + name(shownByOther) + ") that ";
      if (shownByOther.getNotAfter().toInstant().isBefore(at)) {
        return Optional.of(
            whose
                + "has ended at "
                + shownByOther.getNotAfter().toInstant()
                + " (alrai cert renew)");
      }
      return Optional.of(
          shownByOther.getNotBefore().toInstant().isAfter(at)
              ? whose
                  + "is valid from "
                  + shownByOther.getNotBefore().toInstant()
                  + " on only: is a clock wrong?"
              : whose + "the cluster's CA does not vouch for: " + e.getMessage());
    }
  }

  /** One manager a handshake: the moment at which certificates must be valid is its parameter. */
  private X509TrustManager trustedAt(Instant at) {
    try {
      PKIXBuilderParameters valid =
          new PKIXBuilderParameters(current().roots(), new X509CertSelector());
      valid.setRevocationEnabled(false);
      valid.setDate(Date.from(at));
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(new CertPathTrustManagerParameters(valid));
      return (X509TrustManager) trust.getTrustManagers()[0];
    } catch (GeneralSecurityException e) {
      throw wrong(files.authority(), "cannot be used: " + e.getMessage(), e);
    }
  }

  private static AlraiException wrong(Path file, String what, @Nullable Exception cause) {
    String sentence = "TLS between members cannot be had: " + file + " " + what;
    return cause == null
        ? new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence)
        : new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence, cause);
  }

  /** Shows what is in the files when it is asked. */
  private final class Shown extends X509ExtendedKeyManager {
    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      return current().own().getClientAliases(type, issuers);
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return current().own().chooseClientAlias(types, issuers, socket);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      return current().own().getServerAliases(type, issuers);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return current().own().chooseServerAlias(type, issuers, socket);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return current().own().chooseEngineClientAlias(types, issuers, engine);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return current().own().chooseEngineServerAlias(type, issuers, engine);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return current().own().getCertificateChain(alias);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return current().own().getPrivateKey(alias);
    }
  }
}
