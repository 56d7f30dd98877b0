package io.alrai.dn.link;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The name of a branch at its mysqld: format 1, the transaction's gtrid, the DN's name as branch
 * qualifier.
 */
public final class XaName {
  /** The only format Alrai uses. */
  static final int FORMAT = 1;

  private XaName() {}

  /**
   * The name as the XA statements take it: {@code x'..',x'..',1}. In hexadecimal, because mysqld
   * converts quoted text to the session's character_set_connection: with ucs2 there, {@code 'ab'}
   * is a name of four bytes.
   */
  public static Sql name(TransactionId id, DnId dn) {
    return bytes(id.gtrid()).words(",").add(bytes(dn.name())).words(",").number(FORMAT);
  }

  /** Text as a literal of its bytes in UTF-8, which no session setting changes. */
  public static Sql bytes(String text) {
    return Sql.EMPTY.hex(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads a row of {@code XA RECOVER CONVERT XID}.
   *
   * @param data {@code 0x} and the bytes of gtrid and branch qualifier
   * @return the transaction when the branch is one of Alrai's on this DN
   */
  public static Optional<TransactionId> recovered(
      int format, int gtridLength, int bqualLength, String data, DnId dn) {
    if (format != FORMAT
        || !data.startsWith("0x")
        || data.length() != 2 + 2 * (gtridLength + bqualLength)) {
      return Optional.empty();
    }
    byte[] bytes = HexFormat.of().parseHex(data, 2, data.length());
    String gtrid = new String(bytes, 0, gtridLength, StandardCharsets.ISO_8859_1);
    String bqual = new String(bytes, gtridLength, bqualLength, StandardCharsets.ISO_8859_1);
    return own(format, gtrid, bqual, dn);
  }

  /** The transaction whose branch on a DN has this name, when it is one of Alrai's. */
  public static Optional<TransactionId> own(int format, String gtrid, String bqual, DnId dn) {
    if (format != FORMAT || !bqual.equals(dn.name()) || !TransactionId.isGtrid(gtrid)) {
      return Optional.empty();
    }
    try {
      return Optional.of(TransactionId.parse(gtrid));
    } catch (IllegalArgumentException e) {
      // somebody else's name that happens to have our prefix and colons
      return Optional.empty();
    }
  }
}
