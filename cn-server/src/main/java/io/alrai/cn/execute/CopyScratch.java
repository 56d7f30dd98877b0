package io.alrai.cn.execute;

import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.GatherPlan.Source;
import io.alrai.executor.operator.RowSource;
import io.alrai.optimizer.syntax.Identifier;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.function.Supplier;

/** Tables on a mysqld, into which rows are copied by INSERT. */
abstract class CopyScratch implements ScratchSite {
  /** Whatever the session's, what text is in the copies' own form is read as it is meant. */
  static final String LITERAL_MODE =
      "sql_mode=CONVERT(CONCAT_WS(',', 'NO_AUTO_VALUE_ON_ZERO',"
          + " IF(FIND_IN_SET('NO_BACKSLASH_ESCAPES', @@sql_mode), 'NO_BACKSLASH_ESCAPES', NULL),"
          + " IF(FIND_IN_SET('ANSI_QUOTES', @@sql_mode), 'ANSI_QUOTES', NULL),"
          + " IF(FIND_IN_SET('PIPES_AS_CONCAT', @@sql_mode), 'PIPES_AS_CONCAT', NULL)) USING"
          + " utf8mb4)";

  private static final int BATCH_BYTES = 1 << 20;

  private final StatementRun run;

  /** For that statement. */
  CopyScratch(StatementRun run) {
    this.run = run;
  }

  /** The statement that the copies are for. */
  final StatementRun run() {
    return run;
  }

  /** What {@code PlaceSchema} stands for in the statement. */
  abstract String schema();

  /** The quoted name of a copy. */
  abstract String name(String scratchName);

  /** Makes the copies, without rows. */
  abstract void create(GatherPlan plan);

  /** Adds rows to a copy. */
  abstract void fill(byte[] sql);

  /** Starts a query over copies, whose strings come in utf8mb4. */
  abstract ShardCall read(byte[] sql);

  /** The copies are complete: the session's settings hold again. */
  abstract void ready();

  /** Starts the statement. */
  abstract ShardCall start(ShardStatement statement);

  /** Drops the copies. */
  abstract void drop();

  @Override
  public final <T> T reading(Supplier<T> work) {
    return run.shards().copying(work);
  }

  @Override
  public final void addHere(Source source, byte[] select) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(512);
    all.writeBytes(into(source));
    all.writeBytes(select);
    fill(all.toByteArray());
  }

  private byte[] into(Source source) {
    return SessionText.encoded(
        run.session(),
        "INSERT INTO "
            + name(source.scratchName())
            + " ("
            + SqlNames.list(source.columns())
            + ") ");
  }

  @Override
  public final void add(Source source, RowSource rows) {
    byte[] values = SessionText.encoded(run.session(), "VALUES ");
    LiteralText literals = SessionText.literals(run.session());
    List<ColumnDefinition> columns = rows.columns();
    ByteArrayOutputStream batch = new ByteArrayOutputStream(4 << 10);
    while (rows.advance()) {
      if (batch.size() == 0) {
        batch.writeBytes(into(source));
        batch.writeBytes(values);
      } else {
        batch.write(',');
      }
      literals.appendRow(columns, rows.row(), batch);
      if (batch.size() > BATCH_BYTES) {
        fill(batch.toByteArray());
        batch.reset();
      }
    }
    if (batch.size() > 0) {
      fill(batch.toByteArray());
    }
  }

  @Override
  public final RowSource values(GatherPlan.KeyLink link, int most) {
    String column = Identifier.quote(link.sourceColumn());
    String sql =
        "SELECT DISTINCT "
            + column
            + " FROM "
            + name(link.source())
            + " WHERE "
            + column
            + " IS NOT NULL LIMIT "
            + most;
    return new ShardRows(read(SessionText.encoded(run.session(), sql)), name -> name, count -> {});
  }

  /** What gives a system variable the value that the session has. */
  static String setting(Session session, String name) {
    String literal = session.settings().literal(name);
    return literal.isEmpty() ? SessionSettings.initial(name) : SessionSettings.value(literal);
  }
}
