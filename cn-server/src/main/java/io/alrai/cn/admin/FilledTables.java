package io.alrai.cn.admin;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.ddl.DdlExecutor;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.statement.DataExecutor;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.NamedTables;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.link.BackendAccount;
import io.alrai.executor.fragment.Plan;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.FillingQuery;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CREATE TABLE ... SELECT: the table is made as any other, its columns by a mysqld that runs the
 * statement over empty tables; then INSERT ... SELECT fills it. Where that fails the table is
 * dropped again. Virtual threads.
 */
final class FilledTables {
  private static final int ER_DATA_TOO_LONG = 1406;
  private static final int WARN_DATA_TRUNCATED = 1265;
  private static final Pattern TOO_LONG = Pattern.compile("^Data too long for column");

  private final CnParts parts;
  private final DdlExecutor ddl;
  private final DataExecutor data;

  /** What came of a statement. */
  record Outcome(OkPacket ok, List<Condition> conditions) {}

  FilledTables(CnParts parts, DdlExecutor ddl, DataExecutor data) {
    this.parts = parts;
    this.ddl = ddl;
    this.data = data;
  }

  /**
   * Runs a statement; no transaction is open.
   *
   * @param session with the user variables that the query may read
   * @throws AlraiException its error; 1235 for what is no query over tables of the client's
   */
  Outcome run(
      StatementRun run, DdlStatement.CreateTable create, FillingQuery query, DdlSession session) {
    requireQuery(run, query);
    String schema = create.name().schema().orElse(session.currentSchema());
    Optional<Table> hiding = run.session().temporary().table(schema, create.name().table());
    List<Table> read = OwnConnection.namedIn(run.session(), query.text());
    if (hiding.isPresent() && read.contains(hiding.get())) {
      throw AlraiException.unsupported(
          "'CREATE TABLE ... SELECT' of temporary tables"
              + " where one of them has the name of the table");
    }
    DdlStatement.CreateTable definite = definite(run, create, query);
    DdlOutcome made = run.shards().ownWork().interruptibly(() -> ddl.run(definite, session));
    List<Condition> conditions = new ArrayList<>(RoutedStatements.conditions(made));
    boolean existed =
        made.warnings().stream().anyMatch(warning -> warning.is(ErrorCode.ER_TABLE_EXISTS_ERROR));
    if (existed) {
      return new Outcome(new OkPacket(0, 0, run.statusFlags(), conditions.size(), ""), conditions);
    }
    Table table = NamedTables.table(parts.gms().catalog(), schema, create.name().table());
    OkPacket filled = fill(run, table, query, () -> drop(table, session));
    List<Condition> told = List.copyOf(conditions); // those of empty tables come again with rows
    for (Condition next : run.session().last().diagnostics().conditions()) {
      if (!told.contains(next)) {
        conditions.add(next);
      }
    }
    String info = filled.info().replaceFirst("Warnings: \\d+", "Warnings: " + conditions.size());
    return new Outcome(
        new OkPacket(
            filled.affectedRows(),
            filled.lastInsertId(),
            run.statusFlags(),
            conditions.size(),
            info),
        conditions);
  }

  /**
   * The jobs of DDL know no temporary tables: the columns of a query over some come from the
   * session's own connection. Its text stays the job's, so that nobody else finishes it.
   */
  private static DdlStatement.CreateTable definite(
      StatementRun run, DdlStatement.CreateTable create, FillingQuery query) {
    if (OwnConnection.namedIn(run.session(), query.text()).isEmpty()) {
      return create;
    }
    String schema = create.name().schema().orElse(run.session().schema());
    Sql how = Sql.client(create.body()).add(OwnConnection.columnsOf(query));
    return new DdlStatement.CreateTable(
        create.sql(),
        create.name(),
        create.ifNotExists(),
        false,
        create.partitioning(),
        create.tableGroup(),
        create.columnIndex(),
        OwnConnection.definition(run, schema, how),
        Optional.empty());
  }

  /**
   * Fills a table that has just been made.
   *
   * @param undo drops it, where that fails
   */
  OkPacket fill(StatementRun run, Table table, FillingQuery query, Runnable undo) {
    try {
      // without the session's own schema: its text may have no letters for that name
      boolean here = table.schema().equals(run.session().schema());
      Sql insert =
          Sql.client(query.verb())
              .words(" INTO ")
              .add(
                  here
                      ? Sql.EMPTY.name(table.name())
                      : Sql.EMPTY.name(table.schema(), table.name()))
              .words(" (")
              .names(columns(run, table, query))
              .words(") ")
              .written(query.text());
      ShapedText text = ShapedText.of(insert.text(), run.session().variables().lexicalMode());
      if (!(plan(run, text, table).work() instanceof Work.Data(_, Plan.InsertSelect plan))) {
        throw new AlraiException(ErrorCode.ALRAI_INTERNAL, "no INSERT ... SELECT: " + insert);
      }
      return data.fill(run.with(text, text.textBytes()), plan);
    } catch (RuntimeException e) {
      RuntimeException reason = e instanceof AlraiException known ? told(known) : e;
      boolean interrupted = Thread.interrupted(); // or the table could not be waited for
      try {
        undo.run();
      } catch (AlraiException left) {
        reason.addSuppressed(left);
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      throw reason;
    }
  }

  /** MySQL has another error for a string that does not fit into a table that is being made. */
  private static AlraiException told(AlraiException error) {
    Matcher tooLong = TOO_LONG.matcher(error.sentence());
    return error.errno() == ER_DATA_TOO_LONG && tooLong.find()
        ? AlraiException.fromServer(
            WARN_DATA_TRUNCATED, "01000", tooLong.replaceFirst("Data truncated for column"))
        : error;
  }

  /** Unless another has taken its name by now. */
  private void drop(Table table, DdlSession session) {
    boolean same =
        parts
            .gms()
            .catalog()
            .table(table.schema(), table.name())
            .filter(found -> found.id() == table.id())
            .isPresent();
    if (!same) {
      return;
    }
    TableName name = new TableName(Optional.of(table.schema()), table.name());
    Sql sql = Sql.of("DROP TABLE ").name(table.schema(), table.name());
    ddl.run(new DdlStatement.DropTables(sql.text(), List.of(name), true, false), session);
  }

  /** Those that the query gives are the last ones. */
  private List<String> columns(StatementRun run, Table table, FillingQuery query) {
    List<String> all =
        table.columns().stream()
            .map(Column::name)
            .filter(name -> !name.equals(Table.IMPLICIT_KEY))
            .toList();
    int given = query.definitions() ? count(run, query) : all.size();
    return all.subList(all.size() - given, all.size());
  }

  /** How many columns the query has, as a mysqld tells from empty tables. */
  private int count(StatementRun run, FillingQuery query) {
    Sql sql = Sql.of("SELECT * FROM (").written(query.text()).words(") AS filling LIMIT 0");
    try (ShardCall call = parts.asWritten(run, BackendAccount.DATA, ShardStatement.text(sql))) {
      int count = call.columns().size();
      call.status();
      return count;
    }
  }

  /** Whether it is a query that can fill a table: the planner says so before anything is made. */
  void requireQuery(StatementRun run, FillingQuery query) {
    Planned planned =
        plan(run, ShapedText.of(query.text(), run.session().variables().lexicalMode()));
    if (!(planned.work() instanceof Work.Data(_, Plan.Select _))) {
      throw AlraiException.unsupported(
          "'CREATE TABLE ... SELECT' of this query: it"
              + " takes queries over tables, without ':=' and functions of the session");
    }
  }

  /** A temporary table of its name is not the one that is filled. */
  private Planned plan(StatementRun run, ShapedText text, Table table) {
    Session session = run.session();
    boolean hidden =
        !table.temporary() && session.temporary().table(table.schema(), table.name()).isPresent();
    return hidden
        ? parts
            .planner()
            .plan(
                text,
                StatementPlanner.context(
                    session.temporary().besides(parts.gms().catalog(), table),
                    session.schema(),
                    session.variables().lexicalMode()))
        : plan(run, text);
  }

  private Planned plan(StatementRun run, ShapedText text) {
    return parts.plan(run.session(), text);
  }
}
