package io.alrai.dn.binlog;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an XA branch.
 *
 * @param format any number; Alrai's own branches have 1
 * @param gtrid up to 64 bytes, one character for each
 * @param bqual the same
 */
public record Xid(int format, String gtrid, String bqual) {
  private static final Pattern LITERAL =
      Pattern.compile("X'([0-9a-fA-F]*)'\\s*,\\s*X'([0-9a-fA-F]*)'\\s*,\\s*(-?\\d+)");

  /** Finds the name in a statement as the binary log has it: {@code XA COMMIT X'..',X'..',1}. */
  static Optional<Xid> in(String statement) {
    Matcher found = LITERAL.matcher(statement);
    if (!found.find()) {
      return Optional.empty();
    }
    return Optional.of(
        new Xid(Integer.parseInt(found.group(3)), text(found.group(1)), text(found.group(2))));
  }

  private static String text(String hex) {
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
  }
}
