package io.alrai.cn.command;

import io.alrai.cn.session.LastResult;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Error packets that the CN sends by itself. Event loop only. */
final class CommandErrors {
  private static final Logger log = LoggerFactory.getLogger(CommandErrors.class);

  private CommandErrors() {}

  /** Counts an error, which is in the session's diagnostics when the statement ends. */
  static void count(ClientConnection connection) {
    connection.services().clients().statementCounts().errors().increment();
    connection.measured().failed();
  }

  /** Sends an error and records it for SHOW WARNINGS. */
  static void send(ClientConnection connection, AlraiException failure, int sequence) {
    AlraiException error = connection.end().told(failure);
    count(connection);
    LastResult last = connection.session().last();
    last.rowCount(-1);
    last.diagnostics(Diagnostics.ofError(error));
    ByteBuf out = connection.channel().alloc().buffer(256);
    Packets.writeErr(out, sequence, error.errno(), error.sqlState(), error.sentence());
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
  }

  /** The client's error for a defect of Alrai, or for a lack of memory or stack. */
  static AlraiException internal(Throwable cause) {
    if (cause instanceof OutOfMemoryError) {
      log.warn("a statement failed for want of memory", cause);
      return noMemory();
    }
    if (cause instanceof StackOverflowError) {
      return AlraiException.tooDeep();
    }
    log.error("a statement failed by a defect", cause);
    return new AlraiException(ErrorCode.ALRAI_INTERNAL, "internal error: " + cause, cause);
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
