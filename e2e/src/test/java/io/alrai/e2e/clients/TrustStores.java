package io.alrai.e2e.clients;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

/** Certificates that Connector/J is to trust. */
final class TrustStores {
  private static final String PASSWORD = "not-secret";

  private TrustStores() {}

  /** Properties of a connection, each with a leading ampersand, that make it trust this CA. */
  static String properties(Path store, Path authority)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    try (InputStream in = Files.newInputStream(authority)) {
      keys.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    try (OutputStream out = Files.newOutputStream(store)) {
      keys.store(out, PASSWORD.toCharArray());
    }
    return "&fallbackToSystemTrustStore=false&trustCertificateKeyStoreType=PKCS12"
        + "&trustCertificateKeyStorePassword="
        + PASSWORD
        + "&trustCertificateKeyStoreUrl="
        + store.toUri();
  }
}
