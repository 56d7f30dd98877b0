package io.alrai.common.certificate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.SignatureException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What DER looks like, and that Java's own checks of certificates are content with ours. */
class CertificatesTest {
  private static final Instant NOW = Instant.parse("2026-11-22T09:00:00Z");
  private static final Instant EARLIER = Instant.parse("2026-11-22T08:00:00Z");

  private final Certificates certificates = new Certificates(new SecureRandom(), NOW);

  private static void expect(String hex, byte[] der) {
    assertEquals(hex, HexFormat.ofDelimiter(" ").formatHex(der));
  }

  @Test
  void elements() {
    expect("30 03 02 01 05", Der.sequence(Der.integer(5)));
    expect("02 02 00 80", Der.integer(128));
    expect("02 01 80", Der.integer(-128));
    expect("01 01 ff", Der.truth());
    expect("05 00", Der.nothing());
    expect("0c 03 c3 a9 41", Der.utf8("éA"));
    expect("03 02 01 06", Der.bits(new byte[] {6}, 1));
    expect("06 09 2a 86 48 86 f7 0d 01 01 01", Der.oid("1.2.840.113549.1.1.1"));
    expect("06 03 55 1d 11", Der.oid("2.5.29.17"));
    expect("a0 03 02 01 02", Der.explicit(0, Der.integer(2)));
    expect("82 01 61", Der.implicit(2, "a".getBytes(StandardCharsets.US_ASCII)));
    expect("17 0d 32 36 31 31 32 32 30 39 30 30 30 30 5a", Der.time(NOW)); // 261122090000Z
    expect(
        "18 0f 32 30 35 30 30 31 30 31 30 30 30 30 30 30 5a",
        Der.time(Instant.parse("2050-01-01T00:00:00Z")));
  }

  @Test
  void lengths() {
    for (int length : new int[] {0, 127, 128, 255, 256, 65_535, 65_536}) {
      byte[] der = Der.octets(new byte[length]);
      String header = HexFormat.of().formatHex(der, 0, der.length - length).substring(2);
      String expected =
          length < 128
              ? String.format("%02x", length)
              : length < 256
                  ? String.format("81%02x", length)
                  : length < 65_536
                      ? String.format("82%04x", length)
                      : String.format("83%06x", length);
      assertEquals(expected, header);
    }
  }

  @Test
  void aServerWhoseCaSignsForIt() throws Exception {
    Certificates.Owned authority = certificates.authority("Our_CA");
    Certificates.Owned server = server(authority);
    X509Certificate certificate = server.certificate();
    assertEquals(3, certificate.getVersion());
    assertEquals("CN=server", certificate.getSubjectX500Principal().getName());
    assertEquals("CN=Our_CA", certificate.getIssuerX500Principal().getName());
    assertEquals(
        Set.of(List.of(2, "localhost"), List.of(7, "127.0.0.1"), List.of(7, "0:0:0:0:0:0:0:1")),
        Set.copyOf(certificate.getSubjectAlternativeNames()));
    assertEquals(List.of("1.3.6.1.5.5.7.3.1"), certificate.getExtendedKeyUsage());
    assertEquals(-1, certificate.getBasicConstraints());
    assertEquals(Integer.MAX_VALUE, authority.certificate().getBasicConstraints());
    assertEquals(1, certificate.getSerialNumber().signum());
    assertNotEquals(BigInteger.ZERO, certificate.getSerialNumber());
    assertEquals(Date.from(EARLIER), certificate.getNotBefore());
    assertEquals(Date.from(EARLIER.plusSeconds(3650L * 86_400)), certificate.getNotAfter());
    assertArrayEquals(
        ofKeyIdentifier(authority.certificate(), "2.5.29.14", 4),
        ofKeyIdentifier(certificate, "2.5.29.35", 6));
    validate(authority, server);
  }

  private Certificates.Owned server(Certificates.Owned authority) throws Exception {
    return certificates.server(
        authority,
        "server",
        List.of("localhost"),
        List.of(InetAddress.getByName("127.0.0.1"), InetAddress.getByName("::1")));
  }

  /** The last 20 bytes of an extension, after its headers. */
  private static byte[] ofKeyIdentifier(X509Certificate certificate, String id, int headers) {
    byte[] extension = certificate.getExtensionValue(id);
    assertEquals(headers + 20, extension.length);
    return Arrays.copyOfRange(extension, headers, extension.length);
  }

  private static void validate(Certificates.Owned authority, Certificates.Owned server)
      throws Exception {
    PKIXParameters parameters =
        new PKIXParameters(Set.of(new TrustAnchor(authority.certificate(), null)));
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(NOW));
    CertPathValidator.getInstance("PKIX")
        .validate(
            CertificateFactory.getInstance("X.509").generateCertPath(List.of(server.certificate())),
            parameters);
  }

  @Test
  void anotherCaOfTheSameNameHasNotSigned() throws Exception {
    Certificates.Owned server = server(certificates.authority("Our_CA"));
    Certificates.Owned other = certificates.authority("Our_CA");
    assertThrows(
        SignatureException.class,
        () -> server.certificate().verify(other.certificate().getPublicKey()));
  }
}
