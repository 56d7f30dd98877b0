package io.alrai.cn.command;

import io.alrai.cn.admin.XaGuard;
import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.forward.TextSender;
import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.session.Session;
import io.alrai.cn.snapshot.ReplicaReads;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.text.TemplateText;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.cn.tx.StatementTraits;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.Capability;
import io.alrai.dn.link.BackendAccount;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.RowDependency;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminTraits;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planned.Work;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a statement runs on the event loop: forwarded to one place, or one of the few
 * administrative ones that need no waiting. Event loop only.
 */
final class StatementDispatch {
  /**
   * Where a statement goes, and in which form.
   *
   * @param rowDependency on which rows its reply depends; null where it depends on more
   */
  record Pinned(
      DnId dn,
      String physicalSchema,
      RowAccess access,
      boolean idOfClient,
      Plan.StatementText text,
      SlotValues values,
      @Nullable RowDependency rowDependency) {}

  private final ClientConnection connection;
  private final PinnedForward forward;
  private final LoopStatements loopStatements;

  StatementDispatch(ClientConnection connection, PinnedForward forward) {
    this.connection = connection;
    this.forward = forward;
    this.loopStatements = new LoopStatements(connection);
  }

  /**
   * Runs a text statement here if it can be.
   *
   * @param packets the client's own command, to be sent on as it is; null when the statement is a
   *     part of it
   * @param again runs it again; null where it cannot
   * @return whether it is under way; if not, it belongs on a virtual thread
   */
  boolean forward(
      PlannedStatement planned,
      @Nullable ByteBuf packets,
      byte[] sql,
      int length,
      int moreFlag,
      int sequence,
      @Nullable Consumer<AlraiException> again,
      PinnedForward.Completion completion) {
    switch (planned.planned().work()) {
      case Work.Administrative admin -> {
        if (AdminTraits.of(admin.statement()).begins()) {
          beginIfNeeded(planned);
        }
        if (admin.statement() instanceof AdminStatement.OnLoop onLoop) {
          loopStatements.run(onLoop, planned.values(), moreFlag, sequence, completion);
          return true;
        }
        return false;
      }
      case Work.Data data -> {
        beginIfNeeded(planned);
        chooseReplicas(planned);
        Pinned pinned = pinned(data.plan(), planned);
        if (pinned == null) {
          return false;
        }
        ByteBuf command = command(pinned, packets, sql, length);
        forward.replyKeeper().text(connection.session(), pinned, command);
        forward.forward(
            new ForwardBranches.Request(
                pinned.dn(),
                BackendAccount.DATA,
                pinned.physicalSchema(),
                pinned.physicalSchema(),
                pinned.access(),
                pinned.idOfClient(),
                moreFlag,
                sequence),
            new TextSender(command, again),
            completion);
        return true;
      }
    }
  }

  /** BEGIN, COMMIT, KILL and the like. */
  LoopStatements loopStatements() {
    return loopStatements;
  }

  /**
   * A statement over rows is about to run; with autocommit off, it begins a transaction.
   *
   * @throws AlraiException 1792 for a write that would be a transaction of its own, and a read-only
   *     one
   */
  void beginIfNeeded(PlannedStatement planned) {
    Session session = connection.session();
    XaGuard.check(session.transaction().clientXa(), planned.planned().work());
    session.transaction().statement(planned.statement().shapeHash(), traits(planned));
    if (session.transaction().open() || namesNoTable(planned)) {
      return;
    }
    TransactionOptions options = session.defaults().take();
    if (!session.defaults().autocommit()) {
      session.transaction().begin(options);
    } else if (options.readOnly() && writes(planned)) {
      throw new AlraiException(
          ErrorCode.ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION,
          "Cannot execute statement in a READ ONLY transaction.");
    }
  }

  /** Decides whether a statement that is about to run reads at members that follow. */
  void chooseReplicas(PlannedStatement planned) {
    SessionTransaction transaction = connection.session().transaction();
    ReplicaReads replicas = transaction.reads().replicas();
    if (!replicas.wanted()
        || transaction.held().tableLocks().held()
        || namesNoTable(planned)
        || !StatementRepeats.isPlainRead(planned.planned().work())) {
      return;
    }
    int percent = ThreadLocalRandom.current().nextInt(100);
    boolean chosen =
        transaction.open()
            ? transaction
                .views()
                .replicas()
                .choose(percent, connection.session().variables().ofBackends())
            : replicas.choose(percent);
    if (chosen) {
      connection.services().clients().statementCounts().replicaReads().increment();
    }
  }

  /**
   * Begins a transaction for a statement that becomes several at the DNs.
   *
   * @return whether it is the statement's own: it ends with it
   */
  boolean beginOwn() {
    Session session = connection.session();
    SessionTransaction transaction = session.transaction();
    if (!session.defaults().autocommit() || transaction.open()) {
      return false;
    }
    transaction.begin(session.defaults().take());
    return true;
  }

  /** A SELECT without tables is no transaction: SET TRANSACTION is for the next one. */
  private static boolean namesNoTable(PlannedStatement planned) {
    return namesNoTable(planned.planned().work());
  }

  /** Whether it is a SELECT without tables. */
  static boolean namesNoTable(Work work) {
    return work instanceof Work.Data data
        && data.plan() instanceof Plan.Select select
        && select.targets() instanceof Targets.AnyDn any
        && !any.tables();
  }

  private static boolean writes(PlannedStatement planned) {
    return planned.planned().work() instanceof Work.Data data
        && !(data.plan() instanceof Plan.Select);
  }

  private StatementTraits traits(PlannedStatement planned) {
    Planned.WriteTraits known = planned.planned().writes();
    if (known.none()) {
      return isImpatient(planned) ? StatementTraits.IMPATIENT : StatementTraits.PLAIN;
    }
    // for such clients a row that stays as it was counts as one that is inserted
    boolean merges =
        known.updatesDuplicates()
            && connection.session().client().capabilities().has(Capability.FOUND_ROWS);
    return new StatementTraits(
        false, known.queries(), known.triggers(), known.triggers() || merges);
  }

  private static boolean isImpatient(PlannedStatement planned) {
    return planned.planned().work() instanceof Work.Data data
        && data.plan() instanceof Plan.Select select
        && select.rowLocks().impatient();
  }

  private ByteBuf command(Pinned pinned, @Nullable ByteBuf packets, byte[] sql, int length) {
    return switch (pinned.text()) {
      case Plan.StatementText.Verbatim same ->
          packets != null
              ? packets.retainedSlice()
              : Commands.query(
                  ByteBufAllocator.DEFAULT,
                  length == sql.length ? sql : Arrays.copyOf(sql, length));
      case Plan.StatementText.Rewritten rewritten ->
          Commands.query(
              ByteBufAllocator.DEFAULT,
              TemplateText.render(
                  rewritten.sql(), pinned.values(), pinned.physicalSchema(), connection.session()));
    };
  }

  /**
   * The one place of a data statement; null when there are several, or when more must be done than
   * to forward it.
   */
  @Nullable Pinned pinned(Plan plan, PlannedStatement planned) {
    boolean reads = plan instanceof Plan.Select select && !select.locking();
    if (!reads && connection.session().checksConflicts()) {
      return null;
    }
    SlotValues values = planned.values();
    return switch (plan) {
      case Plan.Select select ->
          select.foundRows().isPresent()
                  || select.readsViews()
                  || analytic().mayTake(connection.session(), planned.statement(), select)
              ? null
              : pinned(
                  select.targets(),
                  select.pinned(),
                  RowAccess.ofSelect(select.locking()),
                  values,
                  select.rowDependency().orElse(null));
      case Plan.Write write ->
          write.gathered().isPresent() || write.callsFunctions()
              ? null
              : pinned(write.targets(), write.pinned(), RowAccess.CHANGING, values, null);
      case Plan.KeyUpdate update -> null;
      case Plan.Insert insert -> {
        if (connection.session().own().insertId() != 0
            && insert.rows().autoIncrement().isPresent()) {
          yield null;
        }
        ShardPlace place =
            connection
                .services()
                .statements()
                .places()
                .single(insert.rows(), values, planned.statement().foldedRows());
        yield place == null
            ? null
            : new Pinned(
                place.dn(),
                place.physicalSchema().name(),
                RowAccess.CHANGING,
                givesId(insert.rows()),
                new Plan.StatementText.Verbatim(),
                values,
                null);
      }
      case Plan.InsertSelect insertSelect -> null;
      case Plan.Checked checked -> null;
      case Plan.Raising raising -> null;
    };
  }

  private AnalyticSelects analytic() {
    return connection.services().statements().analytic();
  }

  /** Whether the client gives the id itself; LAST_INSERT_ID(..) after the rows gives another. */
  private static boolean givesId(InsertRows rows) {
    return rows.autoIncrement().isPresent()
        && rows.tail().pieces().stream()
            .noneMatch(piece ->
                piece instanceof SqlTemplate.Piece.Text text
                    && text.sql().toUpperCase(Locale.ROOT).contains("LAST_INSERT_ID"));
  }

  private @Nullable Pinned pinned(
      Targets targets,
      Plan.StatementText text,
      RowAccess access,
      SlotValues values,
      @Nullable RowDependency rowDependency) {
    return switch (targets) {
      case Targets.AnyDn any ->
          new Pinned(
              anyDn(),
              any.physicalSchema().name(),
              any.tables() || access.current() ? access : RowAccess.NONE,
              false,
              text,
              values,
              rowDependency);
      case Targets.One one -> at(one.place(), text, access, values, rowDependency);
      case Targets.EveryDn every -> null;
      case Targets.Keys keys ->
          at(
              connection.services().statements().places().single(keys, values),
              text,
              access,
              values,
              rowDependency);
      case Targets.All all ->
          all.places().size() == 1
              ? at(all.places().get(0), text, access, values, rowDependency)
              : null;
    };
  }

  private static @Nullable Pinned at(
      @Nullable ShardPlace place,
      Plan.StatementText text,
      RowAccess access,
      SlotValues values,
      @Nullable RowDependency rowDependency) {
    return place == null
        ? null
        : new Pinned(
            place.dn(), place.physicalSchema().name(), access, false, text, values, rowDependency);
  }

  /** Any DN, preferably one that the transaction has touched. */
  private DnId anyDn() {
    for (TransactionBranch branch : connection.session().transaction().branches()) {
      return branch.branch().dn();
    }
    return connection.services().transactions().links().any();
  }
}
