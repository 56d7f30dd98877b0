package io.alrai.cn.admin;

import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.ddl.DdlExecutor;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.explain.RowExplanations;
import io.alrai.cn.lock.SessionAdmission;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.statement.DataExecutor;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.StorageTable;
import io.alrai.cn.text.TemplateText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.link.BackendAccount;
import io.alrai.executor.fragment.Plan;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.LockStage;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.MembersStatement;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.explain.PlanText;
import io.alrai.optimizer.api.inspect.ExplainedStatement;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** DDL, table maintenance and the other statements that work on the shards of a table. */
public final class RoutedStatements implements ForeignStatements {
  private final CnParts parts;
  private final DdlExecutor ddl;
  private final FileLoader loader;
  private final ColumnExplanations explanations;
  private final RowExplanations rowExplanations;
  private final FilledTables filled;
  private final LockedDefinitions locked;
  private final TemporaryTableStatements temporary;

  /** LOAD DATA LOCAL, wherever it is built. */
  public interface FileLoader {
    /** Loads what the client sends, and ends the run. */
    void run(StatementRun run, AdminStatement.LoadDataLocal statement);
  }

  /** Statements of one CN. */
  public RoutedStatements(
      CnParts parts,
      DdlExecutor ddl,
      DataExecutor data,
      FileLoader loader,
      AnalyticSelects analytic,
      RowExplanations rowExplanations) {
    this.parts = parts;
    this.ddl = ddl;
    this.loader = loader;
    this.filled = new FilledTables(parts, ddl, data);
    this.locked = new LockedDefinitions(parts, ddl);
    this.temporary = new TemporaryTableStatements(parts, filled);
    this.rowExplanations = rowExplanations;
    this.explanations =
        new ColumnExplanations(parts.gms()::catalog, analytic, rowExplanations.measure());
  }

  /** DDL commits what is open, then runs as a job. */
  @Override
  public void ddl(StatementRun run, DdlStatement statement) {
    DdlStatement rest = statement;
    Optional<TemporaryTableStatements.Outcome> own = temporary.run(run, statement);
    if (own.isPresent()) {
      switch (own.get()) {
        case TemporaryTableStatements.Outcome.Done(OkPacket ok, List<Condition> conditions) -> {
          answer(
              run,
              new OkPacket(
                  ok.affectedRows(),
                  ok.lastInsertId(),
                  run.statusFlags(),
                  conditions.size(),
                  ok.info()),
              conditions);
          return;
        }
        case TemporaryTableStatements.Outcome.Rest(DdlStatement left) -> rest = left;
      }
    }
    shared(run, rest);
  }

  @Override
  public void members(StatementRun run, MembersStatement.AsJob statement) {
    Session session = run.session();
    DdlSession as = ddlSession(session, session.variables().settings());
    String sql = new String(run.sql(), session.variables().lexicalMode().charset());
    run.shards()
        .ownWork()
        .interruptibly(() -> {
          ddl.run(statement, sql, as);
          return true;
        });
    CnAdmin.ok(run);
  }

  /** About tables that all sessions see. */
  private void shared(StatementRun run, DdlStatement statement) {
    Session session = run.session();
    if (session.transaction().held().tableLocks().held()) {
      if (statement instanceof DdlStatement.OnAccount account) {
        AccountRights.check(session, parts.gms().catalog(), account);
      }
      DdlOutcome outcome =
          locked.run(run, statement, ddlSession(session, session.variables().settings()));
      answer(run, outcome);
      return;
    }
    Catalog catalog = parts.gms().catalog();
    if (statement instanceof DdlStatement.OnAccount account) {
      AccountRights.check(session, catalog, account);
      PluginCheck.check(account, catalog, parts.settings().transport().nativePasswords());
    }
    CnAdmin.commitOpen(run);
    run.shards()
        .onLoop(() -> session.transaction().held().admission().await(LockStage.DEFINITIONS));
    if (statement instanceof DdlStatement.CreateTable create && create.query().isPresent()) {
      SessionSettings settings = session.variables().ofBackends();
      FilledTables.Outcome outcome =
          filled.run(run, create, create.query().get(), ddlSession(session, settings));
      answer(run, outcome.ok(), outcome.conditions());
      return;
    }
    if (statement instanceof DdlStatement.CreateView create) {
      requireReadable(run, create);
    }
    DdlSession as = ddlSession(session, session.variables().settings());
    DdlOutcome outcome = run.shards().ownWork().interruptibly(() -> ddl.run(statement, as));
    if (statement instanceof DdlStatement.DropDatabase drop
        && drop.name().equals(session.schema())) {
      session.schema("");
    }
    answer(run, outcome);
  }

  /**
   * A view must be of tables of the client's, and no more than a SELECT may do. Whether its definer
   * may read them is asked when it is read.
   */
  private void requireReadable(StatementRun run, DdlStatement.CreateView create) {
    LexicalMode mode = run.session().variables().lexicalMode();
    temporary.refuseIn(run, create.query().text());
    Work work =
        parts
            .planner()
            .plan(
                ShapedText.of(create.query().text(), mode),
                StatementPlanner.context(parts.gms().catalog(), run.session().schema(), mode))
            .work();
    boolean readable =
        switch (work) {
          case Work.Data data -> data.plan() instanceof Plan.Select;
          // a mysqld has an error of its own for those with INTO and :=
          case Work.Administrative admin ->
              admin.statement() instanceof AdminStatement.SelectInto
                  || admin.statement() instanceof AdminStatement.WithCalls
                  || admin.statement() instanceof AdminStatement.AssigningSelect;
        };
    if (!readable) {
      throw AlraiException.unsupported(
          "'CREATE VIEW' of this query: it takes queries"
              + " over tables and views of the client's, without named locks");
    }
  }

  private static DdlSession ddlSession(Session session, SessionSettings settings) {
    Access account = session.user().identity().access();
    return new DdlSession(
        session.schema(),
        settings.literals(),
        account.user(),
        account.host(),
        Set.copyOf(session.user().access().active()));
  }

  static List<Condition> conditions(DdlOutcome outcome) {
    return outcome.warnings().stream()
        .map(warning -> new Condition(warning.level(), warning.errno(), warning.sentence()))
        .toList();
  }

  private static void answer(StatementRun run, DdlOutcome outcome) {
    List<Condition> conditions = conditions(outcome);
    answer(
        run,
        new OkPacket(
            outcome.affectedRows(), 0, run.statusFlags(), conditions.size(), outcome.info()),
        conditions);
  }

  private static void answer(StatementRun run, OkPacket ok, List<Condition> conditions) {
    run.session().last().rowCount(ok.affectedRows());
    run.session().last().diagnostics(Diagnostics.ofWarnings(conditions));
    run.writer().ok(ok);
  }

  @Override
  public void loadData(StatementRun run, AdminStatement.LoadDataLocal statement) {
    loader.run(run, statement);
  }

  @Override
  public void explainSharding(StatementRun run, AdminStatement.ExplainSharding statement) {
    LexicalMode mode = run.session().variables().lexicalMode();
    Planned planned = parts.plan(run.session(), ShapedText.of(statement.sql(), mode));
    ResultTable table = new ResultTable().text("SHARDING", 4096);
    PlanText.of(planned).forEach(table::row);
    table.writeTo(run.writer(), run.statusFlags());
  }

  @Override
  public void explainOnShard(StatementRun run, AdminStatement.ExplainOnShard statement) {
    if (explanations.answer(run, statement)) {
      return;
    }
    if (explainRows(run, statement)) {
      return;
    }
    Session session = run.session();
    String text = CnAdmin.text(run, statement.sql());
    LexicalMode mode = session.variables().lexicalMode();
    Sql sql = Sql.client(StorageTable.declaredIn(text, mode, session.schema()));
    DnId dn = session.temporary().none() ? parts.queries().links().any() : DnId.OF_SESSION;
    String schema = CnAdmin.schemaOfQualified(session);
    try (ShardCall call = run.shards().start(dn, schema, sql, RowAccess.NONE)) {
      run.writer().columns(call.columns(), run.statusFlags());
      byte[] row;
      while ((row = call.nextRow()) != null) {
        run.writer().row(row);
      }
      OkPacket end = call.status();
      run.writer().end(end.warnings(), run.statusFlags());
    }
  }

  private boolean explainRows(StatementRun run, AdminStatement.ExplainOnShard statement) {
    Session session = run.session();
    if (!(statement.explained() instanceof Work.Data data)) {
      return false;
    }
    Optional<ExplainedStatement> text =
        ExplainedStatement.of(
            run.statement(),
            StatementPlanner.context(
                parts.gms().catalog(), session.schema(), session.variables().lexicalMode()));
    return text.isPresent()
        && rowExplanations.answer(
            run,
            data.plan(),
            text.get(),
            TemplateText.render(statement.sql(), run.values(), "", session));
  }

  /** ANALYZE TABLE and its like at every place of each table; one answer row for each table. */
  @Override
  public void maintain(StatementRun run, AdminStatement.TableMaintenance statement) {
    Session session = run.session();
    CnAdmin.commitOpen(run);
    List<List<String>> heldOff = heldOff(run, statement.verb());
    Catalog catalog = session.temporary().over(parts.gms().catalog());
    boolean asStored =
        session.variables().settings().literal("character_set_results").equalsIgnoreCase("NULL");
    ResultTable result =
        new ResultTable()
            .text("Table", 128)
            .text("Op", 10)
            .text("Msg_type", 10)
            .longText("Msg_text", asStored ? 131072 : 393216);
    String op = statement.verb().split(" ")[0].toLowerCase(Locale.ROOT);
    for (TableName name : statement.tables()) {
      String schema = name.schema().orElse(session.schema());
      if (schema.isEmpty()) {
        throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
      }
      String full = schema + "." + name.table();
      if (catalog.view(schema, name.table()).isPresent()) {
        maintainView(run, statement, schema, name.table())
            .forEach(row -> result.row(row.toArray()));
        continue;
      }
      if (!heldOff.isEmpty()) {
        heldOff.forEach(row -> result.row(full, op, row.get(0), row.get(1)));
        continue;
      }
      Table table = catalog.table(schema, name.table()).orElse(null);
      if (table == null) {
        result.row(full, op, "Error", "Table '" + full + "' doesn't exist");
        result.row(full, op, "status", "Operation failed");
        continue;
      }
      List<List<String>> answer = List.of(List.of("status", "OK"));
      Sql sql =
          Sql.client(statement.verb())
              .words(" TABLE ")
              .name(name.table())
              .words(" ")
              .written(statement.options());
      for (PartitionGroup place : catalog.places(table)) {
        answer = worse(answer, maintainAt(run, place, sql));
      }
      answer.forEach(row -> result.row(full, op, row.get(0), row.get(1)));
    }
    result.writeTo(run.writer(), run.statusFlags());
  }

  /**
   * What is said of each table because a lock over the cluster kept the statement from its work.
   */
  private static List<List<String>> heldOff(StatementRun run, String verb) {
    SessionAdmission admission = run.session().transaction().held().admission();
    boolean rebuilds = verb.startsWith("OPTIMIZE") || verb.startsWith("REPAIR");
    try {
      run.shards()
          .onLoop(
              () -> rebuilds ? admission.await(LockStage.DEFINITIONS) : admission.awaitBackups());
      return List.of();
    } catch (AlraiException e) {
      if (e.is(ErrorCode.ER_QUERY_INTERRUPTED)) {
        throw e;
      }
      List<String> last =
          e.is(ErrorCode.ER_CANT_UPDATE_WITH_READLOCK)
              ? List.of("error", "Corrupt")
              : List.of("status", "Operation failed");
      return List.of(List.of("Error", e.sentence()), last);
    }
  }

  /** What a mysqld says of the view in the shadow schema. */
  private List<List<@Nullable String>> maintainView(
      StatementRun run, AdminStatement.TableMaintenance statement, String schema, String view) {
    Sql sql =
        Sql.client(statement.verb())
            .words(" TABLE ")
            .name(schema, view)
            .words(" ")
            .written(statement.options());
    DnId dn = parts.queries().links().dns().getFirst();
    try (ShardCall call = parts.queries().start(dn, BackendAccount.DATA, "", sql)) {
      return ShardQueries.rows(call);
    }
  }

  private static List<List<String>> worse(List<List<String>> a, List<List<String>> b) {
    return a.getLast().get(1).equals("OK") ? b : a;
  }

  /** Types and texts of messages, the status last. */
  private List<List<String>> maintainAt(StatementRun run, PartitionGroup place, Sql sql) {
    LogicalNames names = new LogicalNames(parts.gms()::catalog);
    try (ShardCall call =
        run.shards().start(place.dn(), place.physicalSchema().name(), sql, RowAccess.CONSISTENT)) {
      return ShardQueries.rows(call).stream()
          .map(row -> List.of(String.valueOf(row.get(2)), names.text(String.valueOf(row.get(3)))))
          .toList();
    }
  }
}
