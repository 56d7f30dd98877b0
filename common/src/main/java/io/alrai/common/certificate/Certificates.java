package io.alrai.common.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A CA of our own and a certificate that it has signed, with keys on the curve P-256 (RFC 5280, RFC
 * 5480). One thread.
 *
 * <pre>
 * Certificate = SEQUENCE { TBSCertificate, algorithm, signature }
 * TBSCertificate = SEQUENCE { [0] version, serial, algorithm, issuer, validity, subject, key,
 *                             [3] extensions }
 * </pre>
 */
public final class Certificates {
  private static final String CURVE = "secp256r1";
  private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String SUBJECT_KEY = "2.5.29.14";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String SUBJECT_NAMES = "2.5.29.17";
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";
  private static final String AUTHORITY_KEY = "2.5.29.35";
  private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
  private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";
  private static final int NAME_OF_DNS = 2;
  private static final int NAME_OF_ADDRESS = 7;
  private static final int VERSION_3 = 2;

  /** A clock that is behind ours by less than this takes a certificate that was made just now. */
  private static final Duration EARLIER = Duration.ofHours(1);

  private static final Duration VALID = Duration.ofDays(3650);

  private final SecureRandom random;
  private final Instant now;
  private final Duration valid;

  /** Certificates that are valid from an hour before now on, for ten years. */
  public Certificates(SecureRandom random, Instant now) {
    this(random, now, VALID);
  }

  /**
   * Certificates of another validity.
   *
   * @param valid from an hour before now on, or as long as the CA, if that ends before
   */
  public Certificates(SecureRandom random, Instant now, Duration valid) {
    this.random = random;
    this.now = now;
    this.valid = valid;
  }

  /** A certificate and its private key. */
  public record Owned(X509Certificate certificate, PrivateKey key) {}

  /** A CA that has signed itself. */
  public Owned authority(String name) throws GeneralSecurityException {
    KeyPair keys = keys();
    byte[] certSignAndCrlSign = {0x06};
    List<byte[]> extensions =
        List.of(
            extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.truth())),
            extension(KEY_USAGE, true, Der.bits(certSignAndCrlSign, 1)),
            extension(SUBJECT_KEY, false, Der.octets(identifier(keys.getPublic()))));
    return signed(keys, name, name, extensions, keys.getPrivate(), from().plus(valid));
  }

  /**
   * A server's.
   *
   * @param dnsNames under which clients reach it
   * @param addresses the same
   */
  public Owned server(
      Owned authority, String name, List<String> dnsNames, List<InetAddress> addresses)
      throws GeneralSecurityException {
    List<byte[]> names = new ArrayList<>();
    for (String dns : dnsNames) {
      names.add(Der.implicit(NAME_OF_DNS, dns.getBytes(StandardCharsets.US_ASCII)));
    }
    for (InetAddress address : addresses) {
      names.add(Der.implicit(NAME_OF_ADDRESS, address.getAddress()));
    }
    return endEntity(
        authority,
        name,
        List.of(
            extension(EXTENDED_KEY_USAGE, false, Der.sequence(Der.oid(SERVER_AUTHENTICATION))),
            extension(SUBJECT_NAMES, false, Der.sequence(names.toArray(new byte[0][])))));
  }

  /**
   * One that is shown on both ends of connections, whatever their hosts.
   *
   * @param name of at most 64 characters
   */
  public Owned member(Owned authority, String name) throws GeneralSecurityException {
    return endEntity(
        authority,
        name,
        List.of(
            extension(
                EXTENDED_KEY_USAGE,
                false,
                Der.sequence(Der.oid(SERVER_AUTHENTICATION), Der.oid(CLIENT_AUTHENTICATION)))));
  }

  private Owned endEntity(Owned authority, String name, List<byte[]> own)
      throws GeneralSecurityException {
    KeyPair keys = keys();
    byte[] digitalSignature = {(byte) 0x80};
    byte[] issuerKey = identifier(authority.certificate().getPublicKey());
    List<byte[]> extensions = new ArrayList<>();
    extensions.add(extension(BASIC_CONSTRAINTS, true, Der.sequence()));
    extensions.add(extension(KEY_USAGE, true, Der.bits(digitalSignature, 7)));
    extensions.addAll(own);
    extensions.add(extension(SUBJECT_KEY, false, Der.octets(identifier(keys.getPublic()))));
    extensions.add(extension(AUTHORITY_KEY, false, Der.sequence(Der.implicit(0, issuerKey))));
    Instant authoritysEnd = authority.certificate().getNotAfter().toInstant();
    Instant end = from().plus(valid);
    return signed(
        keys,
        name,
        commonName(authority.certificate()),
        extensions,
        authority.key(),
        end.isBefore(authoritysEnd) ? end : authoritysEnd);
  }

  /**
   * One that has signed itself and stands for nothing but its key.
   *
   * @param name gives its subject, of at most 64 characters, from the key
   */
  public Owned ofKey(Function<PublicKey, String> name) throws GeneralSecurityException {
    KeyPair keys = keys();
    String subject = name.apply(keys.getPublic());
    byte[] digitalSignature = {(byte) 0x80};
    List<byte[]> extensions =
        List.of(
            extension(BASIC_CONSTRAINTS, true, Der.sequence()),
            extension(KEY_USAGE, true, Der.bits(digitalSignature, 7)));
    return signed(keys, subject, subject, extensions, keys.getPrivate(), from().plus(valid));
  }

  /** The subject of a certificate that was made here: it has nothing else. */
  public static String commonName(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName().substring("CN=".length());
  }

  private KeyPair keys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(CURVE), random);
    return generator.generateKeyPair();
  }

  private Instant from() {
    return now.minus(EARLIER);
  }

  private Owned signed(
      KeyPair keys,
      String subject,
      String issuer,
      List<byte[]> extensions,
      PrivateKey signer,
      Instant end)
      throws GeneralSecurityException {
    byte[] algorithm = Der.sequence(Der.oid(ECDSA_WITH_SHA256));
    byte[] signedPart =
        Der.sequence(
            Der.explicit(0, Der.integer(VERSION_3)),
            Der.integer(new BigInteger(Long.SIZE - 1, random).setBit(Long.SIZE - 2)),
            algorithm,
            name(issuer),
            Der.sequence(Der.time(from()), Der.time(end)),
            name(subject),
            keys.getPublic().getEncoded(),
            Der.explicit(3, Der.sequence(extensions.toArray(new byte[0][]))));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(signer, random);
    signature.update(signedPart);
    byte[] whole = Der.sequence(signedPart, algorithm, Der.bits(signature.sign()));
    return new Owned(
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(whole)),
        keys.getPrivate());
  }

  private static byte[] name(String commonName) {
    return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.utf8(commonName))));
  }

  private static byte[] extension(String id, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.oid(id), Der.truth(), Der.octets(value))
        : Der.sequence(Der.oid(id), Der.octets(value));
  }

  /** Names a key: any digest of it will do (RFC 7093). */
  private static byte[] identifier(PublicKey key) throws GeneralSecurityException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
    return Arrays.copyOf(digest, 20);
  }
}
