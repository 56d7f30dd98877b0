package io.alrai.cn.execute;

import io.alrai.cn.shard.SideBranch;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.optimizer.syntax.Identifier;
import java.util.stream.Stream;

/** A schema of its own, outside of the binary log. */
final class SchemaScratch extends SideScratch {
  /** Made by {@link #create}, on a connection that this owns. */
  SchemaScratch(StatementRun run, SideBranch side, String scratch) {
    super(run, side, scratch);
  }

  @Override
  void create(GatherPlan plan) {
    Stream<byte[]> first =
        Stream.of(
                "SET SESSION sql_log_bin=0, foreign_key_checks=0, unique_checks=0," + LITERAL_MODE,
                "CREATE DATABASE " + Identifier.quote(schema()))
            .map(this::encoded);
    update(Stream.concat(first, copies(plan, "CREATE TABLE ")));
  }

  @Override
  public void filled(GatherPlan.Source source) {
    update(Stream.of(encoded("ANALYZE NO_WRITE_TO_BINLOG TABLE " + name(source.scratchName()))));
  }

  @Override
  boolean remove() {
    update(
        Stream.of(
                "DROP DATABASE IF EXISTS " + Identifier.quote(schema()),
                "SET SESSION sql_log_bin=1, "
                    + String.join(
                        ", ", own("foreign_key_checks"), own("unique_checks"), own("sql_mode")))
            .map(this::encoded));
    return true;
  }
}
