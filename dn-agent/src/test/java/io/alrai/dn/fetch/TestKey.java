package io.alrai.dn.fetch;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.bcpg.ArmoredOutputStream;
import org.bouncycastle.bcpg.HashAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyPacket;
import org.bouncycastle.crypto.generators.RSAKeyPairGenerator;
import org.bouncycastle.crypto.params.RSAKeyGenerationParameters;
import org.bouncycastle.openpgp.PGPException;
import org.bouncycastle.openpgp.PGPKeyPair;
import org.bouncycastle.openpgp.PGPKeyRingGenerator;
import org.bouncycastle.openpgp.PGPPublicKeyRing;
import org.bouncycastle.openpgp.PGPSignature;
import org.bouncycastle.openpgp.PGPSignatureGenerator;
import org.bouncycastle.openpgp.PGPSignatureSubpacketGenerator;
import org.bouncycastle.openpgp.operator.bc.BcPGPContentSignerBuilder;
import org.bouncycastle.openpgp.operator.bc.BcPGPDigestCalculatorProvider;
import org.bouncycastle.openpgp.operator.bc.BcPGPKeyPair;

/** A key made for a test, which signs as an archive does. */
public final class TestKey {
  private final PGPKeyPair pair;
  private final PGPPublicKeyRing ring;

  private TestKey(PGPKeyPair pair, PGPPublicKeyRing ring) {
    this.pair = pair;
    this.ring = ring;
  }

  /** One that was made yesterday and does not expire. */
  public static TestKey make() {
    return make(Duration.ZERO);
  }

  /** One that was made yesterday and is valid so long; 0 is for ever. */
  static TestKey make(Duration validity) {
    RSAKeyPairGenerator generator = new RSAKeyPairGenerator();
    generator.init(
        new RSAKeyGenerationParameters(BigInteger.valueOf(65537), new SecureRandom(), 2048, 80));
    try {
      PGPKeyPair pair =
          new BcPGPKeyPair(
              PublicKeyPacket.VERSION_4,
              PublicKeyAlgorithmTags.RSA_GENERAL,
              generator.generateKeyPair(),
              Date.from(Instant.now().minus(Duration.ofDays(1))));
      PGPSignatureSubpacketGenerator packets = new PGPSignatureSubpacketGenerator();
      if (!validity.isZero()) {
        packets.setKeyExpirationTime(true, validity.toSeconds());
      }
      PGPKeyRingGenerator ring =
          new PGPKeyRingGenerator(
              PGPSignature.POSITIVE_CERTIFICATION,
              pair,
              "A key of a test",
              new BcPGPDigestCalculatorProvider().get(HashAlgorithmTags.SHA1),
              packets.generate(),
              null,
              signer(HashAlgorithmTags.SHA256),
              null);
      return new TestKey(pair, ring.generatePublicKeyRing());
    } catch (PGPException e) {
      throw new AssertionError(e);
    }
  }

  private static BcPGPContentSignerBuilder signer(int hash) {
    return new BcPGPContentSignerBuilder(PublicKeyAlgorithmTags.RSA_GENERAL, hash);
  }

  /** In ASCII armour. */
  public byte[] publicKey() {
    return armoured(ring::encode);
  }

  /** This key alone. */
  public TrustedKeys trusted() {
    try {
      return TrustedKeys.read(new ByteArrayInputStream(publicKey()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The text with its signature, in one file. */
  byte[] sign(String text) {
    return sign(text, HashAlgorithmTags.SHA256);
  }

  byte[] sign(String text, int hash) {
    String stripped = text.stripTrailing();
    String canonical = stripped.replaceAll("[ \\t]*\\n", "\r\n");
    byte[] signature =
        armoured(out -> {
          try {
            PGPSignatureGenerator generator =
                new PGPSignatureGenerator(signer(hash), pair.getPublicKey());
            generator.init(PGPSignature.CANONICAL_TEXT_DOCUMENT, pair.getPrivateKey());
            generator.update(canonical.getBytes(StandardCharsets.UTF_8));
            generator.generate().encode(out);
          } catch (PGPException e) {
            throw new AssertionError(e);
          }
        });
    String escaped = stripped.replaceAll("(?m)^-", "- -");
    return ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"
            + escaped
            + "\n"
            + new String(signature, StandardCharsets.US_ASCII))
        .getBytes(StandardCharsets.UTF_8);
  }

  private interface Encoding {
    void to(OutputStream out) throws IOException;
  }

  private static byte[] armoured(Encoding encoding) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = ArmoredOutputStream.builder().clearHeaders().build(bytes)) {
      encoding.to(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }
}
