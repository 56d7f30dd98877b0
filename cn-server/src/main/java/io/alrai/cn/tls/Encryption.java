package io.alrai.cn.tls;

import javax.net.ssl.SSLSession;

/**
 * How a client's connection is encrypted, in the words of OpenSSL, which are those of MySQL.
 *
 * @param version for example {@code TLSv1.3}; empty for a connection in the clear
 * @param cipher for example {@code TLS_AES_128_GCM_SHA256}; empty for a connection in the clear
 */
public record Encryption(String version, String cipher) {
  /** None. */
  public static final Encryption NONE = new Encryption("", "");

  /** The encryption of a session whose handshake is done. */
  public static Encryption of(SSLSession session) {
    return new Encryption(session.getProtocol(), ofOpenSsl(session.getCipherSuite()));
  }

  /** The name that OpenSSL has for a cipher suite of Java's; those of TLS 1.3 are the same. */
  static String ofOpenSsl(String suite) {
    int with = suite.indexOf("_WITH_");
    if (with < 0) {
      return suite;
    }
    String exchange = suite.substring("TLS_".length(), with);
    String cipher = suite.substring(with + "_WITH_".length());
    return (exchange + "_" + cipher)
        .replaceFirst("_POLY1305_SHA256$", "_POLY1305")
        .replaceFirst("AES_(\\d+)", "AES$1")
        .replace('_', '-');
  }

  /** Whether there is any. */
  public boolean on() {
    return !version.isEmpty();
  }
}
