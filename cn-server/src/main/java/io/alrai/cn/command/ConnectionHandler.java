package io.alrai.cn.command;

import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Packets;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** Commands about the connection itself. Event loop only. */
final class ConnectionHandler {
  private final ClientConnection connection;
  private final StatementHandler statements;

  ConnectionHandler(ClientConnection connection, StatementHandler statements) {
    this.connection = connection;
    this.statements = statements;
  }

  /**
   * STATISTICS: one packet of text, with the words of a mysqld. A CN opens no tables: these are 0.
   */
  void statistics() {
    CnServices services = connection.services();
    long seconds =
        Math.max(
            1,
            (services.clients().wallMillis().getAsLong() - services.clients().startedMillis())
                / 1000);
    long questions = services.clients().statementCounts().statements().sum();
    String text =
        String.format(
            Locale.ROOT,
            "Uptime: %d  Threads: %d  Questions: %d  Slow queries: %d  Opens: 0  Flush tables: 0"
                + "  Open tables: 0  Queries per second avg: %.3f",
            seconds,
            services.clients().sessions().all().size(),
            questions,
            services.clients().digests().slowLog().slow(),
            (double) questions / seconds);
    ByteBuf out = connection.channel().alloc().buffer(256);
    int header = Packets.begin(out, 1);
    out.writeCharSequence(text, StandardCharsets.UTF_8);
    Packets.end(out, header);
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
    connection.done();
  }

  /** SET_OPTION: multi-statements on (0) or off (1). */
  void setOption(ByteBuf payload) {
    if (payload.readableBytes() < 3) {
      throw AlraiException.malformed();
    }
    int option = payload.getUnsignedShortLE(payload.readerIndex() + 1);
    if (option > 1) {
      throw new AlraiException(ErrorCode.ER_UNKNOWN_COM_ERROR, "Unknown command");
    }
    Session session = connection.session();
    session.client().multiStatements(option == 0);
    ByteBuf out = connection.channel().alloc().buffer(16);
    if (session.client().capabilities().deprecateEof()) {
      Packets.writeResultEnd(out, 1, 0, session.statusFlags());
    } else {
      Packets.writeEof(out, 1, 0, session.statusFlags());
    }
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
    connection.done();
  }

  /** RESET_CONNECTION: the session begins anew, but keeps its schema. */
  void reset() {
    Session session = connection.session();
    letGo(session)
        .whenComplete((done, error) -> {
          clear(session);
          connection.ok(0, 1);
        });
  }

  /** Ends what the session has open or locked; never fails. */
  private static CompletableFuture<Void> letGo(Session session) {
    SessionTransaction transaction = session.transaction();
    return transaction
        .rollback()
        .thenRun(transaction.clientXa()::forget)
        .thenCompose(done -> transaction.held().tableLocks().unlock())
        .thenCompose(done -> transaction.held().namedLocks().releaseAll())
        .thenRun(() -> {
          transaction.held().temporary().drop();
          transaction.held().admission().releaseAll();
        });
  }

  private void clear(Session session) {
    statements.clear();
    session.reset(connection.services().gms().catalog());
    session.last().diagnostics(Diagnostics.NONE);
  }

  /** CHANGE_USER: a new login on the same connection. */
  void changeUser(ByteBuf payload) {
    UserChange change = UserChange.parse(payload);
    Session session = connection.session();
    letGo(session)
        .whenComplete((done, error) -> {
          clear(session);
          new UserChangeDialog(connection, change).start();
        });
  }

  /** FIELD_LIST: deprecated; column definitions of a table with defaults, without a result set. */
  void fieldList(ByteBuf payload) {
    ByteBuf in = payload.skipBytes(1);
    int end = in.bytesBefore((byte) 0);
    if (end < 0) {
      throw AlraiException.malformed();
    }
    String table = in.readCharSequence(end, StandardCharsets.UTF_8).toString();
    Session session = connection.session();
    if (!session.schema().isEmpty()) {
      PrivilegeCheck.check(
          new Needs(List.of(new Need.OnTable(session.schema(), table, Privilege.SELECT.bit()))),
          session,
          connection.services().gms().catalog());
    }
    ShadowBranch.take(connection, new FieldList(connection, table));
  }

  /** PROCESS_KILL. */
  void kill(ByteBuf payload) {
    if (payload.readableBytes() < 5) {
      throw AlraiException.malformed();
    }
    int id = payload.getIntLE(payload.readerIndex() + 1);
    LoopStatements.kills(connection)
        .run(id, false, connection.session())
        .whenComplete((done, error) -> {
          if (error == null) {
            connection.ok(0, 1);
          } else {
            connection.fail(AlraiException.causeOf(error), 1);
          }
        });
  }
}
