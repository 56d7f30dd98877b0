package io.alrai.optimizer.route.gather;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Conjuncts;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.RowColumns;
import io.alrai.optimizer.route.StoredCalls;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which rows of a table a gathered statement can need. */
final class SourceFilters {
  private final Planning planning;
  private final Analysis analysis;

  SourceFilters(Planning planning, Analysis analysis) {
    this.planning = planning;
    this.analysis = analysis;
  }

  Optional<BlockFacts> blockOf(Relation.Base base) {
    return analysis.blocks().stream()
        .filter(facts -> facts.scope().relations().contains(base))
        .findFirst();
  }

  /** The condition on the rows of a table that is used there; empty when all may be needed. */
  Optional<SqlTemplate> of(List<Relation.Base> uses) {
    Set<SqlTemplate> alternatives = new LinkedHashSet<>();
    for (Relation.Base use : uses) {
      List<SqlTemplate> conjuncts = conjuncts(use);
      if (conjuncts.isEmpty()) {
        return Optional.empty();
      }
      alternatives.add(joined(conjuncts, " AND "));
    }
    List<SqlTemplate> list = new ArrayList<>(alternatives);
    if (list.size() == 1) {
      return Optional.of(list.getFirst());
    }
    List<SqlTemplate> enclosed =
        list.stream().map(one -> RowColumns.around("(", one, ")")).toList();
    return Optional.of(RowColumns.around("(", joined(enclosed, " OR "), ")"));
  }

  /** All parts in one text. */
  static SqlTemplate joined(List<SqlTemplate> parts, String separator) {
    SqlBuilder sql = new SqlBuilder();
    for (int i = 0; i < parts.size(); i++) {
      sql.text(i == 0 ? "" : separator).template(parts.get(i));
    }
    return sql.build();
  }

  private List<SqlTemplate> conjuncts(Relation.Base use) {
    Optional<BlockFacts> facts = blockOf(use);
    List<SqlTemplate> found = new ArrayList<>();
    if (facts.isEmpty() || facts.get().nullSupplied().containsKey(use.id())) {
      return found;
    }
    List<Expr> conditions = new ArrayList<>();
    facts.get().block().where().ifPresent(conditions::add);
    facts.get().block().from().forEach(item -> innerConditions(item, conditions));
    for (Expr condition : conditions) {
      for (Expr conjunct : Conjuncts.of(condition)) {
        if (concernsOnly(conjunct, use, facts.get())) {
          found.add(enclosed(conjunct));
        }
      }
    }
    return found;
  }

  private static void innerConditions(TableRef item, List<Expr> conditions) {
    if (item instanceof TableRef.Group group) {
      group.items().forEach(inner -> innerConditions(inner, conditions));
    } else if (item instanceof TableRef.Join join
        && !join.kind().keepsLeft()
        && !join.kind().keepsRight()) {
      join.on().ifPresent(conditions::add);
      innerConditions(join.left(), conditions);
      innerConditions(join.right(), conditions);
    }
  }

  /** Whether a condition is one on rows of a table by themselves. */
  boolean concernsOnly(Expr conjunct, Relation.Base use, BlockFacts facts) {
    boolean[] only = {true};
    boolean[] names = {false};
    conjunct.walk(inner -> {
      if (inner instanceof Expr.Name name) {
        Optional<ColumnRef> column = facts.scope().resolve(name);
        only[0] &= column.isPresent() && column.get().relation() == use.id();
        names[0] = true;
      }
      boolean odd =
          !inner.queries().isEmpty()
              || StoredCalls.isUnrepeatable(inner, planning.names())
              || inner instanceof Expr.Variable;
      only[0] &= !odd;
    });
    return only[0] && names[0];
  }

  /** A condition on rows of one table, for a statement over it alone. */
  SqlTemplate enclosed(Expr conjunct) {
    return RowColumns.around("(", unqualified(conjunct), ")");
  }

  private SqlTemplate unqualified(Expr conjunct) {
    TextEdits edits = planning.edits().copy();
    conjunct.walk(inner -> {
      if (inner instanceof Expr.Name name) {
        edits.replace(name.span(), Identifier.quote(name.column()));
      }
    });
    return edits.of(conjunct.span());
  }

  /** The key values to which all uses of a table are confined. */
  Optional<List<List<Integer>>> tuples(List<Relation.Base> uses) {
    Set<List<Integer>> all = new LinkedHashSet<>();
    for (Relation.Base use : uses) {
      List<List<ColumnRef>> keys =
          Placements.keyColumns(use.table()).stream()
              .map(name -> List.of(ColumnRef.of(use, name)))
              .toList();
      Optional<Set<List<Integer>>> found =
          blockOf(use).flatMap(facts -> facts.equalities().tuples(keys));
      if (found.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(found.get());
    }
    return Optional.of(List.copyOf(all));
  }
}
