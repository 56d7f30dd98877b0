package io.alrai.cn.admin;

import io.alrai.cn.result.ResultTable;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.SystemRows;
import io.alrai.cn.tx.branch.OpenTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.api.node.DataNode;
import io.alrai.optimizer.api.AdminStatement;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** SHOW statements over what only the CN and the GMS know. */
final class ShowStatements {
  private static final int SHORT_INFO = 100;

  /** How long the loop of a session may take to report its transaction. */
  private static final int LOOP_SECONDS = 5;

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
    long now = parts.wallMillis().getAsLong();
    SystemRows.visible(parts.sessions(), run.session().user().access(parts.gms().catalog()))
        .forEach(session -> {
          Activity activity = session.activity();
          String info = activity.statement();
          if (!full && info.length() > SHORT_INFO) {
            info = info.substring(0, SHORT_INFO);
          }
          table.row(
              session.client().connectionId(),
              session.user().login().user(),
              session.clientAddress(),
              session.schema().isEmpty() ? null : session.schema(),
              activity.state(),
              activity.seconds(now, session.idleness()),
              activity.waitsFor(),
              info.isEmpty() ? null : info);
        });
    write(run, table);
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
            .text("BRANCHES", 1024);
    List<SessionRegistry.Entry> sessions =
        parts.sessions().all().stream()
            .sorted(Comparator.comparingInt(entry -> entry.session().client().connectionId()))
            .toList();
    List<CompletableFuture<Optional<OpenTransaction>>> asked =
        sessions.stream()
            .map(entry ->
                entry
                    .openTransaction()
                    .completeOnTimeout(Optional.empty(), LOOP_SECONDS, TimeUnit.SECONDS))
            .toList();
    for (int i = 0; i < sessions.size(); i++) {
      long id = sessions.get(i).session().client().connectionId();
      asked
          .get(i)
          .join()
          .ifPresent(open ->
              result.row(
                  id,
                  open.id().map(TransactionId::gtrid).orElse(null),
                  open.atWork() ? "AT_WORK" : "IDLE",
                  open.ageMillis(),
                  open.snapshot().map(HlcTimestamp::value).orElse(null),
                  open.branches().stream()
                      .map(ShowStatements::describe)
                      .collect(Collectors.joining(", "))));
    }
    write(run, result);
  }

  private static String describe(OpenTransaction.Part part) {
    return part.dn()
        + ":"
        + part.connection()
        + (part.primary() ? " primary" : "")
        + (part.wrote() ? " wrote" : "");
  }

  void nodes(StatementRun run) {
    Catalog catalog = parts.gms().catalog();
    ResultTable result =
        new ResultTable().text("NODE", 32).text("ROLE", 8).text("ADDRESS", 255).text("STATE", 16);
    long now = parts.wallMillis().getAsLong();
    for (ComputeNode cn : catalog.computeNodes()) {
      result.row(cn.id(), "CN", cn.address(), cn.leaseUntilMillis() > now ? "ALIVE" : "GONE");
    }
    for (DataNode dn : catalog.dataNodes()) {
      result.row(dn.id(), "DN", dn.address(), "");
    }
    write(run, result);
  }
}
