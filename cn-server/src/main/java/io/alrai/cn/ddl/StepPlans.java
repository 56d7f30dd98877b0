package io.alrai.cn.ddl;

import io.alrai.optimizer.api.DdlStatement;

/** Which steps a statement needs. */
final class StepPlans {
  private StepPlans() {}

  static DdlSteps of(DdlStatement statement, DdlSession session) {
    return switch (statement) {
      case DdlStatement.CreateDatabase create -> new CreateDatabaseSteps(create, session);
      case DdlStatement.AlterDatabase alter -> new AlterDatabaseSteps(alter, session);
      case DdlStatement.DropDatabase drop -> new DropDatabaseSteps(drop, session);
      case DdlStatement.CreateTable create ->
          new CreateTableSteps(NewTable.of(create, session), session);
      case DdlStatement.CreateTableLike like ->
          new CreateTableSteps(NewTable.of(like, session), session);
      case DdlStatement.DropTables drop -> new DropTablesSteps(drop, session);
      case DdlStatement.AlterTable _, DdlStatement.TruncateTable _, DdlStatement.RenameTables _ ->
          throw new UnsupportedOperationException("not built");
      case DdlStatement.CreateUsers _, DdlStatement.AlterUsers _, DdlStatement.DropUsers _ ->
          throw new IllegalArgumentException("accounts are no jobs");
    };
  }
}
