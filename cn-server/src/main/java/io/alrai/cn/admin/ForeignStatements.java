package io.alrai.cn.admin;

import io.alrai.cn.statement.StatementRun;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.MembersStatement;

/** Administrative statements that other parts of the CN run; each ends its run. */
public interface ForeignStatements {
  /** DDL, as a job over the shards. */
  void ddl(StatementRun run, DdlStatement statement);

  /** A change of members, as a job. */
  void members(StatementRun run, MembersStatement.AsJob statement);

  /** LOAD DATA LOCAL. */
  void loadData(StatementRun run, AdminStatement.LoadDataLocal statement);

  /** EXPLAIN SHARDING. */
  void explainSharding(StatementRun run, AdminStatement.ExplainSharding statement);

  /** EXPLAIN as one shard answers it. */
  void explainOnShard(StatementRun run, AdminStatement.ExplainOnShard statement);

  /** ANALYZE TABLE and its like. */
  void maintain(StatementRun run, AdminStatement.TableMaintenance statement);
}
