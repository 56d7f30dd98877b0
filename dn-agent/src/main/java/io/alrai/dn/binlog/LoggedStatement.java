package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement that the log has as text: DDL above all.
 *
 * @param schema the session's current one; may be empty
 * @param text as it was sent, by UTF-8
 */
public record LoggedStatement(String schema, String text) {
  /**
   * All statements of a transaction, its brackets (BEGIN, XA) included.
   *
   * @throws BinlogException when its events are not held
   */
  public static List<LoggedStatement> of(BinlogTransaction transaction) {
    List<LoggedStatement> statements = new ArrayList<>();
    transaction.forEachEvent(event -> {
      if (event.type() == EventType.QUERY) {
        statements.add(read(event));
      }
    });
    return statements;
  }

  private static LoggedStatement read(Event event) {
    ByteBuf buf = event.bytes();
    int schemaLength = buf.getUnsignedByte(event.body() + 8);
    int status = buf.getUnsignedShortLE(event.body() + 11);
    int schema = event.body() + TransactionAssembler.QUERY_POST_HEADER + status;
    int text = schema + schemaLength + 1;
    return new LoggedStatement(
        buf.toString(schema, schemaLength, StandardCharsets.UTF_8),
        buf.toString(text, event.bodyEnd() - text, StandardCharsets.UTF_8));
  }
}
