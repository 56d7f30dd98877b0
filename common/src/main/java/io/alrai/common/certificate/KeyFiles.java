package io.alrai.common.certificate;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and private keys in PEM form: RSA keys in PKCS#8 or PKCS#1, keys on elliptic
 * curves in PKCS#8. What is wrong with a file is said in one sentence. Blocking; any thread.
 */
public final class KeyFiles {
  private static final String RSA = "1.2.840.113549.1.1.1";
  private static final List<String> ALGORITHMS = List.of("RSA", "EC");
  private static final byte[] TRIAL = "a key and its certificate".getBytes(StandardCharsets.UTF_8);

  private KeyFiles() {}

  /**
   * All certificates of a file, of which there is at least one.
   *
   * @throws AlraiException when it cannot be read or has none
   */
  public static List<X509Certificate> certificates(Path file) {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Pem block : blocks(file)) {
        if (block.label().endsWith("CERTIFICATE")) {
          ByteArrayInputStream content = new ByteArrayInputStream(block.content());
          certificates.add((X509Certificate) factory.generateCertificate(content));
        }
      }
    } catch (CertificateException e) {
      throw wrong(file, "has a certificate that cannot be read: " + e.getMessage(), e);
    }
    if (certificates.isEmpty()) {
      throw wrong(file, "has no certificate in it: it wants -----BEGIN CERTIFICATE-----", null);
    }
    return certificates;
  }

  /**
   * The private key of a file.
   *
   * @param certificate that the key must belong to
   * @throws AlraiException when it cannot be read, has no key or another's
   */
  public static PrivateKey key(Path file, Path certificateFile, X509Certificate certificate) {
    PrivateKey key = key(file);
    if (!fits(key, certificate.getPublicKey())) {
      throw wrong(
          file, "has not the key that the certificate in " + certificateFile + " is of", null);
    }
    return key;
  }

  private static PrivateKey key(Path file) {
    for (Pem block : blocks(file)) {
      switch (block.label()) {
        case "PRIVATE KEY" -> {
          return pkcs8(file, block.content());
        }
        case "RSA PRIVATE KEY" -> {
          return pkcs8(file, pkcs8OfRsa(block.content()));
        }
        case "EC PRIVATE KEY" ->
            throw wrong(
                file,
                "has its key in the form of SEC 1; openssl pkcs8 -topk8 -nocrypt makes one of"
                    + " PKCS#8 out of it",
                null);
        default -> {
          if (block.label().startsWith("ENCRYPTED ")) {
            throw wrong(
                file, "has an encrypted key; openssl pkey -in FILE -out FILE decrypts it", null);
          }
        }
      }
    }
    throw wrong(file, "has no private key in it: it wants -----BEGIN PRIVATE KEY-----", null);
  }

  private static List<Pem> blocks(Path file) {
    try {
      return Pem.all(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (NoSuchFileException e) {
      throw wrong(file, "does not exist", e);
    } catch (AccessDeniedException e) {
      throw wrong(file, "may not be read by this user", e);
    } catch (IOException e) {
      throw wrong(file, "cannot be read: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw wrong(file, "is damaged: " + e.getMessage(), e);
    }
  }

  /** {@code SEQUENCE { version, SEQUENCE { algorithm, NULL }, OCTET STRING { the key } }}. */
  private static byte[] pkcs8OfRsa(byte[] pkcs1) {
    return Der.sequence(
        Der.integer(0), Der.sequence(Der.oid(RSA), Der.nothing()), Der.octets(pkcs1));
  }

  private static PrivateKey pkcs8(Path file, byte[] content) {
    @Nullable InvalidKeySpecException last = null;
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(content));
      } catch (InvalidKeySpecException e) {
        last = e;
      } catch (NoSuchAlgorithmException e) {
        throw new AlraiException(
            ErrorCode.ALRAI_INTERNAL, "the Java runtime lacks " + algorithm, e);
      }
    }
    throw wrong(file, "has a private key that is neither RSA nor EC, or damaged", last);
  }

  private static boolean fits(PrivateKey key, PublicKey of) {
    String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(TRIAL);
      byte[] signed = signature.sign();
      signature.initVerify(of);
      signature.update(TRIAL);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false; // a key of another kind
    }
  }

  private static AlraiException wrong(Path file, String what, @Nullable Exception cause) {
    String sentence = "TLS cannot be had: " + file + " " + what;
    return cause == null
        ? new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence)
        : new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence, cause);
  }
}
