package io.alrai.cn.command;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.BranchStatements;
import io.alrai.cn.forward.ForwardSender;
import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.prepared.BoundParameters;
import io.alrai.cn.prepared.ExecutePacket;
import io.alrai.cn.result.CursorResult;
import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.session.PreparedStatement;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.CountedStatement;
import io.alrai.cn.trace.TraceText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState.PreparedOnServer;
import io.alrai.dn.link.BranchState.StatementKey;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReplySink;
import io.alrai.executor.fragment.Plan;
import io.alrai.optimizer.api.Planned.Work;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/**
 * Prepared statements of the binary protocol. Their metadata comes from the shadow schema; an
 * execution that is pinned runs as a prepared statement of the branch, any other as text. Event
 * loop only.
 */
final class StatementHandler {
  private static final byte[] NO_TYPES = {};

  private final ClientConnection connection;
  private final PinnedForward forward;
  private final QueryHandler query;
  private final KeptStatements<Integer> statements;
  private final StatementCursors cursors;
  private int nextId;

  StatementHandler(ClientConnection connection, PinnedForward forward, QueryHandler query) {
    this.connection = connection;
    this.forward = forward;
    this.query = query;
    this.cursors = new StatementCursors(connection);
    this.statements =
        new KeptStatements<>(
            connection.services().clients().sessions().prepared(), new HashMap<>());
  }

  /** STMT_PREPARE. */
  void prepare(ByteBuf payload) {
    statements.requireRoom(payload.readableBytes());
    Session session = connection.session();
    byte[] sent = new byte[payload.readableBytes() - 1];
    payload.getBytes(payload.readerIndex() + 1, sent);
    int traced = TraceText.statement(sent, sent.length);
    byte[] sql = traced == 0 ? sent : Arrays.copyOfRange(sent, traced, sent.length);
    StatementPlanner planner = query.planner();
    int count = planner.scan(session, sql, sql.length);
    if (count == 0) {
      throw new AlraiException(ErrorCode.ER_EMPTY_QUERY, "Query was empty");
    }
    if (count > 1) {
      throw new AlraiException(
          ErrorCode.ER_PARSE_ERROR,
          "You have an error in your SQL syntax; a prepared statement holds one statement");
    }
    began(CountedStatement.STMT_PREPARE);
    PreparedStatement statement =
        new PreparedStatement(++nextId, sql, planner.snapshot(), traced > 0);
    planner.authorize(session, statement.shaped());
    ShadowBranch.takeToPrepare(
        connection,
        statement.text(),
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            PreparedReply reply = new PreparedReply(connection, statement, branch, statements);
            reply.start();
          }

          @Override
          public void refused(AlraiException reason) {
            connection.fail(reason, connection.firstSequence());
          }
        });
  }

  private void began(CountedStatement command) {
    connection
        .session()
        .own()
        .statements()
        .began(command, connection.services().clients().sessions().uses());
  }

  /** STMT_EXECUTE. */
  void execute(ByteBuf payload) {
    connection.services().clients().statementCounts().statements().increment();
    connection.session().own().statements().question();
    began(CountedStatement.STMT_EXECUTE);
    query.repeats().next();
    run(payload, true);
  }

  private void begins(PreparedStatement statement, boolean first) {
    query.atWork().kept(statement.sql(), statement.sql().length);
    if (first) {
      connection.measured().begins(statement.sql(), statement.sql().length);
      connection.measured().scanned(statement.shaped());
      if (statement.traced()) {
        connection.measured().traced();
      }
    }
  }

  /**
   * Runs it.
   *
   * @param first whether it is not run again
   */
  private void run(ByteBuf payload, boolean first) {
    PreparedStatement statement = find(payload);
    begins(statement, first);
    StatementCursors.close(statement);
    statement.longData().check();
    Session session = connection.session();
    ExecutePacket packet =
        new ExecutePacket(payload, statement, session.client().capabilities().queryAttributes());
    BoundParameters values = new BoundParameters(packet, session.variables().lexicalMode());
    connection.measured().bound(values);
    PlannedStatement planned = query.planner().plan(session, statement.shaped(), values);
    if (first) {
      query.counted(planned, session, true);
    }
    if (!query.admission().enters(planned)) {
      executeLater(statement, payload);
      return;
    }
    PinnedForward.Completion completion =
        (sequence, failed) -> {
          statement.longData().clear();
          connection.done();
        };
    boolean cursor = packet.wantsCursor() && StatementCursors.canBeOf(planned.planned().work());
    if (planned.planned().work() instanceof Work.Administrative) {
      if (!query
          .dispatcher()
          .forward(
              planned,
              null,
              statement.sql(),
              statement.sql().length,
              0,
              connection.firstSequence(),
              null,
              completion)) {
        slow(planned, statement, payload, cursor, completion);
      }
      return;
    }
    query.dispatcher().beginIfNeeded(planned);
    if (cursor) {
      slow(planned, statement, payload, true, completion);
      return;
    }
    query.dispatcher().chooseReplicas(planned);
    StatementDispatch.Pinned pinned =
        planned.planned().work() instanceof Work.Data data
            ? query.dispatcher().pinned(data.plan(), planned)
            : null;
    if (pinned != null && pinned.text() instanceof Plan.StatementText.Verbatim) {
      payload.retain();
      forward.replyKeeper().execution(session, pinned, packet);
      forward(new Execution(statement, payload, packet, pinned), completion);
      return;
    }
    slow(planned, statement, payload, false, completion);
  }

  private void forward(Execution execution, PinnedForward.Completion completion) {
    StatementDispatch.Pinned pinned = execution.pinned;
    forward.forward(
        new ForwardBranches.Request(
            pinned.dn(),
            BackendAccount.DATA,
            "",
            pinned.physicalSchema(),
            pinned.access(),
            pinned.idOfClient(),
            0,
            connection.firstSequence()),
        execution,
        completion);
  }

  /** Runs it slowly; its parameters are kept for as long as it may have to run again. */
  private void slow(
      PlannedStatement planned,
      PreparedStatement statement,
      ByteBuf payload,
      boolean cursor,
      PinnedForward.Completion completion) {
    payload.retain();
    ResultWriter writer = cursor ? cursors.begin() : writer();
    Runnable over =
        () -> {
          payload.release();
          if (writer instanceof CursorResult kept) {
            cursors.over(statement, kept);
          }
        };
    try {
      query.slow(
          planned,
          statement.sql(),
          false,
          writer,
          error -> {
            again(statement, payload, error);
            over.run();
          },
          (sequence, failed) -> {
            over.run();
            completion.done(sequence, failed);
          });
    } catch (RuntimeException notBegun) {
      over.run();
      throw notBegun;
    }
  }

  private ResultWriter writer() {
    Session session = connection.session();
    return new ResultWriter(
        connection.output(),
        session.client().capabilities().deprecateEof(),
        true,
        connection.firstSequence(),
        session::stateChange);
  }

  private void again(PreparedStatement statement, ByteBuf payload, AlraiException error) {
    payload.retain();
    query
        .repeats()
        .runAgain(error, statement.sql(), connection.firstSequence(), () -> run(payload, false))
        .whenComplete((done, failed) -> payload.release());
  }

  private void executeLater(PreparedStatement statement, ByteBuf payload) {
    payload.retain();
    query
        .admission()
        .whenEntered(statement.sql(), connection.firstSequence(), () -> run(payload, false))
        .whenComplete((done, error) -> payload.release());
  }

  /** One execution on a branch: prepared there first if it is new to it. */
  private final class Execution implements ForwardSender {
    private final PreparedStatement statement;
    private final ByteBuf payload;
    private final ExecutePacket packet;
    private final StatementDispatch.Pinned pinned;

    Execution(
        PreparedStatement statement,
        ByteBuf payload,
        ExecutePacket packet,
        StatementDispatch.Pinned pinned) {
      this.statement = statement;
      this.payload = payload;
      this.packet = packet;
      this.pinned = pinned;
    }

    @Override
    public void send(Branch branch, ReplySink reply) {
      String schema =
          pinned.physicalSchema().isEmpty()
              ? branch.state().preparesUnder()
              : pinned.physicalSchema();
      StatementKey key =
          new StatementKey(
              schema,
              statement.text(),
              connection.session().variables().settings(),
              statement.parameterTypes());
      PreparedOnServer known = branch.state().statements().get(key);
      if (known == null || branch.state().choosesFor(schema)) {
        // otherwise the mysqld changes to it and back, from a schema that may have been dropped
        BranchPreparation.queue(
            branch, connection.session().variables().ofBackends(), pinned.physicalSchema());
      }
      if (known != null) {
        run(branch, known, reply);
        return;
      }
      BranchStatements.prepare(
          branch, key, statement.sql(), fresh -> run(branch, fresh, reply), reply);
    }

    @Override
    public boolean sendsText() {
      return false;
    }

    @Override
    public boolean runsAgain() {
      return true;
    }

    @Override
    public void again(AlraiException error) {
      StatementHandler.this.again(statement, payload, error);
    }

    @Override
    public void over() {
      payload.release();
    }

    private void run(Branch branch, PreparedOnServer server, ReplySink reply) {
      statement
          .longData()
          .forEach((parameter, data) -> branch.sendQuietly(longData(server.id(), parameter, data)));
      boolean whole = connection.session().transaction().views().keepsReads();
      byte[] bound = whole ? NO_TYPES : server.boundTypes();
      branch.send(
          packet.forServer(ByteBufAllocator.DEFAULT, server.id(), bound), ReplyKind.RESULTS, reply);
      server.boundTypes(packet.types());
      branch.flush();
    }
  }

  private static ByteBuf longData(int serverId, int parameter, byte[] data) {
    ByteBuf body = ByteBufAllocator.DEFAULT.buffer(data.length + 7);
    body.writeByte(Command.STMT_SEND_LONG_DATA).writeIntLE(serverId).writeShortLE(parameter);
    body.writeBytes(data);
    ByteBuf out = ByteBufAllocator.DEFAULT.buffer(data.length + 16);
    Packets.write(out, 0, body);
    body.release();
    return out;
  }

  /** STMT_FETCH. */
  void fetch(ByteBuf payload) {
    requireBytes(payload, 9);
    PreparedStatement statement = find(payload);
    began(CountedStatement.STMT_FETCH);
    cursors.fetch(statement, payload.getUnsignedIntLE(payload.readerIndex() + 5));
  }

  /** STMT_CLOSE: has no reply, unless it is malformed. */
  void close(ByteBuf payload) {
    requireBytes(payload, 5);
    PreparedStatement closed = statements.remove(payload.getIntLE(payload.readerIndex() + 1));
    if (closed != null) {
      began(CountedStatement.STMT_CLOSE);
      forget(closed);
    }
    connection.done();
  }

  /** STMT_RESET. */
  void reset(ByteBuf payload) {
    PreparedStatement statement = find(payload);
    statement.longData().reset();
    StatementCursors.close(statement);
    began(CountedStatement.STMT_RESET);
    connection.ok(0, 1);
  }

  /** STMT_SEND_LONG_DATA: has no reply, unless it is malformed. */
  void longData(ByteBuf payload) {
    requireBytes(payload, 7);
    int at = payload.readerIndex();
    PreparedStatement statement = statements.get(payload.getIntLE(at + 1));
    if (statement != null) {
      int parameter = payload.getUnsignedShortLE(at + 5);
      int most = connection.services().statements().maxAllowedPacket();
      statement
          .longData()
          .add(parameter, statement.parameters(), payload.duplicate().skipBytes(7), most);
    }
    connection.done();
  }

  /** The client has left: forgets its statements. */
  void gone() {
    statements.all().forEach(StatementHandler::forget);
    statements.close();
    query.gone();
  }

  /** Forgets all statements, for RESET_CONNECTION and CHANGE_USER. */
  void clear() {
    statements.all().forEach(StatementHandler::forget);
    statements.clear();
    query.clear();
  }

  private static void forget(PreparedStatement statement) {
    statement.longData().clear();
    StatementCursors.close(statement);
  }

  private static void requireBytes(ByteBuf payload, int least) {
    if (payload.readableBytes() < least) {
      throw AlraiException.malformed();
    }
  }

  private PreparedStatement find(ByteBuf payload) {
    requireBytes(payload, 5);
    int id = payload.getIntLE(payload.readerIndex() + 1);
    @Nullable PreparedStatement statement = statements.get(id);
    if (statement == null) {
      throw new AlraiException(
          ErrorCode.ER_UNKNOWN_STMT_HANDLER,
          "Unknown prepared statement handler ("
              + Integer.toUnsignedString(id)
              + ") given to mysql_stmt_precheck");
    }
    return statement;
  }
}
