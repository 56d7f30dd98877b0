package io.alrai.cn.analytic;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Rows of column indexes that become a step of their statement's trace. One virtual thread. */
final class TracedRows implements RowSource {
  private final AnalyticRows rows;
  private final AskedSelect asked;
  private final String text;
  private final long startNanos;
  private long firstNanos;
  private long count;

  /** Rows of a plan that was begun at a time of the trace. */
  TracedRows(AnalyticRows rows, AskedSelect asked, ChosenPlan chosen, long startNanos) {
    this.rows = rows;
    this.asked = asked;
    this.startNanos = startNanos;
    this.text =
        ScannedTables.of(chosen.plan()).stream()
            .map(ScannedTables.Name::toString)
            .collect(Collectors.joining(", ", "a plan over columns of ", ""));
  }

  @Override
  public List<ColumnDefinition> columns() {
    return rows.columns();
  }

  @Override
  public boolean advance() {
    boolean more = rows.advance();
    if (count == 0) {
      firstNanos = asked.session().trace().sinceNanos();
    }
    count += more ? 1 : 0;
    return more;
  }

  @Override
  public Row row() {
    return rows.row();
  }

  @Override
  public void close() {
    rows.close();
    long end = asked.session().trace().sinceNanos();
    asked
        .shards()
        .onLoop(() -> {
          asked.session().trace().adds(rows.place(), text, startNanos, firstNanos, end, count);
          return CompletableFuture.completedFuture(true);
        });
  }
}
