package io.alrai.cn.admin;

import io.alrai.cn.ask.Answers;
import io.alrai.cn.ask.AskRow;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.ClusterSessions;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.trace.TraceStep;
import io.alrai.cn.tx.branch.OpenTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.api.node.DataNode;
import io.alrai.optimizer.api.AdminStatement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** SHOW statements over what only the CN and the GMS know. */
final class ShowStatements {
  /** How long the loop of a session may take to report its transaction. */
  private static final long LOOP_MILLIS = 700;

  private static final String OPEN_TRANSACTIONS = "transactions";

  private final CnParts parts;

  ShowStatements(CnParts parts) {
    this.parts = parts;
  }

  void processlist(StatementRun run, boolean full) {
    ResultTable table =
        new ResultTable()
            .number("Id")
            .text("User", 32)
            .text("Host", 261)
            .text("db", 64)
            .text("Command", 16)
            .number("Time")
            .text("State", 64)
            .text("Info", Activity.MOST_BYTES);
    Access access = run.session().user().access(parts.gms().catalog());
    ClusterSessions sessions = new ClusterSessions(parts.sessions(), access, full);
    sessions.rows().forEach(row -> table.row(row.values().toArray()));
    write(run, table, sessions.warnings());
  }

  static void write(StatementRun run, ResultTable table, List<Condition> warnings) {
    run.session().own().seedsStay();
    run.session().last().rowCount(-1);
    run.session().last().diagnostics(Diagnostics.ofWarnings(warnings));
    table.writeTo(run.writer(), warnings.size(), run.statusFlags());
  }

  static void write(StatementRun run, ResultTable table) {
    run.session().own().seedsStay();
    run.session().last().rowCount(-1);
    table.writeTo(run.writer(), run.statusFlags());
  }

  void diagnostics(StatementRun run, AdminStatement.ShowDiagnostics what) {
    Diagnostics diagnostics = run.session().last().diagnostics();
    if (what.countOnly()) {
      run.session().last().foundRows(1);
      write(
          run,
          new ResultTable()
              .unsigned(what.errorsOnly() ? "@@session.error_count" : "@@session.warning_count")
              .row(what.errorsOnly() ? diagnostics.errorCount() : diagnostics.warningCount()));
      return;
    }
    ResultTable table =
        new ResultTable()
            .requiredText("Level", 7)
            .requiredUnsigned("Code", 5)
            .requiredText("Message", 512);
    List<Condition> conditions =
        diagnostics.conditions().stream()
            .filter(condition -> !what.errorsOnly() || condition.level().equals("Error"))
            .skip(what.offset())
            .limit(what.count())
            .toList();
    for (Condition condition : conditions) {
      table.row(condition.level(), condition.code(), condition.message());
    }
    write(run, table);
  }

  void topology(StatementRun run, AdminStatement.ShowTopology what) {
    Catalog catalog = parts.gms().catalog();
    String schema = what.schema().orElse(run.session().schema());
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    Table table =
        catalog
            .table(schema, what.table())
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_NO_SUCH_TABLE,
                    "Table '" + schema + "." + what.table() + "' doesn't exist"));
    TableGroup group = catalog.tableGroup(table);
    ResultTable result =
        new ResultTable()
            .number("PARTITION")
            .text("DN", 32)
            .text("PHYSICAL_SCHEMA", 64)
            .text("PHYSICAL_TABLE", 64)
            .text("TABLEGROUP", 64)
            .text("PARTITIONING", 255);
    String how = describe(table.partitioning());
    if (table.partitioning() instanceof Partitioning.Broadcast) {
      PhysicalSchema physical = catalog.schema(schema).orElseThrow().broadcastSchema();
      for (DataNode dn : catalog.dataNodes()) {
        result.row(0, dn.id(), physical.name(), table.name(), group.name(), how);
      }
    } else {
      for (PartitionGroup place : group.partitionGroups()) {
        result.row(
            place.index(),
            place.dn(),
            place.physicalSchema().name(),
            table.name(),
            group.name(),
            how);
      }
    }
    write(run, result);
  }

  private static String describe(Partitioning partitioning) {
    return switch (partitioning) {
      case Partitioning.Key key ->
          "KEY(" + String.join(",", key.columns()) + ") PARTITIONS " + key.count();
      case Partitioning.Hash hash -> "HASH(" + hash.column() + ") PARTITIONS " + hash.count();
      case Partitioning.Spread spread -> "SPREAD PARTITIONS " + spread.count();
      case Partitioning.Single single -> "SINGLE";
      case Partitioning.Broadcast broadcast -> "BROADCAST";
    };
  }

  void transactions(StatementRun run) {
    ResultTable result =
        new ResultTable()
            .number("ID")
            .text("TRANSACTION", 64)
            .text("STATE", 16)
            .number("AGE_MS")
            .number("SNAPSHOT")
            .text("BRANCHES", 1024)
            .text("CN", 32);
    Answers answers = parts.sessions().asks().ask(OPEN_TRANSACTIONS, AskRow.of());
    answers
        .byNode()
        .forEach((cn, rows) ->
            rows.forEach(row ->
                result.row(
                    row.number(0),
                    row.get(1),
                    row.get(2),
                    row.number(3),
                    row.get(4),
                    row.get(5),
                    cn)));
    write(run, result, answers.warnings());
  }

  /** Lets other CNs see the open transactions of this one. */
  static void tell(SessionRegistry sessions) {
    sessions.asks().answers(OPEN_TRANSACTIONS, question -> transactions(sessions));
  }

  private static List<AskRow> transactions(SessionRegistry registry) {
    return registry
        .work(
            registry.all(),
            (session, work) -> work.open().map(open -> row(session.client().connectionId(), open)),
            LOOP_MILLIS)
        .values()
        .stream()
        .flatMap(Optional::stream)
        .toList();
  }

  private static AskRow row(long id, OpenTransaction open) {
    return AskRow.of(
        id,
        open.id().map(TransactionId::gtrid).orElse(null),
        open.atWork() ? "AT_WORK" : "IDLE",
        open.ageMillis(),
        open.snapshot().map(HlcTimestamp::value).orElse(null),
        open.branches().stream().map(ShowStatements::describe).collect(Collectors.joining(", ")));
  }

  private static String describe(OpenTransaction.Part part) {
    return part.dn()
        + ":"
        + part.connection()
        + (part.primary() ? " primary" : "")
        + (part.wrote() ? " wrote" : "");
  }

  void trace(StatementRun run) {
    ResultTable result =
        new ResultTable()
            .number("ID")
            .text("PLACE", 64)
            .number("START_US")
            .number("WAIT_US")
            .number("FIRST_US")
            .number("TIME_US")
            .number("ROWS_READ")
            .number("BYTES_READ")
            .text("ERROR", 512)
            .text("STATEMENT", 1_100);
    // steps have the queries of views, and what definers' routines do
    Access access = run.session().user().access(parts.gms().catalog());
    boolean texts = access.has(Privilege.PROCESS);
    long id = 0;
    for (TraceStep step : run.session().trace().last()) {
      boolean shown = texts || id == 0;
      result.row(
          id++,
          step.place(),
          step.startMicros(),
          step.waitMicros(),
          step.firstMicros(),
          step.micros(),
          step.rows(),
          step.bytes(),
          shown ? step.error() : null,
          shown ? step.text() : null);
    }
    write(run, result);
  }

  void nodes(StatementRun run) {
    Catalog catalog = parts.gms().catalog();
    ResultTable result =
        new ResultTable()
            .text("NODE", 32)
            .text("ROLE", 8)
            .text("ADDRESS", 255)
            .text("STATE", 16)
            .text("SESSION_IDS", 32);
    long now = parts.wallMillis().getAsLong();
    for (ComputeNode cn : catalog.computeNodes()) {
      result.row(
          cn.id(),
          "CN",
          cn.address(),
          cn.leaseUntilMillis() > now ? "ALIVE" : "GONE",
          SessionRegistry.ids(cn.number()));
    }
    for (DataNode dn : catalog.dataNodes()) {
      result.row(dn.id(), "DN", dn.address(), "", null);
    }
    write(run, result);
  }
}
