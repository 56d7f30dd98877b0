package io.alrai.cn.command;

import io.alrai.cn.session.Diagnostics;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;

/** Error packets that the CN sends by itself. Event loop only. */
final class CommandErrors {
  private CommandErrors() {}

  /** Sends an error and notes it for SHOW WARNINGS. */
  static void send(ClientConnection connection, AlraiException error, int sequence) {
    connection.services().statementCounts().errors().increment();
    Session session = connection.session();
    session.rowCount(-1);
    session.diagnostics(Diagnostics.ofError(error));
    ByteBuf out = connection.channel().alloc().buffer(256);
    Packets.writeErr(out, sequence, error.errno(), error.sqlState(), error.sentence());
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
  }
}
