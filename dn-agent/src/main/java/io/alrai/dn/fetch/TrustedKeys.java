package io.alrai.dn.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Set;

/** Keys that may sign an archive's list, each with its subkeys. Any thread. */
public final class TrustedKeys {
  private static final String SHIPPED = "debian-archive-keys.asc";

  private final SigningKeys keys;

  private TrustedKeys(SigningKeys keys) {
    this.keys = keys;
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

  /**
   * Public keys, in ASCII armour or not.
   *
   * @throws IOException these are none
   */
  public static TrustedKeys read(InputStream in) throws IOException {
    return new TrustedKeys(OpenPgpLibrary.read(in));
  }

  /** The fingerprints of the keys, in upper case. */
  Set<String> fingerprints() {
    return keys.fingerprints();
  }

  /**
   * Returns when one of these keys, valid at this time, has signed the text.
   *
   * @throws FetchException why there is no such signature
   */
  void requireSignature(ClearSigned file, Instant now) throws FetchException {
    keys.requireSignature(file.signed(), file.signature(), now);
  }
}
