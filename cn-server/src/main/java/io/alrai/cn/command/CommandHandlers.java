package io.alrai.cn.command;

import io.alrai.cn.prepared.QueryAttributes;
import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Packets;
import io.alrai.gms.api.Catalog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import java.nio.charset.StandardCharsets;

/** The handlers of one client's commands, by their first byte. Event loop only. */
final class CommandHandlers {
  private final ClientConnection connection;
  private final QueryHandler query;
  private final StatementHandler statements;
  private final ConnectionHandler connections;
  private final FileTransfer files;
  private final PinnedForward forward;

  CommandHandlers(ClientConnection connection) {
    this.connection = connection;
    this.files = new FileTransfer(connection);
    StatementAdmission admission = new StatementAdmission(connection);
    StatementRepeats repeats = new StatementRepeats(connection, admission);
    this.forward = new PinnedForward(connection, repeats);
    this.query = new QueryHandler(connection, forward, files, admission, repeats);
    this.statements = new StatementHandler(connection, forward, query);
    this.connections = new ConnectionHandler(connection, statements);
  }

  /** KILL QUERY of what reads a file of the client; see {@link FileTransfer#kill}. */
  boolean killFile() {
    return files.kill();
  }

  /** Ends a statement that waits for a branch, as {@link PinnedForward#giveUp} says. */
  void giveUp(AlraiException reason) {
    forward.giveUp(reason);
  }

  /** Whether the client's next packets are pieces of a file. */
  boolean fileWanted() {
    return files.wanted();
  }

  void filePacket(ByteBuf packet) {
    files.packet(packet);
  }

  /**
   * What a session does at work of which nothing is noted.
   *
   * @param commands how many have come in all
   */
  Activity activity(int commands) {
    Session session = connection.session();
    long now = connection.services().clients().wallMillis().getAsLong();
    return query.atWork().activity(session, now - session.idleness().commandMillis(commands));
  }

  void gone() {
    files.abort();
    statements.gone();
  }

  /**
   * Handles a command of one or more packets; the caller releases them.
   *
   * @throws AlraiException what the client gets as an error
   */
  void dispatch(ByteBuf packets) {
    int at = packets.readerIndex();
    int length = packets.getUnsignedMediumLE(at);
    if (length < Packets.MAX_PAYLOAD) {
      connection.firstSequence(1);
      dispatch(packets, packets.slice(at + Packets.HEADER, length));
      return;
    }
    CompositeByteBuf joined = joined(packets);
    connection.firstSequence(joined.numComponents() & 0xff);
    try {
      dispatch(packets, joined);
    } finally {
      joined.release();
    }
  }

  /** Handlers that need the payload for longer retain it. */
  private void dispatch(ByteBuf packets, ByteBuf payload) {
    if (!payload.isReadable()) {
      throw AlraiException.malformed();
    }
    int command = payload.getUnsignedByte(payload.readerIndex());
    Session session = connection.session();
    query.atWork().none();
    connection.measured().parent(null); // that of a command that began nothing
    switch (command) {
      case Command.QUERY -> query(packets, payload);
      case Command.STMT_EXECUTE -> statements.execute(payload);
      case Command.STMT_FETCH -> statements.fetch(payload);
      case Command.STMT_PREPARE -> statements.prepare(payload);
      case Command.STMT_CLOSE -> statements.close(payload);
      case Command.STMT_RESET -> statements.reset(payload);
      case Command.STMT_SEND_LONG_DATA -> statements.longData(payload);
      case Command.PING -> connection.ok(0, 1);
      case Command.QUIT -> connection.channel().close();
      case Command.INIT_DB -> {
        useSchema(
            connection.services().gms().catalog(),
            session,
            payload.toString(
                payload.readerIndex() + 1, payload.readableBytes() - 1, StandardCharsets.UTF_8));
        connection.ok(0, 1);
      }
      case Command.STATISTICS -> connections.statistics();
      case Command.SET_OPTION -> connections.setOption(payload);
      case Command.RESET_CONNECTION -> connections.reset();
      case Command.CHANGE_USER -> connections.changeUser(payload);
      case Command.FIELD_LIST -> connections.fieldList(payload);
      case Command.PROCESS_KILL -> connections.kill(payload);
      default -> throw new AlraiException(ErrorCode.ER_UNKNOWN_COM_ERROR, "Unknown command");
    }
  }

  private void query(ByteBuf packets, ByteBuf payload) {
    if (!connection.session().client().capabilities().queryAttributes()) {
      query.handle(packets, payload);
      return;
    }
    int attributes = QueryAttributes.length(payload);
    if (connection.measured().becomesSpan()) {
      connection.measured().parent(QueryAttributes.text(payload, "traceparent"));
    }
    int command = payload.skipBytes(attributes).readerIndex();
    payload.setByte(command, Command.QUERY);
    if (payload instanceof CompositeByteBuf) {
      query.handle(null, payload);
      return;
    }
    // the space of the attributes before the text has room for the packet's header
    int header = packets.skipBytes(attributes).readerIndex();
    packets.setMediumLE(header, payload.readableBytes()).setByte(header + 3, 0);
    query.handle(packets, payload);
  }

  /** The payload of several packets without their headers; to be released. */
  private static CompositeByteBuf joined(ByteBuf packets) {
    CompositeByteBuf whole = packets.alloc().compositeBuffer(64);
    int at = packets.readerIndex();
    while (at < packets.writerIndex()) {
      int length = packets.getUnsignedMediumLE(at);
      whole.addComponent(true, packets.retainedSlice(at + Packets.HEADER, length));
      at += Packets.HEADER + length;
    }
    return whole;
  }

  /**
   * Chooses the session's schema.
   *
   * @throws AlraiException 1044 when its account has nothing to do there, 1049 when there is none
   *     of that name
   */
  static void useSchema(Catalog catalog, Session session, String name) {
    PrivilegeCheck.requireUse(session, catalog, name);
    if (catalog.schema(name).isEmpty() && !SystemSchemas.isOne(name)) {
      throw new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + name + "'");
    }
    session.schema(name);
  }
}
