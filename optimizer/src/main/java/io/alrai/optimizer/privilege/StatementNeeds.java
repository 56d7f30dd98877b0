package io.alrai.optimizer.privilege;

import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.TableLock;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.CclStatement;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.HandlerStatement;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.bind.ColumnUses;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a statement of each kind needs. Pure. */
public final class StatementNeeds {
  private StatementNeeds() {}

  /** What DDL needs. */
  public static Needs of(DdlStatement statement, Planner.Context context) {
    NeedList needs = new NeedList(context);
    new DdlNeeds(needs).find(statement);
    return needs.done();
  }

  /**
   * What a statement over rows needs.
   *
   * @throws io.alrai.optimizer.api.text.SyntaxException when it is none
   */
  public static Needs ofData(ShapedStatement statement, Planner.Context context) {
    NeedList needs = new NeedList(context);
    Statement tree = tree(statement, context);
    if (tree instanceof Statement.InsertValues) {
      new InsertNeeds(needs, tokens(statement.shape(), context)).find();
    } else {
      new DataNeeds(needs).of(tree);
    }
    return needs.done();
  }

  /**
   * What EXPLAIN needs besides the needs of what it explains.
   *
   * @throws io.alrai.optimizer.api.text.SyntaxException when that is no statement over rows
   */
  public static Needs explained(Needs inner, ShapedStatement statement, Planner.Context context) {
    NeedList needs = new NeedList(context);
    needs.addAll(inner);
    if (context.catalog().hasViews()) {
      new DataNeeds(needs).explained(TableUses.of(tree(statement, context)));
    }
    return needs.done();
  }

  /**
   * These needs, and EXECUTE on the functions that a statement calls.
   *
   * @param ofServer those of MySQL's own schemas
   */
  public static Needs calling(
      Needs others,
      List<FunctionCalls.Call> calls,
      List<TableName> ofServer,
      Planner.Context context) {
    NeedList needs = new NeedList(context);
    needs.addAll(others);
    calls.stream()
        .map(FunctionCalls.Call::function)
        .distinct()
        .forEach(function -> needs.onFunction(function, Privilege.EXECUTE));
    ofServer.forEach(name -> needs.onRoutine(RoutineKind.FUNCTION, name, Privilege.EXECUTE));
    return needs.done();
  }

  private static Statement tree(ShapedStatement statement, Planner.Context context) {
    return StatementParser.parse(
        statement.shape(), context.ansiQuotes(), context.noBackslashEscapes());
  }

  private static TokenCursor tokens(String text, Planner.Context context) {
    return new TokenCursor(text, context.ansiQuotes(), context.noBackslashEscapes());
  }

  /**
   * What a statement needs that the CN runs by itself. SET GLOBAL, KILL, SHOW PROCESSLIST and the
   * like look at more than names: they ask when they run.
   */
  public static Needs of(
      AdminStatement.Parsed admin, ShapedStatement statement, Planner.Context context) {
    NeedList needs = new NeedList(context);
    switch (admin) {
      case AdminStatement.Use use -> needs.add(new Need.UsesSchema(use.schema(), false));
      case AdminStatement.SetTransaction set -> global(needs, set);
      case AdminStatement.FromShadow _ ->
          SystemNeeds.find(needs, tokens(statement.shape(), context));
      case AdminStatement.NoOperation _, AdminStatement.FlushTables _ ->
          flush(needs, tokens(statement.shape(), context));
      case AdminStatement.FlushWithReadLock flush ->
          flush(needs, tokens(statement.shape(), context), flush.tables());
      case AdminStatement.LockInstance _, AdminStatement.UnlockInstance _ ->
          needs.global("BACKUP_ADMIN", 0, DynamicPrivilege.BACKUP_ADMIN);
      case AdminStatement.OfMembers _ -> members(needs);
      case AdminStatement.Ccl(CclStatement rules) -> rules(needs, rules);
      case AdminStatement.Call call ->
          needs.onRoutine(RoutineKind.PROCEDURE, call.name(), Privilege.EXECUTE);
      case AdminStatement.Ddl ddl -> new DdlNeeds(needs).find(ddl.statement());
      case AdminStatement.ShowDdl _, AdminStatement.OfNodes _, AdminStatement.ShowTransactions _ ->
          needs.global("PROCESS", Privilege.PROCESS.bit());
      case AdminStatement.ShowTopology topology ->
          needs.anyOnTable(
              new TableName(topology.schema(), topology.table()), SystemNeeds.OF_TABLES, "SELECT");
      case AdminStatement.ShowColumnIndexes indexes ->
          indexes
              .table()
              .ifPresent(table -> needs.anyOnTable(table, SystemNeeds.OF_TABLES, "SELECT"));
      case AdminStatement.CheckColumnIndex check -> needs.onTable(check.table(), Privilege.SELECT);
      case AdminStatement.TableMaintenance maintenance -> maintain(needs, maintenance);
      case AdminStatement.ChecksumTables checksum ->
          checksum.tables().forEach(table -> checksum(needs, table));
      case AdminStatement.LockTables lock -> lock.locks().forEach(table -> lock(needs, table));
      case AdminStatement.LoadDataLocal load -> load(needs, load);
      case AdminStatement.Handler(HandlerStatement.Open open) ->
          needs.onTable(open.table(), Privilege.SELECT);
      case AdminStatement.OnLoop _,
          AdminStatement.ByName _,
          AdminStatement.SetVariables _,
          AdminStatement.Names _,
          AdminStatement.SetRole _,
          AdminStatement.ShowProcesslist _,
          AdminStatement.ShowDiagnostics _,
          AdminStatement.ShowGrants _,
          AdminStatement.ShowCreateUser _,
          AdminStatement.XaRecover _,
          AdminStatement.ShowTrace _,
          AdminStatement.CancelDdl _,
          AdminStatement.ExplainSharding _,
          AdminStatement.UnlockTables _,
          AdminStatement.OnConditions _,
          AdminStatement.Handler _ -> {
        // for everybody, or asked where they run
      }
    }
    return needs.done();
  }

  private static void members(NeedList needs) {
    needs.global(
        "SUPER or GROUP_REPLICATION_ADMIN",
        Privilege.SUPER.bit(),
        DynamicPrivilege.GROUP_REPLICATION_ADMIN);
  }

  private static void rules(NeedList needs, CclStatement statement) {
    switch (statement) {
      case CclStatement.Show _ -> needs.global("PROCESS", Privilege.PROCESS.bit());
      case CclStatement.Create _, CclStatement.Drop _, CclStatement.Clear _ ->
          needs.global(
              "SUPER or RESOURCE_GROUP_ADMIN",
              Privilege.SUPER.bit(),
              DynamicPrivilege.RESOURCE_GROUP_ADMIN);
    }
  }

  private static void flush(NeedList needs, TokenCursor tokens, List<TableName> locked) {
    flush(needs, tokens);
    locked.forEach(table -> lock(needs, new TableLock(table, Optional.empty(), false)));
  }

  private static void global(NeedList needs, AdminStatement.SetTransaction set) {
    if (set.scope() == AdminStatement.VariableScope.GLOBAL) {
      needs.global(
          "SUPER or SYSTEM_VARIABLES_ADMIN",
          Privilege.SUPER.bit(),
          DynamicPrivilege.SYSTEM_VARIABLES_ADMIN);
    }
  }

  private static void maintain(NeedList needs, AdminStatement.TableMaintenance maintenance) {
    for (TableName table : maintenance.tables()) {
      if (maintenance.verb().equals("CHECK")) {
        needs.onTable(table, Privilege.SELECT);
      } else {
        needs.onTable(table, Privilege.SELECT, Privilege.INSERT);
      }
    }
  }

  /** A privilege for one of its columns will do, as in MySQL. */
  private static void checksum(NeedList needs, TableName table) {
    String schema = needs.schema(table);
    if (!schema.equalsIgnoreCase("information_schema")) {
      needs.byColumn(schema, table.table(), Privilege.SELECT.bit());
    }
  }

  private static void lock(NeedList needs, TableLock lock) {
    String schema = needs.schema(lock.table());
    if (!SystemTables.isSystemSchema(schema)) {
      needs.onSchema(schema, Privilege.LOCK_TABLES);
    }
    needs.onTable(lock.table(), Privilege.SELECT);
  }

  private static void load(NeedList needs, AdminStatement.LoadDataLocal load) {
    needs.byColumn(
        needs.schema(load.table()),
        load.table().table(),
        DataNeeds.inserting(load.duplicates().equals("REPLACE"), false));
    List<String> filled = new ArrayList<>();
    if (!load.columns().isEmpty()) {
      load.columns().stream().filter(column -> !column.startsWith("@")).forEach(filled::add);
      load.set().forEach(assignment -> filled.add(assignment.column()));
    }
    ColumnUses columns = needs.columnUses();
    columns.inserted(InsertNeeds.target(load.table(), Optional.empty()), filled);
    needs.columns(columns, List.of(), false);
  }

  private static void flush(NeedList needs, TokenCursor tokens) {
    if (tokens.take("BINLOG")) {
      needs.global(
          "SUPER, BINLOG_ADMIN or REPLICATION_APPLIER",
          Privilege.SUPER.bit(),
          DynamicPrivilege.BINLOG_ADMIN,
          DynamicPrivilege.REPLICATION_APPLIER);
      return;
    }
    tokens.take("FLUSH");
    tokens.take("NO_WRITE_TO_BINLOG");
    tokens.take("LOCAL");
    String what = tokens.atEnd() ? "" : tokens.identifier().toUpperCase(Locale.ROOT);
    switch (what) {
      case "TABLE", "TABLES" -> flush(needs, DynamicPrivilege.FLUSH_TABLES);
      case "PRIVILEGES" -> flush(needs, DynamicPrivilege.FLUSH_PRIVILEGES);
      case "STATUS" -> flush(needs, DynamicPrivilege.FLUSH_STATUS);
      case "USER_RESOURCES" -> flush(needs, DynamicPrivilege.FLUSH_USER_RESOURCES);
      case "OPTIMIZER_COSTS" -> flush(needs, DynamicPrivilege.FLUSH_OPTIMIZER_COSTS);
      default -> needs.global("RELOAD", Privilege.RELOAD.bit());
    }
  }

  private static void flush(NeedList needs, DynamicPrivilege instead) {
    needs.global("RELOAD or " + instead.name(), Privilege.RELOAD.bit(), instead);
  }
}
