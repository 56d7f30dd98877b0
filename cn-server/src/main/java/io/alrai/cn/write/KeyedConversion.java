package io.alrai.cn.write;

import io.alrai.cn.gather.TemporaryScratch;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.PlaceText;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.Plan.KeyedTarget;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.gms.api.Table;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The values that a gathered SELECT gives the rows of one table, where a mysqld has to convert
 * them. One virtual thread.
 */
final class KeyedConversion implements AutoCloseable {
  private final TemporaryScratch site;
  private final SideBranch side;
  private final ConvertedValues values;
  private final int first;
  private boolean clean;

  private KeyedConversion(
      TemporaryScratch site, SideBranch side, ConvertedValues values, int first) {
    this.site = site;
    this.side = side;
    this.values = values;
    this.first = first;
  }

  /**
   * Begins one; to be closed.
   *
   * @param columns those of the SELECT
   * @param first the first that is a value of the table
   * @return empty where literals do
   */
  static Optional<KeyedConversion> of(
      ExecutorParts parts,
      StatementRun run,
      GatherPlan plan,
      KeyedTarget target,
      List<ColumnDefinition> columns,
      int first,
      boolean ignores) {
    Optional<Table> table =
        parts
            .gms()
            .catalog()
            .table(target.schema(), target.table())
            .filter(found ->
                UnlikeTypes.among(columns, first, target.texts(), found, target.assigned()));
    if (table.isEmpty() || plan.ofSession() || !plan.functions().isEmpty()) {
      return Optional.empty();
    }
    SideBranch side =
        SideBranch.open(parts.queries(), parts.links().any(), run.session().variables().ofCopies());
    KeyedConversion made =
        new KeyedConversion(
            new TemporaryScratch(run, side),
            side,
            new ConvertedValues(run, side, table.get(), target.assigned(), ignores),
            first);
    boolean begun = false;
    try {
      made.site.create(plan);
      made.values.define(PlaceText.render(run, plan.sql(), made.site.schema()), columns, first);
      begun = true;
      return Optional.of(made);
    } finally {
      if (!begun) {
        made.close();
      }
    }
  }

  /** Takes the values of a row. */
  void add(List<ColumnDefinition> columns, Row row) {
    values.add(columns, row, first);
  }

  /** Converts them; tells each row's values in the order in which they were added. */
  void read(Queue<Condition> warnings, Consumer<RowSource> each) {
    try (RowSource rows = values.rows(warnings)) {
      while (rows.advance()) {
        each.accept(rows);
      }
    }
    clean = values.done();
  }

  @Override
  public void close() {
    if (clean) {
      site.drop();
    } else {
      side.discard();
    }
  }
}
