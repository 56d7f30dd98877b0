package io.alrai.dn.fetch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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

/** Keys that may sign an archive's list, each with its subkeys. */
public final class TrustedKeys {
  private static final String SHIPPED = "debian-archive-keys.asc";

  /** Each takes a digest of the whole list. */
  private static final int MOST_SIGNATURES = 16;

  private static final Set<Integer> HASHES =
      Set.of(HashAlgorithmTags.SHA256, HashAlgorithmTags.SHA384, HashAlgorithmTags.SHA512);

  private final PGPPublicKeyRingCollection rings;

  private TrustedKeys(PGPPublicKeyRingCollection rings) {
    this.rings = rings;
  }

  /** The keys of Debian's archive that Alrai ships. */
  public static TrustedKeys ofDebian() {
    try (InputStream in = TrustedKeys.class.getResourceAsStream(SHIPPED)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + SHIPPED + " in this build");
      }
      return read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Public keys, in ASCII armour or not. */
  public static TrustedKeys read(InputStream in) throws IOException {
    try (InputStream decoded = PGPUtil.getDecoderStream(in)) {
      return new TrustedKeys(
          new PGPPublicKeyRingCollection(decoded, new BcKeyFingerprintCalculator()));
    } catch (PGPException e) {
      throw new IOException("these are no public keys", e);
    }
  }

  /** The fingerprints of the keys, in upper case. */
  Set<String> fingerprints() {
    Set<String> all = new TreeSet<>();
    for (PGPPublicKeyRing ring : rings) {
      all.add(fingerprint(ring.getPublicKey()));
    }
    return all;
  }

  /**
   * Returns when one of these keys, valid at this time, has signed the text.
   *
   * @throws FetchException why there is no such signature
   */
  void requireSignature(ClearSigned file, Instant now) throws FetchException {
    List<String> reasons = new ArrayList<>();
    for (PGPSignature signature : signatures(file.signature())) {
      String reason = whyNot(signature, file.signed(), now);
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
