package io.alrai.cn.branch;

import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** Command packets for branches. */
public final class Commands {
  /** A text shorter than that is one packet, with room for more. */
  public static final int SMALL = 1 << 20;

  private Commands() {}

  /** COM_QUERY with a text of the CN's, for a branch that reads UTF-8. */
  public static ByteBuf query(ByteBufAllocator alloc, Sql sql) {
    return query(alloc, sql.text().getBytes(StandardCharsets.UTF_8));
  }

  /** COM_QUERY with the text in the branch's character set. */
  public static ByteBuf query(ByteBufAllocator alloc, byte[] sql) {
    return command(alloc, Command.QUERY, sql);
  }

  /** COM_INIT_DB. */
  public static ByteBuf initDb(ByteBufAllocator alloc, String schema) {
    return command(alloc, Command.INIT_DB, schema.getBytes(StandardCharsets.UTF_8));
  }

  /** Any command with its argument. */
  public static ByteBuf command(ByteBufAllocator alloc, int command, byte[] argument) {
    ByteBuf out = alloc.buffer(argument.length + Packets.HEADER + 1);
    Packets.writeCommand(out, command, argument);
    return out;
  }
}
