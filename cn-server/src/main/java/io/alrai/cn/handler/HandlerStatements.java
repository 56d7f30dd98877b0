package io.alrai.cn.handler;

import io.alrai.cn.routine.SessionPath;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.OkPacket;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.HandlerStatement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** HANDLER, for one session. Called on the virtual thread that the session is lent to. */
public final class HandlerStatements {
  private final SessionPath path;
  private final Map<String, OpenHandler> open = new LinkedHashMap<>();

  /** Handlers whose rows are read over this path. */
  public HandlerStatements(SessionPath path) {
    this.path = path;
  }

  /** Closes all: RESET_CONNECTION, CHANGE_USER. While no statement is at work. */
  public void clear() {
    open.clear();
  }

  /**
   * Runs a HANDLER statement and answers the client.
   *
   * @throws AlraiException what is wrong with it, and what its rows are not read for
   */
  public void run(StatementRun run, HandlerStatement statement) {
    if (run.session().transaction().held().tableLocks().held()) {
      throw new AlraiException(
          ErrorCode.ER_LOCK_OR_ACTIVE_TRANSACTION,
          "Can't execute the given command because you have active locked tables or an active"
              + " transaction");
    }
    switch (statement) {
      case HandlerStatement.Open opened -> {
        open(run.session(), opened);
        ok(run);
      }
      case HandlerStatement.Close close -> {
        open.remove(key(find(close.handler()).name()));
        ok(run);
      }
      case HandlerStatement.Read read ->
          new HandlerReading(path, run, find(read.handler())).read(read);
    }
  }

  private static void ok(StatementRun run) {
    run.session().last().rowCount(0);
    run.session().last().diagnostics(Diagnostics.NONE);
    run.writer().ok(new OkPacket(0, 0, run.statusFlags(), 0, ""));
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private OpenHandler find(String name) {
    OpenHandler found = open.get(key(name));
    if (found == null) {
      throw new AlraiException(
          ErrorCode.ER_UNKNOWN_TABLE, "Unknown table '" + name + "' in HANDLER");
    }
    return found;
  }

  private void open(Session session, HandlerStatement.Open statement) {
    String name = statement.alias().orElse(statement.table().table());
    if (open.containsKey(key(name))) {
      throw new AlraiException(
          ErrorCode.ER_NONUNIQ_TABLE, "Not unique table/alias: '" + name + "'");
    }
    String schema = schema(session, statement.table());
    if (session.temporary().table(schema, statement.table().table()).isPresent()) {
      throw AlraiException.unsupported("HANDLER of a temporary table; use SELECT");
    }
    OpenTargets.require(path.catalog(), schema, statement.table().table());
    OpenHandler handler = new OpenHandler(name, schema, statement.table().table());
    handler.keys(path.catalog(), path.queries()).ifPresent(OpenTargets::require);
    open.put(key(name), handler);
  }

  private static String schema(Session session, TableName table) {
    return table.schema().orElse(session.schema());
  }

  /** Another statement of the session is about to run: it may close handlers. */
  public void before(StatementRun run, AdminStatement.OnCn statement) {
    if (open.isEmpty()) {
      return;
    }
    switch (statement) {
      case AdminStatement.Ddl(DdlStatement.DropDatabase drop) ->
          open.values().removeIf(handler -> handler.schema().equals(drop.name()));
      case AdminStatement.Ddl(DdlStatement ddl) -> close(run, changed(run.session(), ddl));
      case AdminStatement.TableMaintenance maintenance -> close(run, maintenance.tables());
      case AdminStatement.FlushTables flush -> reset(run, flush.tables());
      case AdminStatement.FlushWithReadLock flush -> reset(run, flush.tables());
      case AdminStatement.LoadDataLocal _,
          AdminStatement.CancelDdl _,
          AdminStatement.OfMembers _,
          AdminStatement.Ccl _,
          AdminStatement.LockTables _,
          AdminStatement.UnlockTables _,
          AdminStatement.LockInstance _,
          AdminStatement.UnlockInstance _,
          AdminStatement.NoOperation _,
          AdminStatement.Setting _,
          AdminStatement.FromShadow _,
          AdminStatement.Report _,
          AdminStatement.OverRows _ -> {
        // leaves tables as they are
      }
    }
  }

  private void close(StatementRun run, List<TableName> tables) {
    open.values().removeIf(handler -> isOn(run, handler, tables));
  }

  private void reset(StatementRun run, List<TableName> tables) {
    open.values().stream()
        .filter(handler -> tables.isEmpty() || isOn(run, handler, tables))
        .forEach(OpenHandler::reset);
  }

  private static boolean isOn(StatementRun run, OpenHandler handler, List<TableName> tables) {
    return tables.stream()
        .anyMatch(table -> handler.isOn(schema(run.session(), table), table.table()));
  }

  private List<TableName> changed(Session session, DdlStatement ddl) {
    return switch (ddl) {
      case DdlStatement.CreateTable create ->
          create.temporary() ? List.of() : List.of(create.name());
      case DdlStatement.CreateTableLike like -> List.of(like.name(), like.source());
      case DdlStatement.DropTables drop -> drop.names();
      case DdlStatement.AlterTable alter ->
          Stream.concat(Stream.of(alter.name()), alter.renameTo().stream()).toList();
      case DdlStatement.MakeSingle single -> single.names();
      case DdlStatement.CreateColumnIndex index -> List.of(index.table());
      case DdlStatement.TruncateTable truncate -> List.of(truncate.name());
      case DdlStatement.RenameTables rename ->
          rename.renamings().stream().flatMap(each -> Stream.of(each.from(), each.to())).toList();
      case DdlStatement.CreateTrigger create -> List.of(create.table());
      case DdlStatement.DropTrigger drop -> triggered(session, drop.name());
      case DdlStatement.OnDatabase _,
          DdlStatement.OnView _,
          DdlStatement.OnRoutine _,
          DdlStatement.OnAccount _ ->
          List.of();
    };
  }

  private List<TableName> triggered(Session session, TableName trigger) {
    Catalog catalog = path.catalog();
    return catalog.triggered(schema(session, trigger), trigger.table()).stream()
        .map(table -> new TableName(trigger.schema(), table.name()))
        .toList();
  }
}
