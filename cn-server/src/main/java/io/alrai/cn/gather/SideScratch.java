package io.alrai.cn.gather;

import com.google.errorprone.annotations.CompileTimeConstant;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.PlaceText;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.GatherPlan;
import java.util.stream.Stream;

/**
 * Copies on a connection outside of the session's transaction, which it owns, and restores and
 * gives back, or closes.
 */
abstract class SideScratch extends CopyScratch {
  private final SideBranch side;
  private final String schema;

  /** A scratch with copies in this schema. */
  SideScratch(StatementRun run, SideBranch side, String schema) {
    super(run);
    this.side = side;
    this.schema = schema;
  }

  /**
   * Drops the copies and puts back what the connection had.
   *
   * @return whether others may use it
   */
  abstract boolean remove();

  /** The statements that make the copies: {@code create} is what comes before their names. */
  final Stream<ShardStatement> copies(GatherPlan plan, Sql create) {
    return plan.tables().stream()
        .flatMap(source -> {
          Sql copy = name(source.scratchName());
          ShardStatement made = copy(source, create.add(copy));
          return hasHiddenKey(source)
              ? Stream.of(
                  made,
                  ShardStatement.text(
                      Sql.of("ALTER TABLE ").add(copy).words(" ADD COLUMN ").add(HIDDEN_KEY)))
              : Stream.of(made);
        });
  }

  private ShardStatement copy(GatherPlan.Source source, Sql create) {
    if (source.groups().isEmpty()) {
      return ShardStatement.text(create.words(" LIKE ").name(source.schema(), source.table()));
    }
    return ShardStatement.text(
        create.words(" AS "),
        PlaceText.render(run(), source.groups().get().definition(), source.schema()));
  }

  /** Runs statements without rows. */
  final void update(Stream<ShardStatement> statements) {
    side.updates(statements.toList());
  }

  /** An assignment: a system variable as the session has it. */
  final Sql own(@CompileTimeConstant String variable) {
    return Sql.of(variable)
        .words("=")
        .add(setting(run().session().variables().settings(), variable));
  }

  /** The connection. */
  final SideBranch side() {
    return side;
  }

  @Override
  public final boolean isAt(DnId dn) {
    return dn.equals(side.dn());
  }

  @Override
  public final String schema() {
    return schema;
  }

  @Override
  final Sql name(String scratchName) {
    return Sql.EMPTY.name(schema, scratchName);
  }

  @Override
  void fill(ShardStatement statement) {
    side.update("", statement);
  }

  @Override
  final ShardCall read(Sql sql) {
    return side.start("", sql);
  }

  @Override
  final void ready() {
    side.update("", Sql.of("SET SESSION ").add(own("sql_mode")));
    side.settings(run().shards().settings());
  }

  @Override
  final ShardCall start(ShardStatement statement) {
    return side.start(schema, statement, run().shards().collector());
  }

  @Override
  public final void drop() {
    boolean clean = false;
    try {
      clean = remove();
    } finally {
      if (clean) {
        side.close();
      } else {
        side.discard();
      }
    }
  }
}
