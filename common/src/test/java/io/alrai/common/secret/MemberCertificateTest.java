package io.alrai.common.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.certificate.Certificates;
import io.alrai.common.error.AlraiException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509KeyManager;
import org.junit.jupiter.api.Test;

/** Who is believed to be a member, and which texts are secrets. */
class MemberCertificateTest {
  private final ClusterSecret secret = new ClusterSecret(ClusterSecret.fresh());
  private final List<String> refused = new ArrayList<>();
  private final X509ExtendedTrustManager members = secret.keys().members(refused::add);

  private static X509Certificate[] shown(MemberCertificate by) {
    return ((X509KeyManager) by.keyManager()).getCertificateChain("member");
  }

  @Test
  void anotherProcessOfTheCluster() throws CertificateException {
    X509Certificate[] other = shown(new MemberCertificate(secret));
    members.checkServerTrusted(other, "EC");
    members.checkClientTrusted(other, "EC");
    assertEquals(List.of(), refused);
  }

  @Test
  void anotherCluster() {
    X509Certificate[] other =
        shown(new MemberCertificate(new ClusterSecret(ClusterSecret.fresh())));
    assertThrows(CertificateException.class, () -> members.checkServerTrusted(other, "EC"));
    assertThrows(CertificateException.class, () -> members.checkClientTrusted(other, "EC"));
    assertEquals(2, refused.size());
  }

  /** A name that was heard is of no use with another key. */
  @Test
  void aMembersNameOnAnotherKey() throws Exception {
    String heard = Certificates.commonName(shown(new MemberCertificate(secret))[0]);
    X509Certificate forged =
        new Certificates(new SecureRandom(), Instant.now()).ofKey(key -> heard).certificate();
    assertThrows(
        CertificateException.class,
        () -> members.checkClientTrusted(new X509Certificate[] {forged}, "EC"));
  }

  @Test
  void secretsHave128Bits() {
    for (String weak :
        List.of("", "of-this-jvm-alone", "a".repeat(64), "0123456789abcdef0123456789abcde")) {
      AlraiException error = assertThrows(AlraiException.class, () -> new ClusterSecret(weak));
      assertTrue(error.sentence().contains("openssl rand -hex 24"), error::sentence);
      assertFalse(weak.length() > 8 && error.sentence().contains(weak), "it tells the secret");
    }
    for (String good :
        List.of(
            ClusterSecret.fresh(), "3q2+7wAbCdEfGhIjKlMnOp", "0123456789abcdef0123456789abcdef")) {
      assertEquals("ClusterSecret", new ClusterSecret(good).toString());
    }
  }
}
