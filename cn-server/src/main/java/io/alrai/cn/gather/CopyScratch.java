package io.alrai.cn.gather;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.SessionText;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.GatherPlan.Source;
import io.alrai.executor.operator.RowSource;
import io.alrai.gms.api.Table;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.function.Supplier;

/** Tables on a mysqld, into which rows are copied by INSERT. */
public abstract class CopyScratch implements ScratchSite {
  /**
   * Settings under which the copies' own texts mean the same for every session; the meaning of
   * expressions, and so the types of their columns, is the session's.
   */
  public static final Sql LITERAL_MODE =
      Sql.of(
          "sql_mode=CONVERT(CONCAT_WS(',', 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES',"
              + " IF(FIND_IN_SET('NO_BACKSLASH_ESCAPES', @@sql_mode), 'NO_BACKSLASH_ESCAPES', NULL),"
              + " IF(FIND_IN_SET('ANSI_QUOTES', @@sql_mode), 'ANSI_QUOTES', NULL),"
              + " IF(FIND_IN_SET('PIPES_AS_CONCAT', @@sql_mode), 'PIPES_AS_CONCAT', NULL),"
              + " IF(FIND_IN_SET('IGNORE_SPACE', @@sql_mode), 'IGNORE_SPACE', NULL),"
              + " IF(FIND_IN_SET('HIGH_NOT_PRECEDENCE', @@sql_mode), 'HIGH_NOT_PRECEDENCE', NULL),"
              + " IF(FIND_IN_SET('REAL_AS_FLOAT', @@sql_mode), 'REAL_AS_FLOAT', NULL),"
              + " IF(FIND_IN_SET('NO_UNSIGNED_SUBTRACTION', @@sql_mode),"
              + " 'NO_UNSIGNED_SUBTRACTION', NULL)) USING"
              + " utf8mb4)");

  /** The key column that partitions have whose table has no key of its own; shadows lack it. */
  static final Sql HIDDEN_KEY =
      Sql.EMPTY.name(Table.IMPLICIT_KEY).words(" BIGINT UNSIGNED NOT NULL DEFAULT 0 INVISIBLE");

  private static final int BATCH_BYTES = 1 << 20;

  private final StatementRun run;

  /** Copies for a statement. */
  CopyScratch(StatementRun run) {
    this.run = run;
  }

  /** The statement that the copies are for. */
  final StatementRun run() {
    return run;
  }

  /** What replaces {@code PlaceSchema} in the statement. */
  abstract String schema();

  /** The quoted name of a copy. */
  abstract Sql name(String scratchName);

  /** Makes the copies, without rows. */
  abstract void create(GatherPlan plan);

  /** Adds rows to a copy. */
  abstract void fill(ShardStatement statement);

  /** Starts a query over copies; its strings come in utf8mb4. */
  abstract ShardCall read(Sql sql);

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
    fill(ShardStatement.text(into(source), select));
  }

  private Sql into(Source source) {
    return Sql.of("INSERT INTO ")
        .add(name(source.scratchName()))
        .words(" (")
        .names(source.columns())
        .words(") ");
  }

  @Override
  public final void add(Source source, RowSource rows) {
    Sql head = into(source).words("VALUES ");
    LiteralText literals = SessionText.literals(run.session().variables());
    List<ColumnDefinition> columns = rows.columns();
    ByteArrayOutputStream batch = new ByteArrayOutputStream(4 << 10);
    while (rows.advance()) {
      if (batch.size() > 0) {
        batch.write(',');
      }
      literals.appendRow(columns, rows.row(), batch);
      if (batch.size() > BATCH_BYTES) {
        fill(ShardStatement.text(head, batch.toByteArray()));
        batch.reset();
      }
    }
    if (batch.size() > 0) {
      fill(ShardStatement.text(head, batch.toByteArray()));
    }
  }

  @Override
  public final RowSource values(GatherPlan.KeyLink link, int most) {
    Sql sql =
        Sql.of("SELECT DISTINCT ")
            .name(link.sourceColumn())
            .words(" FROM ")
            .add(name(link.source()))
            .words(" WHERE ")
            .name(link.sourceColumn())
            .words(" IS NOT NULL LIMIT ")
            .number(most);
    return new ShardRows(read(sql), name -> name, count -> {});
  }

  /** Whether rows are copied with their hidden key. */
  static boolean hasHiddenKey(Source source) {
    return source.columns().contains(Table.IMPLICIT_KEY);
  }

  /** The value that a system variable has by a session's settings. */
  public static Sql setting(SessionSettings settings, String name) {
    String literal = settings.literal(name);
    return Sql.client(
        literal.isEmpty() ? SessionSettings.initial(name) : SessionSettings.value(literal));
  }
}
