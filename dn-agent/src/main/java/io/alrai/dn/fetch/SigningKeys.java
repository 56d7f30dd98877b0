package io.alrai.dn.fetch;

import java.time.Instant;
import java.util.Set;

/** Public keys of OpenPGP, each with its subkeys. Any thread. */
public interface SigningKeys {
  /** Their fingerprints, in upper case. */
  Set<String> fingerprints();

  /**
   * Returns when one of them, valid at this time, has signed a text.
   *
   * @param signed the text, in lines that end with CR and LF
   * @param armour signatures, in ASCII armour
   * @throws FetchException why there is no such signature
   */
  void requireSignature(byte[] signed, byte[] armour, Instant now) throws FetchException;
}
