package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.NextIds;
import io.alrai.cn.ddl.rule.NewTable;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.AlterKind;
import io.alrai.optimizer.api.DdlStatement.Renaming;
import io.alrai.optimizer.api.RoutineChange;
import java.util.List;

/** Which steps a statement needs. */
public final class StepPlans {
  private StepPlans() {}

  public static DdlSteps of(
      DdlStatement.Job statement,
      DdlSession session,
      Catalog catalog,
      ColumnIndexBuilds builds,
      NextIds ids) {
    return switch (statement) {
      case DdlStatement.CreateDatabase create -> new CreateDatabaseSteps(create, session);
      case DdlStatement.AlterDatabase alter -> new AlterDatabaseSteps(alter, session);
      case DdlStatement.DropDatabase drop -> new DropDatabaseSteps(drop, session);
      case DdlStatement.CreateTable create ->
          new CreateTableSteps(NewTable.of(create, session), builds);
      case DdlStatement.CreateTableLike like ->
          new CreateTableSteps(NewTable.of(like, session), builds);
      case DdlStatement.DropTables drop -> new DropTablesSteps(drop, session);
      case DdlStatement.AlterTable alter ->
          DropColumnIndexSteps.of(alter, session, catalog).orElseGet(() -> alter(alter, session));
      case DdlStatement.MakeSingle single -> new MakeSingleSteps(single, session, ids);
      case DdlStatement.CreateColumnIndex create ->
          new CreateColumnIndexSteps(create, session, builds);
      case DdlStatement.TruncateTable truncate -> new TruncateTableSteps(truncate, session);
      case DdlStatement.RenameTables rename -> RenameTablesSteps.of(rename, session);
      case DdlStatement.CreateView create -> new CreateViewSteps(create, session);
      case DdlStatement.DropViews drop -> new DropViewsSteps(drop, session);
      case DdlStatement.CreateTrigger create -> new CreateTriggerSteps(create, session);
      case DdlStatement.DropTrigger drop -> new DropTriggerSteps(drop, session, catalog);
      case DdlStatement.OnRoutine routine -> of(routine, session);
    };
  }

  private static DdlSteps of(DdlStatement.OnRoutine routine, DdlSession session) {
    return switch (routine.change()) {
      case RoutineChange.CreateProcedure create ->
          new CreateProcedureSteps(routine, create, session);
      case RoutineChange.CreateFunction create -> new CreateFunctionSteps(routine, create, session);
      case RoutineChange.Alter alter -> new AlterRoutineSteps(routine, alter, session);
      case RoutineChange.Drop drop -> new DropRoutineSteps(routine, drop, session);
    };
  }

  private static DdlSteps alter(DdlStatement.AlterTable alter, DdlSession session) {
    if (alter.renameTo().isEmpty()) {
      return new AlterTableSteps(alter, session);
    }
    if (alter.actions().stream().allMatch(action -> action.kind() == AlterKind.MANNER)) {
      Renaming renaming = new Renaming(alter.name(), alter.renameTo().get());
      return new RenameTablesSteps(List.of(renaming), session);
    }
    throw AlraiException.unsupported(
        "'RENAME TO together with other actions of ALTER" + " TABLE': use two statements");
  }
}
