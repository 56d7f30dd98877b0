package io.alrai.cn.trace;

import io.alrai.common.wire.Command;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Texts of statements and commands, as far as a trace shows them. */
public final class TraceText {
  /** More of a text is not shown. */
  static final int MOST_BYTES = 1_024;

  private static final byte[] TRACE = {'T', 'R', 'A', 'C', 'E'};

  private TraceText() {}

  /**
   * Where the statement begins that is to be traced.
   *
   * @return the index after TRACE and blanks; 0 where the text is no such statement
   */
  public static int statement(byte[] sql, int length) {
    int at = blanks(sql, 0, length);
    if (length - at <= TRACE.length || !isTrace(sql, at)) {
      return 0;
    }
    int after = at + TRACE.length;
    int begin = blanks(sql, after, length);
    return begin > after && begin < length ? begin : 0;
  }

  private static boolean isTrace(byte[] sql, int at) {
    for (int i = 0; i < TRACE.length; i++) {
      if ((sql[at + i] & ~0x20) != TRACE[i]) {
        return false;
      }
    }
    return true;
  }

  private static int blanks(byte[] sql, int from, int length) {
    int at = from;
    while (at < length && (sql[at] == ' ' || sql[at] >= '\t' && sql[at] <= '\r')) {
      at++;
    }
    return at;
  }

  /** What a client sent. */
  static String of(byte[] sql, int length) {
    int bytes = Math.min(length, MOST_BYTES);
    return new String(sql, 0, bytes, StandardCharsets.UTF_8) + (bytes < length ? "..." : "");
  }

  /** What is sent to a mysqld. */
  static String of(ByteBuf command) {
    int at = command.readerIndex() + Packets.HEADER;
    int length = command.writerIndex() - at;
    if (length <= 0) {
      return "";
    }
    int code = command.getUnsignedByte(at);
    int bytes = Math.min(length - 1, MOST_BYTES);
    return switch (code) {
      case Command.QUERY -> text(command, at + 1, bytes, length - 1);
      case Command.STMT_PREPARE -> "PREPARE " + text(command, at + 1, bytes, length - 1);
      case Command.STMT_EXECUTE ->
          "EXECUTE " + (length > 4 ? command.getUnsignedIntLE(at + 1) : "");
      case Command.INIT_DB -> "USE " + text(command, at + 1, bytes, length - 1);
      default -> String.format(Locale.ROOT, "command 0x%02x", code);
    };
  }

  private static String text(ByteBuf command, int at, int bytes, int all) {
    return command.toString(at, bytes, StandardCharsets.UTF_8) + (bytes < all ? "..." : "");
  }
}
