package io.alrai.optimizer.bind;

import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.bind.Rows.Beside;
import io.alrai.optimizer.bind.Rows.Everywhere;
import io.alrai.optimizer.bind.Rows.Parted;
import io.alrai.optimizer.bind.Rows.Scattered;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Query.SetOperator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Query expressions: WITH, set operations, LIMIT around blocks. */
final class QueryAnalysis {
  private final Analysis analysis;

  QueryAnalysis(Analysis analysis) {
    this.analysis = analysis;
  }

  QueryFacts query(Query query, Surroundings around) {
    return query(query, around, true);
  }

  /** {@code limited} is whether a LIMIT of this query cuts what the block around sees. */
  QueryFacts query(Query query, Surroundings around, boolean limited) {
    Surroundings inner = around.with(commonTables(query, around));
    List<Expr> tail = new ArrayList<>();
    query.orderBy().forEach(item -> tail.add(item.expr()));
    QueryFacts facts = body(query.body(), inner, tail);
    if (query.limit().isPresent() && limited && !around.outermost()) {
      return cut(facts);
    }
    return facts;
  }

  private QueryFacts cut(QueryFacts facts) {
    if (!(facts.rows() instanceof Parted)) {
      return facts;
    }
    analysis.hinder("LIMIT in a subquery over several shards");
    if (facts.open()) {
      analysis.unpin();
    }
    return new QueryFacts(facts.outputs(), new Scattered(), false);
  }

  private CommonTables commonTables(Query query, Surroundings around) {
    CommonTables tables = around.commonTables();
    if (query.with().isEmpty()) {
      return tables;
    }
    for (Query.CommonTable table : query.with().get().tables()) {
      boolean recursive = query.with().get().recursive();
      tables = tables.with(new CommonTables.Entry(table, tables, around, recursive));
    }
    return tables;
  }

  QueryFacts body(Query.Body body, Surroundings around, List<Expr> tail) {
    return switch (body) {
      case Query.Block block -> new BlockAnalysis(analysis, this, around).block(block, tail);
      case Query.Nested nested -> query(nested.query(), around.apart());
      case Query.SetOperation operation -> setOperation(operation, around);
      case Query.WholeTable whole -> new BlockAnalysis(analysis, this, around).wholeTable(whole);
      case Query.Values values -> {
        BlockAnalysis block = new BlockAnalysis(analysis, this, around);
        yield block.values(values);
      }
    };
  }

  private QueryFacts setOperation(Query.SetOperation operation, Surroundings around) {
    Surroundings inner = around.apart();
    QueryFacts left = body(operation.left(), inner, List.of());
    QueryFacts right = body(operation.right(), inner, List.of());
    Rows rows = combine(operation, left.rows(), right.rows());
    boolean open = left.open() || right.open();
    if (rows instanceof Scattered && open) {
      analysis.unpin();
      open = false;
    }
    Optional<List<Output>> outputs =
        left.outputs()
            .map(list ->
                list.stream()
                    .map(o ->
                        new Output(
                            o.name(), Optional.empty(), Optional.empty(), () -> ValueKind.OTHER))
                    .toList());
    return new QueryFacts(outputs, rows, open);
  }

  private Rows combine(Query.SetOperation operation, Rows left, Rows right) {
    if (left instanceof Scattered || right instanceof Scattered) {
      return new Scattered();
    }
    if (left instanceof Parted a && right instanceof Parted b && a.tableGroup() == b.tableGroup()) {
      List<Set<Integer>> keys = common(a, b);
      boolean complete = !keys.isEmpty() && keys.stream().noneMatch(Set::isEmpty);
      if (complete || (operation.all() && operation.operator() == SetOperator.UNION)) {
        return new Parted(a.name(), a.tableGroup(), keys);
      }
    } else if (!(left instanceof Parted) && !(right instanceof Parted)) {
      return left instanceof Beside ? left : right;
    }
    analysis.hinder(operation.operator() + " over several shards");
    return new Scattered();
  }

  private static List<Set<Integer>> common(Parted a, Parted b) {
    List<Set<Integer>> keys = new ArrayList<>();
    for (int i = 0; i < Math.min(a.keys().size(), b.keys().size()); i++) {
      Set<Integer> both = new HashSet<>(a.keys().get(i));
      both.retainAll(b.keys().get(i));
      keys.add(both);
    }
    return keys;
  }

  /** The facts of a use of a common table expression. */
  QueryFacts use(CommonTables.Entry entry) {
    Query.CommonTable table = entry.definition();
    if (!analysis.enter(table)) {
      analysis.hinder("a recursive common table expression");
      return new QueryFacts(Optional.empty(), new Everywhere(), false);
    }
    try {
      Surroundings around = entry.around().with(entry.before());
      if (entry.recursive()) {
        around = around.with(entry.before().with(entry));
      }
      return query(table.query(), around.withoutAnchors());
    } finally {
      analysis.leave(table);
    }
  }
}
