package io.alrai.dn.fetch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A text with its signature in one file, RFC 9580 section 7:
 *
 * <pre>
 *   -----BEGIN PGP SIGNED MESSAGE-----
 *   Hash: SHA256
 *
 *   the text
 *   -----BEGIN PGP SIGNATURE-----
 *   ...
 *   -----END PGP SIGNATURE-----
 * </pre>
 *
 * Nothing may stand before or after it: what is read is what was signed.
 *
 * @param text its lines, each ended by a line break, without blanks at their ends
 * @param signed the bytes that were signed
 * @param signature in ASCII armour
 */
record ClearSigned(String text, byte[] signed, byte[] signature) {
  private static final String BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----";
  private static final String BEGIN_SIGNATURE = "-----BEGIN PGP SIGNATURE-----";
  private static final String END_SIGNATURE = "-----END PGP SIGNATURE-----";

  /**
   * Takes such a file apart.
   *
   * @throws FetchException when it is none
   */
  static ClearSigned of(byte[] file) throws FetchException {
    List<String> lines =
        new String(file, StandardCharsets.ISO_8859_1).lines().map(ClearSigned::trimmed).toList();
    if (lines.isEmpty() || !lines.getFirst().equals(BEGIN)) {
      throw new FetchException("it answers with something else than a signed list (InRelease)");
    }
    int blank = lines.indexOf("");
    int begin = lines.indexOf(BEGIN_SIGNATURE);
    int end = lines.indexOf(END_SIGNATURE);
    if (blank < 0 || begin < blank || end < begin) {
      throw new FetchException("its signed list (InRelease) is cut off");
    }
    if (!lines.subList(1, blank).stream().allMatch(line -> line.startsWith("Hash: "))
        || !lines.subList(end + 1, lines.size()).stream().allMatch(String::isEmpty)) {
      throw new FetchException("its signed list (InRelease) has text beside what is signed");
    }
    List<String> plain = new ArrayList<>();
    for (String line : lines.subList(blank + 1, begin)) {
      if (line.startsWith("-") && !line.startsWith("- ")) {
        throw new FetchException("its signed list (InRelease) has a second message inside");
      }
      plain.add(line.startsWith("- ") ? line.substring(2) : line);
    }
    String signature = String.join("\n", lines.subList(begin, end + 1)) + "\n";
    return new ClearSigned(
        String.join("\n", plain) + "\n",
        String.join("\r\n", plain).getBytes(StandardCharsets.ISO_8859_1),
        signature.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String trimmed(String line) {
    int end = line.length();
    while (end > 0 && (line.charAt(end - 1) == ' ' || line.charAt(end - 1) == '\t')) {
      end--;
    }
    return line.substring(0, end);
  }
}
