package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.token.TokenCursor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;

/**
 * BINLOG, with which mysqlbinlog begins what it writes: there the event that says in which form
 * events are. That has nothing to do where no others come. Events with rows are refused: they name
 * tables by numbers of another server.
 *
 * <pre>
 * 0         4      5           9          13
 * +---------+------+-----------+----------+--
 * | time    | type | server id | length   | ..
 * +---------+------+-----------+----------+--
 * </pre>
 */
final class BinlogParser {
  private static final int TYPE_AT = 4;
  private static final int LENGTH_AT = 9;
  private static final int HEADER = 19;
  private static final int FORMAT_DESCRIPTION = 15;

  private final TokenCursor tokens;

  BinlogParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  AdminStatement.Parsed parse() {
    tokens.expect("BINLOG");
    String events = tokens.string();
    tokens.expectEnd();
    if (!isFormat(events)) {
      throw AdminParser.notSupported(
          "BINLOG", " of rows; let mysqlbinlog read a log of statements");
    }
    return new AdminStatement.NoOperation("BINLOG");
  }

  private static boolean isFormat(String events) {
    byte[] bytes;
    try {
      bytes = Base64.getMimeDecoder().decode(events);
    } catch (IllegalArgumentException e) {
      // several, each with an end of its own, or no event at all
      return false;
    }
    return bytes.length >= HEADER
        && bytes[TYPE_AT] == FORMAT_DESCRIPTION
        && ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(LENGTH_AT) == bytes.length;
  }
}
