package io.alrai.cn.gather;

import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.GatherPlan;
import java.util.stream.Stream;

/** A schema of its own, outside of the binary log. */
final class SchemaScratch extends SideScratch {
  /** A scratch on a connection that it owns; the schema is made by {@link #create}. */
  SchemaScratch(StatementRun run, SideBranch side, String scratch) {
    super(run, side, scratch);
  }

  @Override
  void create(GatherPlan plan) {
    Stream<ShardStatement> first =
        Stream.of(
                Sql.of("SET SESSION sql_log_bin=0, foreign_key_checks=0, unique_checks=0,")
                    .add(LITERAL_MODE),
                Sql.of("CREATE DATABASE ").name(schema()))
            .map(ShardStatement::text);
    update(Stream.concat(first, copies(plan, Sql.of("CREATE TABLE "))));
  }

  @Override
  public void filled(GatherPlan.Source source) {
    side().update("", Sql.of("ANALYZE NO_WRITE_TO_BINLOG TABLE ").add(name(source.scratchName())));
  }

  @Override
  boolean remove() {
    update(
        Stream.of(
                Sql.of("DROP DATABASE IF EXISTS ").name(schema()),
                Sql.of("SET SESSION sql_log_bin=1, ")
                    .add(own("foreign_key_checks"))
                    .words(", ")
                    .add(own("unique_checks"))
                    .words(", ")
                    .add(own("sql_mode")))
            .map(ShardStatement::text));
    return true;
  }
}
