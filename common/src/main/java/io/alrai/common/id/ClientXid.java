package io.alrai.common.id;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The name that a client, or its transaction manager, gives to its part of an XA transaction.
 *
 * @param format 1 unless the client says another one
 * @param gtrid of the whole transaction; each character is a byte
 * @param bqual of this part; each character is a byte
 */
public record ClientXid(long format, String gtrid, String bqual) {
  /** Most bytes of a gtrid, and of a bqual. */
  public static final int MOST_BYTES = 64;

  private static final HexFormat HEX = HexFormat.of();

  /** As the row of a prepared transaction has it: format, gtrid and bqual, these in hexadecimal. */
  public String text() {
    return format + ":" + HEX.formatHex(bytes(gtrid)) + ":" + HEX.formatHex(bytes(bqual));
  }

  /** Reads {@link #text} back. */
  public static ClientXid parse(String text) {
    String[] parts = text.split(":", -1);
    return new ClientXid(Long.parseLong(parts[0]), latin1(parts[1]), latin1(parts[2]));
  }

  private static String latin1(String hex) {
    return new String(HEX.parseHex(hex), StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The bytes of both parts, as XA RECOVER has them. */
  public byte[] data() {
    return bytes(gtrid + bqual);
  }

  /** The XID in the form of XA RECOVER CONVERT XID. */
  public String hexData() {
    return "0x" + HEX.withUpperCase().formatHex(data());
  }
}
