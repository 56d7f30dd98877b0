package io.alrai.cn.write;

import io.alrai.common.sql.Sql;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.StatementText;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.sql.WholeJson;
import java.util.List;
import java.util.Optional;

/** A SELECT whose rows are written again gives its documents in the form of {@link WholeJson}. */
final class WholeJsonSelect {
  private static final String CELL = "__alrai_cell_";
  private static final String ALL = "\n) LIMIT 18446744073709551615) AS __alrai_rows (";

  private final List<ColumnDefinition> columns;

  private WholeJsonSelect(List<ColumnDefinition> columns) {
    this.columns = columns;
  }

  /**
   * The SELECT in that form; the same where it has no documents.
   *
   * @param columns of its result
   */
  static Plan.Select of(Plan.Select select, List<ColumnDefinition> columns) {
    boolean documents = columns.stream().anyMatch(column -> column.type() == MysqlType.JSON);
    return documents ? new WholeJsonSelect(columns).of(select) : select;
  }

  private boolean isDocument(int column) {
    return column < columns.size() && columns.get(column).type() == MysqlType.JSON;
  }

  private Plan.Select of(Plan.Select select) {
    Optional<MergePlan> merge = select.merge().flatMap(this::merged);
    if (select.merge().isPresent() && merge.isEmpty()) {
      return select;
    }
    StatementText pinned =
        select.pinned() instanceof StatementText.Rewritten rewritten
            ? new StatementText.Rewritten(whole(rewritten.sql(), columns.size()))
            : select.pinned();
    return new Plan.Select(
        select.targets(),
        pinned,
        merge,
        select.gather().map(this::gathered),
        select.columnsByShape(),
        select.namedByText(),
        select.rowLocks(),
        select.readsViews(),
        select.floats(),
        select.foundRows(),
        select.rowDependency(),
        select.reason());
  }

  /** Empty where the CN compares, or makes groups of, what it gets. */
  private Optional<MergePlan> merged(MergePlan plan) {
    boolean sorts = plan.sort().stream().anyMatch(key -> isDocument(key.key().column()));
    if (sorts
        || plan.aggregation().isPresent()
        || !plan.distinct().isEmpty()
        || plan.shardColumns() < 0) {
      return Optional.empty();
    }
    return Optional.of(
        new MergePlan(
            whole(plan.shardSql(), plan.shardColumns()),
            whole(plan.sortedShardSql(), plan.shardColumns()),
            plan.visibleColumns(),
            plan.shardColumns(),
            plan.sort(),
            plan.aggregation(),
            plan.distinct(),
            plan.limit()));
  }

  private GatherPlan gathered(GatherPlan plan) {
    return new GatherPlan(
        plan.tables(), plan.functions(), whole(plan.sql(), columns.size()), plan.ofSession());
  }

  /** LIMIT keeps the order, and each value from being evaluated twice. */
  private SqlTemplate whole(SqlTemplate sql, int width) {
    SqlBuilder whole = new SqlBuilder().text("SELECT ");
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < width; i++) {
      Sql cell = Sql.EMPTY.name(CELL + i);
      Sql shown = isDocument(i) ? WholeJson.of(cell).words(" AS ").name(WholeJson.LABEL) : cell;
      whole.text((i == 0 ? "" : ", ") + shown.text());
      names.append(i == 0 ? "" : ", ").append(cell.text());
    }
    return whole.text(" FROM ((").template(sql).text(ALL + names + ")").build();
  }
}
