package io.alrai.cn.tls;

import io.alrai.common.certificate.Certificates;
import io.alrai.common.certificate.Pem;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code DIR/tls}, with certificates that are made when there is no such directory:
 *
 * <pre>
 * ca.pem            the CA's certificate, for clients
 * ca-key.pem        its key, which nothing needs any more
 * server-cert.pem   the endpoint's certificate
 * server-key.pem    its key
 * </pre>
 *
 * Blocking; safe for several processes at once.
 */
final class OwnCertificates {
  static final String AUTHORITY = "ca.pem";
  static final String AUTHORITY_KEY = "ca-key.pem";
  static final String CERTIFICATE = "server-cert.pem";
  static final String KEY = "server-key.pem";

  private static final String AUTHORITY_NAME = "Alrai_Auto_Generated_CA_Certificate";
  private static final String SERVER_NAME = "Alrai_Auto_Generated_Server_Certificate";
  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> SECRET =
      PosixFilePermissions.fromString("rw-------");

  private OwnCertificates() {}

  /**
   * The files of a data directory.
   *
   * @throws AlraiException when they cannot be made, or some are missing
   */
  static TlsFiles in(Path data) {
    Path directory = data.toAbsolutePath().resolve("tls");
    try {
      if (Files.notExists(directory)) {
        make(directory);
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "certificates for TLS cannot be made in " + directory + ": " + e.getMessage(),
          e);
    }
    for (String needed : List.of(CERTIFICATE, KEY)) {
      if (Files.notExists(directory.resolve(needed))) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "TLS cannot be had: "
                + directory
                + " has no "
                + needed
                + ": put it there, or delete the directory, so that all are made anew");
      }
    }
    Path authority = directory.resolve(AUTHORITY);
    return new TlsFiles(
        directory.resolve(CERTIFICATE),
        directory.resolve(KEY),
        Files.exists(authority) ? Optional.of(authority) : Optional.empty());
  }

  /** All or none: they are written beside it, and then get its name. */
  private static void make(Path directory) throws IOException, GeneralSecurityException {
    Certificates certificates = new Certificates(new SecureRandom(), Instant.now());
    Certificates.Owned authority = certificates.authority(AUTHORITY_NAME);
    List<InetAddress> addresses =
        List.of(InetAddress.getByName("127.0.0.1"), InetAddress.getByName("::1"));
    Certificates.Owned server =
        certificates.server(authority, SERVER_NAME, List.of("localhost"), addresses);
    Files.createDirectories(directory.getParent());
    Path fresh = Files.createTempDirectory(directory.getParent(), ".tls");
    try {
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
      write(fresh.resolve(AUTHORITY), READABLE, certificate(authority.certificate()));
      write(fresh.resolve(AUTHORITY_KEY), SECRET, key(authority.key()));
      write(fresh.resolve(CERTIFICATE), READABLE, certificate(server.certificate()));
      write(fresh.resolve(KEY), SECRET, key(server.key()));
      Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      } // another process was faster: its files count
    } finally {
      remove(fresh);
    }
  }

  /** What was not given its name. */
  private static void remove(Path fresh) throws IOException {
    for (String file : List.of(AUTHORITY, AUTHORITY_KEY, CERTIFICATE, KEY)) {
      Files.deleteIfExists(fresh.resolve(file));
    }
    Files.deleteIfExists(fresh);
  }

  private static Pem certificate(X509Certificate certificate) throws GeneralSecurityException {
    return new Pem("CERTIFICATE", certificate.getEncoded());
  }

  private static Pem key(PrivateKey key) {
    return new Pem("PRIVATE KEY", key.getEncoded());
  }

  private static void write(Path file, Set<PosixFilePermission> permissions, Pem content)
      throws IOException {
    FileAttribute<?> narrow = PosixFilePermissions.asFileAttribute(SECRET);
    Set<StandardOpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(file, fresh, narrow)) {
      channel.write(ByteBuffer.wrap(content.bytes()));
      channel.force(true);
    }
    Files.setPosixFilePermissions(file, permissions);
  }
}
