package io.alrai.optimizer.route.write;

import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.KeyedTarget;
import io.alrai.executor.fragment.Plan.KeyedWrite;
import io.alrai.executor.fragment.Refusal;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.RowColumns;
import io.alrai.optimizer.route.RowLimit;
import io.alrai.optimizer.route.SelectList;
import io.alrai.optimizer.route.SortedRows;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A write with LIMIT over several shards: which rows come first is decided above them. */
final class KeyedWritePlanner {
  private final Planning planning;
  private final Analysis analysis;
  private final BlockFacts facts;
  private final TextEdits edits;

  /** {@code edits} are those of the shard's text. */
  KeyedWritePlanner(Planning planning, Analysis analysis, BlockFacts facts, TextEdits edits) {
    this.planning = planning;
    this.analysis = analysis;
    this.facts = facts;
    this.edits = edits;
  }

  /**
   * Plans a single-table write with LIMIT.
   *
   * @throws io.alrai.common.error.AlraiException 1235 where the order is not known
   */
  Optional<KeyedWrite> plan(List<TableRef> from, Statement.Tail tail) {
    boolean single = from.size() == 1 && from.getFirst() instanceof TableRef.Named;
    Relation.Base base = (Relation.Base) facts.scope().relations().getFirst();
    Table table = base.table();
    if (!single) {
      throw Planning.unsupported(
          "LIMIT in a write over several shards of a table in parentheses; leave these out");
    }
    Optional<Limit> limit = tail.limit().flatMap(RowLimit::of);
    List<String> visible = new ArrayList<>(Placements.keyColumns(table));
    visible.addAll(table.primaryKey());
    RowColumns columns = new RowColumns(visible.size(), false);
    SelectList list = new SelectList(analysis, facts, planning.literals(), edits);
    Optional<SortedRows> sorted =
        SortedRows.of(tail.orderBy(), list, columns, edits, planning, false);
    if (limit.isEmpty() || sorted.isEmpty()) {
      throw Planning.unsupported(
          "ORDER BY a value that only one shard can compare, in a write with LIMIT");
    }
    SqlTemplate select = select(base, visible, columns, sorted.get(), limit.get(), tail);
    MergePlan merge =
        new MergePlan(
            select,
            select,
            visible.size(),
            columns.count(),
            sorted.get().keys(),
            Optional.empty(),
            List.of(),
            limit);
    return Optional.of(
        new KeyedWrite(
            new Plan.KeySource.Merged(merge),
            List.of(
                new KeyedTarget(
                    table.schema(),
                    table.name(),
                    Placements.function(table),
                    table.primaryKey(),
                    List.of(),
                    Set.of(),
                    head(planning, edits, tail),
                    KeyedTarget.OF_STATEMENT,
                    Optional.empty())),
            false,
            new Refusal(Refusal.Way.PUSH_DOWN, "LIMIT over several places")));
  }

  private SqlTemplate select(
      Relation.Base base,
      List<String> visible,
      RowColumns columns,
      SortedRows sorted,
      Limit limit,
      Statement.Tail tail) {
    SqlBuilder sql = new SqlBuilder().text("SELECT ");
    String qualifier = Identifier.quote(base.visibleName()) + ".";
    for (int i = 0; i < visible.size(); i++) {
      sql.text((i == 0 ? "" : ", ") + qualifier + Identifier.quote(visible.get(i)));
    }
    columns.append(sql);
    sql.text(" FROM ").template(edits.of(base.reference().span()));
    tail.where().ifPresent(where -> sql.text(" WHERE ").template(edits.of(where.span())));
    sql.template(sorted.orderBy());
    RowLimit.append(sql, limit);
    return sql.text(" FOR UPDATE").build();
  }

  /** The statement up to its conditions, and the word WHERE. */
  static SqlTemplate head(Planning planning, TextEdits edits, Statement.Tail tail) {
    int end = planning.text().text().length();
    if (tail.where().isPresent()) {
      int where = tail.where().get().span().start();
      return edits.of(new Span(0, where));
    }
    int cut =
        tail.orderBy().isEmpty()
            ? tail.limit().map(limit -> limit.span().start()).orElse(end)
            : wordOrder(planning.text().text(), tail.orderBy().getFirst().span().start());
    return new SqlBuilder().template(edits.of(new Span(0, cut))).text("WHERE ").build();
  }

  /** Where the last word ORDER before a place begins. Upper case can be longer: no copy of it. */
  private static int wordOrder(String text, int before) {
    String word = "ORDER";
    int at = before - word.length();
    while (!text.regionMatches(true, at, word, 0, word.length())) {
      at--;
    }
    return at;
  }
}
