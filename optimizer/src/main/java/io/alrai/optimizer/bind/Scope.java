package io.alrai.optimizer.bind;

import io.alrai.gms.api.Column;
import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.syntax.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The relations that a query block sees: its own, then those of the blocks around it. Filled while
 * FROM is read.
 */
public final class Scope {
  private final Optional<Scope> outer;
  private final List<Relation> relations = new ArrayList<>();

  Scope(Optional<Scope> outer) {
    this.outer = outer;
  }

  /** The scope of no tables. */
  public static Scope empty() {
    return new Scope(Optional.empty());
  }

  void add(Relation relation) {
    relations.add(relation);
  }

  /** The block's own relations, in order. */
  public List<Relation> relations() {
    return relations;
  }

  /** The scope around. */
  public Optional<Scope> outer() {
    return outer;
  }

  /** What a name means; empty when no relation is known to have it. */
  public Optional<ColumnRef> resolve(Expr.Name name) {
    return find(name).flatMap(Output::reference);
  }

  /** The catalog's column that a name means. */
  public Optional<Column> column(Expr.Name name) {
    return find(name).flatMap(Output::column);
  }

  /** Whether a relation, of this block or of one around, is known to have it. */
  public boolean knows(Expr.Name name) {
    return find(name).isPresent();
  }

  /** What a name means among the block's own relations. */
  public Optional<ColumnRef> resolveHere(Expr.Name name) {
    return outputHere(name).flatMap(Output::reference);
  }

  /** The column that a name means. */
  Optional<Output> find(Expr.Name name) {
    Optional<Output> here = outputHere(name);
    return here.isPresent() ? here : outer.flatMap(scope -> scope.find(name));
  }

  private Optional<Output> outputHere(Expr.Name name) {
    for (Relation relation : relations) {
      if (qualifies(relation, name)) {
        Optional<Output> found = relation.output(name.column());
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** Whether a name may mean a column of the relation, by its qualifiers. */
  public static boolean qualifies(Relation relation, Expr.Name name) {
    if (name.table().isPresent() && !name.table().get().equals(relation.visibleName())) {
      return false;
    }
    return name.schema().isEmpty()
        || (relation instanceof Relation.Base base
            && name.schema().get().equals(base.table().schema()));
  }

  /** Whether all relations' columns are known, so that a name not found is an error. */
  public boolean complete() {
    return relations.stream().allMatch(relation -> relation.outputs().isPresent())
        && outer.map(Scope::complete).orElse(true);
  }
}
