package io.alrai.cn.settings;

import io.alrai.executor.fragment.Plan;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.HandlerStatement;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.RoutineChange;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a statement counts as. Allocates nothing for statements over data. Stateless. */
public final class StatementKinds {
  private StatementKinds() {}

  /** Null for what only Alrai has. */
  public static @Nullable CountedStatement of(Work work) {
    return switch (work) {
      case Work.Data(var verb, Plan plan) ->
          switch (verb) {
            case SELECT -> CountedStatement.SELECT;
            case INSERT ->
                inner(plan) instanceof Plan.InsertSelect
                    ? CountedStatement.INSERT_SELECT
                    : CountedStatement.INSERT;
            case REPLACE ->
                inner(plan) instanceof Plan.InsertSelect
                    ? CountedStatement.REPLACE_SELECT
                    : CountedStatement.REPLACE;
            case UPDATE ->
                writesSeveral(plan) ? CountedStatement.UPDATE_MULTI : CountedStatement.UPDATE;
            case DELETE ->
                writesSeveral(plan) ? CountedStatement.DELETE_MULTI : CountedStatement.DELETE;
          };
      case Work.Administrative(AdminStatement statement) -> of(statement);
    };
  }

  /** Without what is done besides. */
  private static Plan inner(Plan plan) {
    return switch (plan) {
      case Plan.Checked checked -> inner(checked.write());
      case Plan.Raising raising -> inner(raising.write());
      case Plan.Select _, Plan.Write _, Plan.KeyUpdate _, Plan.Insert _, Plan.InsertSelect _ ->
          plan;
    };
  }

  private static boolean writesSeveral(Plan plan) {
    return inner(plan) instanceof Plan.Write write
        && write.keyed().isPresent()
        && write.keyed().get().targets().size() > 1;
  }

  private static @Nullable CountedStatement of(AdminStatement statement) {
    return switch (statement) {
      case AdminStatement.Begin _ -> CountedStatement.BEGIN;
      case AdminStatement.Commit _ -> CountedStatement.COMMIT;
      case AdminStatement.Rollback _ -> CountedStatement.ROLLBACK;
      case AdminStatement.Savepoint _ -> CountedStatement.SAVEPOINT;
      case AdminStatement.RollbackToSavepoint _ -> CountedStatement.ROLLBACK_TO_SAVEPOINT;
      case AdminStatement.ReleaseSavepoint _ -> CountedStatement.RELEASE_SAVEPOINT;
      case AdminStatement.Xa xa -> CountedStatement.valueOf("XA_" + xa.verb());
      case AdminStatement.XaRecover _ -> CountedStatement.XA_RECOVER;
      case AdminStatement.SetVariables _, AdminStatement.Names _, AdminStatement.SetTransaction _ ->
          CountedStatement.SET_OPTION;
      case AdminStatement.SetRole _ -> CountedStatement.SET_ROLE;
      case AdminStatement.Use _ -> CountedStatement.CHANGE_DB;
      case AdminStatement.SelectInto _,
          AdminStatement.AssigningSelect _,
          AdminStatement.NamedLocks _,
          AdminStatement.WithCalls _ ->
          CountedStatement.SELECT;
      case AdminStatement.ExplainOnShard explain -> of(explain.explained());
      case AdminStatement.Prepare _ -> CountedStatement.PREPARE_SQL;
      case AdminStatement.Execute _ -> CountedStatement.EXECUTE_SQL;
      case AdminStatement.Deallocate _ -> CountedStatement.DEALLOC_SQL;
      case AdminStatement.Call _ -> CountedStatement.CALL_PROCEDURE;
      case AdminStatement.Handler(HandlerStatement handler) -> of(handler);
      case AdminStatement.LockTables _ -> CountedStatement.LOCK_TABLES;
      case AdminStatement.UnlockTables _ -> CountedStatement.UNLOCK_TABLES;
      case AdminStatement.LockInstance _ -> CountedStatement.LOCK_INSTANCE;
      case AdminStatement.UnlockInstance _ -> CountedStatement.UNLOCK_INSTANCE;
      case AdminStatement.FlushWithReadLock _, AdminStatement.FlushTables _ ->
          CountedStatement.FLUSH;
      case AdminStatement.NoOperation nothing ->
          nothing.verb().equals("BINLOG") ? CountedStatement.BINLOG : CountedStatement.FLUSH;
      case AdminStatement.Kill _ -> CountedStatement.KILL;
      case AdminStatement.LoadDataLocal _ -> CountedStatement.LOAD;
      case AdminStatement.ChecksumTables _ -> CountedStatement.CHECKSUM;
      case AdminStatement.TableMaintenance maintenance -> ofMaintenance(maintenance.verb());
      case AdminStatement.OnConditions conditions -> ofConditions(conditions.sql());
      case AdminStatement.ShowProcesslist _ -> CountedStatement.SHOW_PROCESSLIST;
      case AdminStatement.ShowGrants _ -> CountedStatement.SHOW_GRANTS;
      case AdminStatement.ShowCreateUser _ -> CountedStatement.SHOW_CREATE_USER;
      case AdminStatement.ShowDiagnostics shown ->
          shown.errorsOnly() ? CountedStatement.SHOW_ERRORS : CountedStatement.SHOW_WARNINGS;
      case AdminStatement.FromShadow from -> CountedStatement.ofShadow(from.sql()).orElse(null);
      case AdminStatement.Ddl(DdlStatement ddl) -> of(ddl);
      case AdminStatement.ShowTopology _,
          AdminStatement.ShowColumnIndexes _,
          AdminStatement.CheckColumnIndex _,
          AdminStatement.ShowDdl _,
          AdminStatement.CancelDdl _,
          AdminStatement.OfMembers _,
          AdminStatement.Ccl _,
          AdminStatement.OfNodes _,
          AdminStatement.OfSessions _,
          AdminStatement.ExplainSharding _ ->
          null;
    };
  }

  private static CountedStatement of(HandlerStatement handler) {
    return switch (handler) {
      case HandlerStatement.Open _ -> CountedStatement.HA_OPEN;
      case HandlerStatement.Close _ -> CountedStatement.HA_CLOSE;
      case HandlerStatement.Read _ -> CountedStatement.HA_READ;
    };
  }

  private static @Nullable CountedStatement ofMaintenance(String verb) {
    return switch (verb.split(" ", 2)[0].toUpperCase(Locale.ROOT)) {
      case "ANALYZE" -> CountedStatement.ANALYZE;
      case "CHECK" -> CountedStatement.CHECK;
      case "OPTIMIZE" -> CountedStatement.OPTIMIZE;
      case "REPAIR" -> CountedStatement.REPAIR;
      default -> null;
    };
  }

  private static CountedStatement ofConditions(String sql) {
    String text = sql.strip().toUpperCase(Locale.ROOT);
    if (text.startsWith("SIGNAL")) {
      return CountedStatement.SIGNAL;
    }
    return text.startsWith("RESIGNAL")
        ? CountedStatement.RESIGNAL
        : CountedStatement.GET_DIAGNOSTICS;
  }

  private static @Nullable CountedStatement of(DdlStatement ddl) {
    return switch (ddl) {
      case DdlStatement.CreateDatabase _ -> CountedStatement.CREATE_DB;
      case DdlStatement.AlterDatabase _ -> CountedStatement.ALTER_DB;
      case DdlStatement.DropDatabase _ -> CountedStatement.DROP_DB;
      case DdlStatement.CreateTable _, DdlStatement.CreateTableLike _ ->
          CountedStatement.CREATE_TABLE;
      case DdlStatement.DropTables _ -> CountedStatement.DROP_TABLE;
      case DdlStatement.AlterTable _ -> CountedStatement.ALTER_TABLE;
      case DdlStatement.MakeSingle _ -> null;
      case DdlStatement.CreateColumnIndex _ -> CountedStatement.CREATE_INDEX;
      case DdlStatement.CreateTrigger _ -> CountedStatement.CREATE_TRIGGER;
      case DdlStatement.DropTrigger _ -> CountedStatement.DROP_TRIGGER;
      case DdlStatement.TruncateTable _ -> CountedStatement.TRUNCATE;
      case DdlStatement.RenameTables _ -> CountedStatement.RENAME_TABLE;
      case DdlStatement.CreateView _ -> CountedStatement.CREATE_VIEW;
      case DdlStatement.DropViews _ -> CountedStatement.DROP_VIEW;
      case DdlStatement.CreateUsers _ -> CountedStatement.CREATE_USER;
      case DdlStatement.CreateRoles _ -> CountedStatement.CREATE_ROLE;
      case DdlStatement.DropRoles _ -> CountedStatement.DROP_ROLE;
      case DdlStatement.GrantRoles _ -> CountedStatement.GRANT_ROLES;
      case DdlStatement.RevokeRoles _ -> CountedStatement.REVOKE_ROLES;
      case DdlStatement.SetDefaultRoles _ -> CountedStatement.ALTER_USER_DEFAULT_ROLE;
      case DdlStatement.RenameUsers _ -> CountedStatement.RENAME_USER;
      case DdlStatement.AlterUsers _ -> CountedStatement.ALTER_USER;
      case DdlStatement.DropUsers _ -> CountedStatement.DROP_USER;
      case DdlStatement.GrantPrivileges _ -> CountedStatement.GRANT;
      case DdlStatement.RevokePrivileges _ -> CountedStatement.REVOKE;
      case DdlStatement.RevokeAll _ -> CountedStatement.REVOKE_ALL;
      case DdlStatement.OnRoutine routine -> of(routine);
    };
  }

  private static CountedStatement of(DdlStatement.OnRoutine routine) {
    boolean function = routine.kind() == RoutineKind.FUNCTION;
    return switch (routine.change()) {
      case RoutineChange.CreateProcedure _ -> CountedStatement.CREATE_PROCEDURE;
      case RoutineChange.CreateFunction _ -> CountedStatement.CREATE_FUNCTION;
      case RoutineChange.Alter _ ->
          function ? CountedStatement.ALTER_FUNCTION : CountedStatement.ALTER_PROCEDURE;
      case RoutineChange.Drop _ ->
          function ? CountedStatement.DROP_FUNCTION : CountedStatement.DROP_PROCEDURE;
    };
  }
}
