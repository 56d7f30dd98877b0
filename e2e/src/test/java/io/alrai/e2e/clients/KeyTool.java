package io.alrai.e2e.clients;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Certificates that somebody else has made: keytool of the JDK. */
final class KeyTool {
  private static final String PASSWORD = "not-secret";
  private static final int SECONDS = 60;

  private KeyTool() {}

  /** Two files in PEM form. */
  record Made(Path certificate, Path key) {}

  /**
   * A certificate that has signed itself.
   *
   * @param algorithm RSA or EC
   * @param dnsName whose it is, and 127.0.0.1's
   */
  static Made selfSigned(Path directory, String name, String algorithm, String dnsName)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = directory.resolve(name + "-keys.p12");
    Program.Ending ending =
        Program.run(
            directory,
            Map.of(),
            Optional.empty(),
            SECONDS,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + dnsName + ",ip:127.0.0.1",
                "-validity",
                "30",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
    if (ending.code() != 0) {
      throw new IOException(ending.output());
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    byte[] key = keys.getKey(name, PASSWORD.toCharArray()).getEncoded();
    return new Made(
        pem(
            directory.resolve(name + "-cert.pem"),
            "CERTIFICATE",
            keys.getCertificate(name).getEncoded()),
        pem(directory.resolve(name + "-key.pem"), "PRIVATE KEY", key));
  }

  private static Path pem(Path file, String label, byte[] content) throws IOException {
    return Files.writeString(
        file,
        "-----BEGIN "
            + label
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(content)
            + "\n-----END "
            + label
            + "-----\n");
  }
}
