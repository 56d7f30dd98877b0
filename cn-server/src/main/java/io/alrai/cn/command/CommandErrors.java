package io.alrai.cn.command;

import io.alrai.cn.session.LastResult;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;

/** Error packets that the CN sends by itself. Event loop only. */
final class CommandErrors {
  private CommandErrors() {}

  /** Sends an error and records it for SHOW WARNINGS. */
  static void send(ClientConnection connection, AlraiException error, int sequence) {
    connection.services().clients().statementCounts().errors().increment();
    LastResult last = connection.session().last();
    last.rowCount(-1);
    last.diagnostics(Diagnostics.ofError(error));
    ByteBuf out = connection.channel().alloc().buffer(256);
    Packets.writeErr(out, sequence, error.errno(), error.sqlState(), error.sentence());
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
  }

  /** 1041: there is no heap left. */
  static AlraiException noMemory() {
    return new AlraiException(
        ErrorCode.ER_OUT_OF_RESOURCES,
        "Out of memory: the CN has no room for this statement now; send less at once, or give the"
            + " CN more memory");
  }

  /** 1053: the CN ends. */
  static AlraiException ending() {
    return new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "Server shutdown in progress");
  }

  /** 4031: the client has sent nothing for {@code wait_timeout}. */
  static AlraiException inactive() {
    return new AlraiException(
        ErrorCode.ER_CLIENT_INTERACTION_TIMEOUT,
        "The client was disconnected by the server because of inactivity. See wait_timeout and"
            + " interactive_timeout for configuring this behavior.");
  }
}
