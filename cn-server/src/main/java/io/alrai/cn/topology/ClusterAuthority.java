package io.alrai.cn.topology;

import io.alrai.common.certificate.Certificates;
import io.alrai.common.certificate.KeyFiles;
import io.alrai.common.certificate.Pem;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The CA of a cluster of machines, where its files were made: its key stays there, nodes get
 * certificates. Blocking; one thread.
 *
 * <pre>
 * DIR/ca/ca-key.pem               signs
 *    /ca.pem                      its certificate, then that of the CA before, while both count
 *    /HOST/member-cert.pem        of the node of a host
 *         /member-key.pem
 *         /member-ca.pem          as ca.pem
 * </pre>
 */
public final class ClusterAuthority {
  static final String CERTIFICATE = "member-cert.pem";
  static final String KEY = "member-key.pem";
  static final String AUTHORITY = "member-ca.pem";

  /** As long as the CA: a cluster does not stop by itself because nobody renews. */
  public static final int DAYS = 3_650;

  private static final int LONGEST_NAME = 64;

  private final Path directory;
  private final Path authorities;
  private final Path key;

  /** The CA of a directory, which may have none yet. */
  public ClusterAuthority(Path directory) {
    this.directory = directory;
    this.authorities = directory.resolve("ca").resolve("ca.pem");
    this.key = directory.resolve("ca").resolve("ca-key.pem");
  }

  /** Whether there is one. */
  boolean exists() {
    return Files.exists(key);
  }

  /** Makes one, if there is none. */
  void make() {
    if (!exists()) {
      writing(() -> {
        PrivateFiles.directory(directory.resolve("ca"));
        write(fresh(), List.of());
        return key;
      });
    }
  }

  /**
   * Gives a host's node a certificate.
   *
   * @param host a directory
   * @param node the certificate's subject, cut to 64 characters
   */
  void issue(Path host, String node, int days) {
    writing(() -> {
      Certificates.Owned own =
          new Certificates(new SecureRandom(), Instant.now(), Duration.ofDays(days))
              .member(present(), node.substring(0, Math.min(node.length(), LONGEST_NAME)));
      PrivateFiles.write(host.resolve(KEY), new Pem("PRIVATE KEY", own.key().getEncoded()).text());
      PrivateFiles.write(host.resolve(CERTIFICATE), text(List.of(own.certificate())));
      PrivateFiles.write(host.resolve(AUTHORITY), text(believed()));
      return host;
    });
  }

  /**
   * Gives all nodes new certificates by the present CA.
   *
   * @param days for which they are valid, but not longer than the CA
   * @return the directories of the hosts
   * @throws AlraiException with a sentence that says what is in the way
   */
  public List<Path> renew(int days) {
    require();
    return writing(() -> {
      List<Path> hosts = hosts();
      for (Path host : hosts) {
        issue(host, node(host), days);
      }
      return hosts;
    });
  }

  /**
   * Puts a new CA instead of the present one, which is believed further until {@link #finish}:
   * certificates stay as they are.
   *
   * @return the directories of the hosts, whose list of CAs has both
   */
  public List<Path> rotate() {
    require();
    return writing(() -> {
      if (believed().size() > 1) {
        throw wrong(
            "two CAs are believed already: when all nodes have certificates by the new one (alrai"
                + " cert renew), alrai cert rotate --finish ends the old one");
      }
      write(fresh(), believed());
      return tell();
    });
  }

  /**
   * Nobody believes the CA before the present one any more.
   *
   * @return as {@link #rotate}
   */
  public List<Path> finish() {
    require();
    return writing(() -> {
      X509Certificate present = believed().getFirst();
      for (Path host : hosts()) {
        X509Certificate own = KeyFiles.certificates(host.resolve(CERTIFICATE)).getFirst();
        if (!own.getIssuerX500Principal().equals(present.getSubjectX500Principal())) {
          throw wrong(
              host.resolve(CERTIFICATE)
                  + " is by the CA before: alrai cert renew first, and copy what it makes to all"
                  + " machines");
        }
      }
      PrivateFiles.write(authorities, text(List.of(present)));
      return tell();
    });
  }

  private List<Path> tell() throws IOException, GeneralSecurityException {
    List<Path> hosts = hosts();
    for (Path host : hosts) {
      PrivateFiles.write(host.resolve(AUTHORITY), text(believed()));
    }
    return hosts;
  }

  private void require() {
    if (!exists()) {
      throw wrong(
          "there is no "
              + key
              + ": alrai init makes a CA with 'tls: true' in the topology, and its key stays where"
              + " that ran");
    }
  }

  private static Certificates.Owned fresh() throws GeneralSecurityException {
    Instant now = Instant.now();
    return new Certificates(new SecureRandom(), now).authority("Alrai cluster CA of " + now);
  }

  private Certificates.Owned present() {
    X509Certificate certificate = believed().getFirst();
    return new Certificates.Owned(certificate, KeyFiles.key(key, authorities, certificate));
  }

  private List<X509Certificate> believed() {
    return KeyFiles.certificates(authorities);
  }

  private void write(Certificates.Owned fresh, List<X509Certificate> before)
      throws IOException, GeneralSecurityException {
    List<X509Certificate> all = new ArrayList<>(List.of(fresh.certificate()));
    all.addAll(before);
    PrivateFiles.write(key, new Pem("PRIVATE KEY", fresh.key().getEncoded()).text());
    PrivateFiles.write(authorities, text(all));
  }

  private static String text(List<X509Certificate> certificates) throws GeneralSecurityException {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      text.append(new Pem("CERTIFICATE", certificate.getEncoded()).text());
    }
    return text.toString();
  }

  /** Those whose nodes have certificates. */
  private List<Path> hosts() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(host -> Files.exists(host.resolve(CERTIFICATE)))
          .filter(host -> Files.exists(host.resolve(NodeFiles.CONFIG)))
          .sorted()
          .toList();
    }
  }

  private static String node(Path host) throws IOException {
    Properties role = new Properties();
    try (var reader = Files.newBufferedReader(host.resolve(NodeFiles.CONFIG))) {
      role.load(reader);
    }
    return Optional.ofNullable(role.getProperty("node"))
        .orElseThrow(() -> wrong(host.resolve(NodeFiles.CONFIG) + " names no node"));
  }

  /** What writes files. */
  private interface Writing<T> {
    T run() throws IOException, GeneralSecurityException;
  }

  private <T> T writing(Writing<T> work) {
    try {
      return work.run();
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_WRITE,
          "certificates cannot be written to " + directory + ": " + FileErrors.text(e),
          e);
    } catch (GeneralSecurityException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "certificates cannot be made: " + e.getMessage(), e);
    }
  }

  private static AlraiException wrong(String sentence) {
    return new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, sentence);
  }
}
