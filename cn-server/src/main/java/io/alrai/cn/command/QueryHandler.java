package io.alrai.cn.command;

import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.service.StatementCounts;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.StatementKinds;
import io.alrai.cn.settings.UsedAccount;
import io.alrai.cn.statement.StartedStatement;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.trace.TraceText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ServerStatus;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.text.SyntaxError;
import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * COM_QUERY: one statement, or several that run one after the other until one fails. Event loop
 * only.
 */
final class QueryHandler {

  private final ClientConnection connection;
  private final FileTransfer files;
  private final StatementPlanner planner;
  private final StatementDispatch dispatch;
  private final NamedStatements names;
  private final RoutinePath routines;
  private final StatementAdmission admission;
  private final StatementRepeats repeats;
  private final StatementCounts counts;
  private final TextAtWork atWork = new TextAtWork();
  private byte[] scratch = new byte[1024];

  QueryHandler(
      ClientConnection connection,
      PinnedForward forward,
      FileTransfer files,
      StatementAdmission admission,
      StatementRepeats repeats) {
    this.admission = admission;
    this.repeats = repeats;
    this.connection = connection;
    this.files = files;
    this.planner = connection.services().statements().planners().apply(connection.loop());
    this.counts = connection.services().clients().statementCounts();
    this.names = new NamedStatements(connection, planner);
    this.dispatch = new StatementDispatch(connection, forward);
    this.routines = new RoutinePath(connection, planner, dispatch, names);
  }

  StatementPlanner planner() {
    return planner;
  }

  TextAtWork atWork() {
    return atWork;
  }

  StatementDispatch dispatcher() {
    return dispatch;
  }

  StatementAdmission admission() {
    return admission;
  }

  StatementRepeats repeats() {
    return repeats;
  }

  /** The client has left. */
  void gone() {
    names.gone();
  }

  /** Forgets named statements and open handlers, for RESET_CONNECTION and CHANGE_USER. */
  void clear() {
    names.clear();
    routines.closeHandlers();
  }

  /**
   * Whether a text consists of comments: MySQL answers OK to it, but reports a text of blanks as
   * empty.
   */
  private static boolean isComment(byte[] sql, int length) {
    String text = new String(sql, 0, length, StandardCharsets.ISO_8859_1).strip();
    return text.startsWith("-") || text.startsWith("#") || text.startsWith("/");
  }

  /**
   * Handles the command; an exception is the client's error.
   *
   * @param packets all of the command, for a mysqld; null where that is not as the client sent it
   */
  void handle(@Nullable ByteBuf packets, ByteBuf payload) {
    int length = textLength(payload);
    byte[] sql = bytes(length);
    payload.getBytes(payload.readerIndex() + 1, sql, 0, length);
    if (sql == scratch) {
      atWork.kept(sql, length);
    } else {
      atWork.passing(sql, length);
    }
    Session session = connection.session();
    int count = planner.scan(session, sql, length);
    if (count == 0 && isComment(sql, length)) {
      connection.ok(0, connection.firstSequence());
      return;
    }
    if (count == 0) {
      throw new AlraiException(ErrorCode.ER_EMPTY_QUERY, "Query was empty");
    }
    if (count > 1 && !session.client().multiStatements()) {
      throw unexpectedSecond(session, sql, length);
    }
    if (count > 1 || TraceText.statement(sql, length) > 0) {
      List<int[]> ranges = count > 1 ? planner.statements() : List.of(new int[] {0, length});
      new Several(ranges, sql == scratch ? Arrays.copyOf(sql, length) : sql)
          .next(connection.firstSequence());
      return;
    }
    begins(session, sql, length);
    PlannedStatement planned;
    try {
      planned = counted(planner.plan(session), session, true);
    } catch (AlraiException e) {
      byte[] text = Arrays.copyOf(sql, length);
      RefusedText.fail(connection, planner, text, e, connection.firstSequence());
      return;
    }
    run(
        planned,
        packets,
        sql,
        length,
        false,
        connection.firstSequence(),
        (sequence, failed) -> connection.done());
  }

  /** The planner has scanned it. */
  private void begins(Session session, byte[] sql, int length) {
    connection.measured().begins(sql, length);
    connection.measured().scanned(planner.scanned());
    counts.statements().increment();
    session.own().statements().question();
    repeats.next();
  }

  /**
   * The statement is known: it counts.
   *
   * @param asked whether the client has sent it, not named it
   * @throws AlraiException 1226 where the account has had enough of them
   */
  PlannedStatement counted(PlannedStatement planned, Session session, boolean asked) {
    UsedAccount used = session.user().login().used();
    if (used != null) {
      used.statement(asked, StatementKinds.of(planned.planned().work()));
    }
    connection.measured().planned(planned.planned().work());
    connection.end().begins(planned.planned());
    session
        .own()
        .statements()
        .began(planned.planned().work(), connection.services().clients().sessions().uses());
    return planned;
  }

  /** Runs one text statement; {@code packets} as {@link StatementDispatch#forward} has them. */
  private void run(
      PlannedStatement planned,
      @Nullable ByteBuf packets,
      byte[] sql,
      int length,
      boolean more,
      int sequence,
      PinnedForward.Completion completion) {
    NamedStatements.@Nullable Execution named = null;
    if (planned.planned().work() instanceof Work.Administrative(AdminStatement.Execute execute)) {
      named = names.execution(execute);
      connection.measured().scanned(named.planned().statement());
      connection.end().begins(named.planned().planned()); // what it waits for counts
    }
    if (!admission.enters(named == null ? planned : named.planned())) {
      runWhenEntered(planned, Arrays.copyOf(sql, length), more, sequence, completion);
      return;
    }
    int flag = more ? ServerStatus.MORE_RESULTS_EXISTS : 0;
    Consumer<AlraiException> again =
        error -> {
          byte[] lasting = Arrays.copyOf(sql, length);
          repeats.runAgain(
              error, lasting, sequence, () -> runText(lasting, more, sequence, completion));
        };
    if (named != null) {
      execute(named, more, sequence, again, completion);
      return;
    }
    if (planned.planned().work() instanceof Work.Administrative admin
        && byName(admin.statement(), flag, sequence, completion)) {
      return;
    }
    if (!dispatch.forward(planned, packets, sql, length, flag, sequence, again, completion)) {
      byte[] lasting = sql == scratch ? Arrays.copyOf(sql, length) : sql;
      slow(planned, lasting, more, textWriter(sequence), again, completion);
    }
  }

  /** Its plan is kept while it waits, and is for that time's catalog only. */
  private void runWhenEntered(
      PlannedStatement planned,
      byte[] sql,
      boolean more,
      int sequence,
      PinnedForward.Completion completion) {
    Session session = connection.session();
    PlannedStatement kept = planned.detached();
    long version = planner.catalogVersion(session);
    admission.whenEntered(
        sql,
        sequence,
        () -> {
          if (planner.catalogVersion(session) == version) {
            run(kept, null, sql, sql.length, more, sequence, completion);
          } else {
            runText(sql, more, sequence, completion);
          }
        });
  }

  private void runText(
      byte[] sql, boolean more, int sequence, PinnedForward.Completion completion) {
    Session session = connection.session();
    planner.scan(session, sql, sql.length);
    run(planner.plan(session), null, sql, sql.length, more, sequence, completion);
  }

  private boolean byName(
      AdminStatement statement, int flag, int sequence, PinnedForward.Completion completion) {
    switch (statement) {
      case AdminStatement.Prepare prepare -> names.prepare(prepare, flag, sequence, completion);
      case AdminStatement.Deallocate gone -> names.deallocate(gone, flag, sequence, completion);
      case AdminStatement.Execute _,
          AdminStatement.OnLoop _,
          AdminStatement.OnSession _,
          AdminStatement.OnCn _ -> {
        return false;
      }
    }
    return true;
  }

  private void execute(
      NamedStatements.Execution execution,
      boolean more,
      int sequence,
      Consumer<AlraiException> again,
      PinnedForward.Completion completion) {
    int flag = more ? ServerStatus.MORE_RESULTS_EXISTS : 0;
    PlannedStatement planned = counted(execution.planned(), connection.session(), false);
    byte[] sql = execution.sql();
    if (planned.planned().work() instanceof Work.Data) {
      dispatch.beginIfNeeded(planned);
      dispatch.chooseReplicas(planned);
    } else if (dispatch.forward(planned, null, sql, sql.length, flag, sequence, null, completion)) {
      return;
    }
    slow(planned, sql, more, textWriter(sequence), again, completion);
  }

  /** The syntax error at the second statement, for a client without CLIENT_MULTI_STATEMENTS. */
  private AlraiException unexpectedSecond(Session session, byte[] sql, int length) {
    int start = planner.statements().get(1)[0];
    while (start < length && Character.isWhitespace(sql[start])) {
      start++;
    }
    Charset charset = session.variables().lexicalMode().charset();
    return SyntaxError.at(
        new String(sql, 0, length, charset), new String(sql, 0, start, charset).length());
  }

  /**
   * The length without the NUL that clients in C, such as mysqlslap, may count as part of their
   * text.
   */
  private static int textLength(ByteBuf payload) {
    int length = payload.readableBytes() - 1;
    boolean terminated = length > 0 && payload.getByte(payload.writerIndex() - 1) == 0;
    return terminated ? length - 1 : length;
  }

  private byte[] bytes(int length) {
    if (length > ShapeScanner.SHARED_BEYOND) {
      return new byte[length];
    }
    if (scratch.length < length) {
      scratch = new byte[Math.max(length, scratch.length * 2)];
    }
    return scratch;
  }

  private ResultWriter textWriter(int sequence) {
    return new ResultWriter(
        connection.output(),
        connection.session().client().capabilities().deprecateEof(),
        false,
        sequence,
        connection.session()::stateChange);
  }

  /**
   * Runs a statement that is not forwarded: on a virtual thread, or where its shards can be asked
   * from here and answer shortly on the event loop.
   *
   * @param writer of its result, nothing of which is sent yet
   * @param again runs it again, on the event loop
   */
  void slow(
      PlannedStatement planned,
      byte[] sql,
      boolean more,
      ResultWriter writer,
      Consumer<AlraiException> again,
      PinnedForward.Completion completion) {
    PlannedStatement lasting = planned.detached();
    Session session = connection.session();
    int sequence = writer.nextSequence();
    StatementRun run =
        new StatementRun(
            session,
            connection.shards(),
            lasting.statement(),
            sql,
            lasting.values(),
            writer,
            more,
            routines.functions(),
            files.from(sequence, writer));
    LongSupplier wallMillis = connection.services().clients().wallMillis();
    session.activity(
        Activity.query(sql, session.variables().lexicalMode(), wallMillis.getAsLong()));
    SlowEnding ending = new SlowEnding(repeats, planned.planned().work());
    Runnable after =
        () -> {
          connection.measured().sent(writer.rowsWritten());
          if (ending.failed()) {
            CommandErrors.count(connection);
          }
          session.activity(Activity.none(wallMillis.getAsLong()));
          AlraiException passing = ending.passing();
          if (passing == null) {
            completion.done(writer.nextSequence(), ending.failed());
          } else {
            again.accept(passing);
          }
        };
    start(run, planned.planned().work(), ending, after);
  }

  private void start(StatementRun run, Work work, SlowEnding ending, Runnable after) {
    if (RoutinePath.calls(work)) {
      lend(() -> routines.run(run, work), run, ending, after);
      return;
    }
    switch (work) {
      case Work.Data data ->
          connection
              .services()
              .statements()
              .data()
              .start(run, data.plan())
              .ifPresentOrElse(
                  started -> started.whenAnswered(() -> finish(started, run, ending, after)),
                  () ->
                      lend(
                          () -> connection.services().statements().data().run(run, data.plan()),
                          run,
                          ending,
                          after));
      case Work.Administrative admin ->
          lend(() -> routines.administer(run, admin.statement()), run, ending, after);
    }
  }

  /** Finishes a short answer here, any other one on a virtual thread. */
  private void finish(
      StartedStatement started, StatementRun run, SlowEnding ending, Runnable after) {
    if (started.isShort() && connection.channel().isWritable() && !run.writer().waits()) {
      ending.of(started::finish, run);
      after.run();
    } else {
      lend(started::finish, run, ending, after);
    }
  }

  private void lend(Runnable work, StatementRun run, SlowEnding ending, Runnable after) {
    connection.lend(() -> ending.of(work, run), after);
  }

  /** Several statements of one text, or one that is traced. */
  private final class Several {
    private final List<int[]> ranges;
    private final byte[] text;
    private int at;

    Several(List<int[]> ranges, byte[] text) {
      this.ranges = List.copyOf(ranges);
      this.text = text;
    }

    void next(int sequence) {
      int[] range = ranges.get(at++);
      boolean more = at < ranges.size();
      byte[] part = Arrays.copyOfRange(text, range[0], range[1]);
      int traced = TraceText.statement(part, part.length);
      byte[] sql = Arrays.copyOfRange(part, traced, part.length);
      atWork.passing(sql, sql.length); // passwords are looked for in one statement
      PinnedForward.Completion completion =
          (nextSequence, failed) -> {
            if (more && !failed && !connection.closed()) {
              connection.statementOver();
              next(nextSequence);
            } else {
              connection.done();
            }
          };
      try {
        Session session = connection.session();
        planner.scan(session, sql, sql.length);
        begins(session, sql, sql.length);
        if (traced > 0) {
          connection.measured().traced();
        }
        PlannedStatement planned = counted(planner.plan(session), session, true);
        run(planned, null, sql, sql.length, more, sequence, completion);
      } catch (AlraiException e) {
        RefusedText.fail(connection, planner, sql, e, sequence);
      } catch (RuntimeException | VirtualMachineError e) {
        connection.fail(CommandErrors.internal(e), sequence);
      }
    }
  }
}
