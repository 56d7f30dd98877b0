package io.alrai.cn.execute;

import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.optimizer.syntax.Identifier;
import java.io.ByteArrayOutputStream;
import java.util.stream.Stream;

/**
 * Copies on a connection outside of the session's transaction, which this owns and gives back as it
 * was, or ends.
 */
abstract class SideScratch extends CopyScratch {
  private final SideBranch side;
  private final String schema;

  /** With copies in that schema. */
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
  final Stream<byte[]> copies(GatherPlan plan, String create) {
    return plan.tables().stream().map(source -> copy(source, create + name(source.scratchName())));
  }

  private byte[] copy(GatherPlan.Source source, String create) {
    if (source.groups().isEmpty()) {
      return encoded(
          create
              + " LIKE "
              + Identifier.quote(source.schema())
              + "."
              + Identifier.quote(source.table()));
    }
    ByteArrayOutputStream sql = new ByteArrayOutputStream(256);
    sql.writeBytes(encoded(create + " AS "));
    sql.writeBytes(PlaceText.render(run(), source.groups().get().definition(), source.schema()));
    return sql.toByteArray();
  }

  /** Text in the session's character set. */
  final byte[] encoded(String sql) {
    return SessionText.encoded(run().session(), sql);
  }

  /** Runs statements without rows. */
  final void update(Stream<byte[]> statements) {
    side.updates(statements.toList());
  }

  /** An assignment: a system variable as the session has it. */
  final String own(String variable) {
    return variable + "=" + setting(run().session(), variable);
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
  final String schema() {
    return schema;
  }

  @Override
  final String name(String scratchName) {
    return Identifier.quote(schema) + "." + Identifier.quote(scratchName);
  }

  @Override
  void fill(byte[] sql) {
    side.update("", sql);
  }

  @Override
  final ShardCall read(byte[] sql) {
    return side.start("", sql);
  }

  @Override
  final void ready() {
    update(Stream.of(encoded("SET SESSION " + own("sql_mode"))));
    side.settings(run().shards().settings());
  }

  @Override
  final ShardCall start(ShardStatement statement) {
    return side.start(schema, statement, run().shards().collector());
  }

  @Override
  final void drop() {
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
