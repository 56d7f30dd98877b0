package io.alrai.dn.fetch.pgp;

import io.alrai.dn.fetch.FetchException;
import io.alrai.dn.fetch.SigningKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bouncycastle.bcpg.HashAlgorithmTags;
import org.bouncycastle.openpgp.PGPException;
import org.bouncycastle.openpgp.PGPPublicKey;
import org.bouncycastle.openpgp.PGPPublicKeyRing;
import org.bouncycastle.openpgp.PGPPublicKeyRingCollection;
import org.bouncycastle.openpgp.PGPSignature;
import org.bouncycastle.openpgp.PGPSignatureList;
import org.bouncycastle.openpgp.PGPUtil;
import org.bouncycastle.openpgp.bc.BcPGPObjectFactory;
import org.bouncycastle.openpgp.operator.bc.BcKeyFingerprintCalculator;
import org.bouncycastle.openpgp.operator.bc.BcPGPContentVerifierBuilderProvider;

/** Keys by Bouncy Castle, see {@link SigningKeys}. Any thread. */
public final class OpenPgpKeys implements SigningKeys {
  /** Each takes a digest of the whole list. */
  private static final int MOST_SIGNATURES = 16;

  private static final Set<Integer> HASHES =
      Set.of(HashAlgorithmTags.SHA256, HashAlgorithmTags.SHA384, HashAlgorithmTags.SHA512);

  private final PGPPublicKeyRingCollection rings;

  /**
   * Public keys, in ASCII armour or not.
   *
   * @throws IOException these are none
   */
  public OpenPgpKeys(InputStream in) throws IOException {
    try (InputStream decoded = PGPUtil.getDecoderStream(in)) {
      rings = new PGPPublicKeyRingCollection(decoded, new BcKeyFingerprintCalculator());
    } catch (PGPException e) {
      throw new IOException("these are no public keys", e);
    }
  }

  @Override
  public Set<String> fingerprints() {
    Set<String> all = new TreeSet<>();
    for (PGPPublicKeyRing ring : rings) {
      all.add(fingerprint(ring.getPublicKey()));
    }
    return all;
  }

  @Override
  public void requireSignature(byte[] signed, byte[] armour, Instant now) throws FetchException {
    List<String> reasons = new ArrayList<>();
    for (PGPSignature signature : signatures(armour)) {
      String reason = whyNot(signature, signed, now);
      if (reason.isEmpty()) {
        return;
      }
      reasons.add(reason);
    }
    throw new FetchException(
        "its list is not signed as it must be: "
            + (reasons.isEmpty() ? "it has no signature" : String.join("; ", reasons)));
  }

  private static PGPSignatureList signatures(byte[] armour) throws FetchException {
    try (InputStream in = PGPUtil.getDecoderStream(new ByteArrayInputStream(armour))) {
      if (new BcPGPObjectFactory(in).nextObject() instanceof PGPSignatureList list) {
        if (list.size() > MOST_SIGNATURES) {
          throw new FetchException(
              "its list has " + list.size() + " signatures, which no archive's has");
        }
        return list;
      }
      throw new FetchException("its list is not signed as it must be: it has no signature");
    } catch (IOException | RuntimeException e) { // the parser's word for what is malformed
      throw new FetchException("its signature cannot be read", e);
    }
  }

  /** Empty when the signature is good. */
  private String whyNot(PGPSignature signature, byte[] signed, Instant now) {
    String id = HexFormat.of().withUpperCase().toHexDigits(signature.getKeyID());
    PGPPublicKey key = rings.getPublicKey(signature.getKeyID());
    PGPPublicKeyRing ring = rings.getPublicKeyRing(signature.getKeyID());
    if (key == null || ring == null) {
      return "key " + id + " is none of those that this version of Alrai knows";
    }
    for (PGPPublicKey one : List.of(key, ring.getPublicKey())) {
      String reason = whyNotValid(one, signature.getCreationTime().toInstant(), now);
      if (!reason.isEmpty()) {
        return reason;
      }
    }
    if (signature.getSignatureType() != PGPSignature.CANONICAL_TEXT_DOCUMENT
        || !HASHES.contains(signature.getHashAlgorithm())) {
      return "the signature of key " + id + " is of a kind that is not taken";
    }
    return isGood(signature, key, signed) ? "" : "the signature of key " + id + " does not fit";
  }

  private static String whyNotValid(PGPPublicKey key, Instant signedAt, Instant now) {
    String name = "key " + fingerprint(key);
    Instant begin = key.getCreationTime().toInstant();
    if (key.hasRevocation()) {
      return name + " was revoked";
    }
    if (signedAt.isBefore(begin) || now.isBefore(begin)) {
      return name + " is of a later day, " + begin + ": is this machine's clock right?";
    }
    long seconds = key.getValidSeconds();
    if (seconds > 0 && !now.isBefore(begin.plusSeconds(seconds))) {
      return name
          + " has expired on "
          + begin.plusSeconds(seconds)
          + ": a newer version of Alrai has newer keys";
    }
    return "";
  }

  private static boolean isGood(PGPSignature signature, PGPPublicKey key, byte[] signed) {
    try {
      signature.init(new BcPGPContentVerifierBuilderProvider(), key);
      signature.update(signed);
      return signature.verify();
    } catch (PGPException | RuntimeException e) { // of another kind than its key, for example
      return false;
    }
  }

  private static String fingerprint(PGPPublicKey key) {
    return HexFormat.of().withUpperCase().formatHex(key.getFingerprint());
  }
}
