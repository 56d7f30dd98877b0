package io.alrai.optimizer.bind;

import io.alrai.gms.api.Column;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Expr.Operator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads conditions: splits them at AND, and tells equalities. */
public final class Conjuncts {
  private Conjuncts() {}

  /** The conditions that must all hold. */
  public static List<Expr> of(Expr condition) {
    List<Expr> found = new ArrayList<>();
    split(condition, Operator.AND, found);
    return found;
  }

  private static void split(Expr condition, Operator operator, List<Expr> found) {
    if (condition.bare() instanceof Expr.Operation operation && operation.operator() == operator) {
      operation.operands().forEach(operand -> split(operand, operator, found));
    } else {
      found.add(condition);
    }
  }

  /** Adds what a condition says to {@code equalities}. */
  static void learn(Expr condition, Scope scope, Equalities equalities) {
    for (Expr conjunct : of(condition)) {
      learnOne(conjunct.bare(), scope, equalities);
    }
  }

  private static void learnOne(Expr conjunct, Scope scope, Equalities equalities) {
    if (conjunct instanceof Expr.Operation equal && equal.operator() == Operator.EQUAL) {
      learnEqual(equal.operands().get(0).bare(), equal.operands().get(1).bare(), scope, equalities);
    }
    slotsOf(conjunct, scope).forEach(equalities::oneOf);
    List<Map<ColumnRef, List<Integer>>> branches = branches(conjunct, scope);
    if (!branches.isEmpty()) {
      equalities.anyOf(branches);
    }
  }

  private static void learnEqual(Expr left, Expr right, Scope scope, Equalities equalities) {
    if (left instanceof Expr.Name a && right instanceof Expr.Name b) {
      Optional<ColumnRef> first = scope.resolve(a);
      Optional<ColumnRef> second = scope.resolve(b);
      if (first.isPresent() && second.isPresent() && sameFamily(scope.column(a), scope.column(b))) {
        equalities.equal(first.get(), second.get());
      }
    } else if (left instanceof Expr.Row a
        && right instanceof Expr.Row b
        && a.cells().size() == b.cells().size()) {
      for (int i = 0; i < a.cells().size(); i++) {
        Expr x = a.cells().get(i).bare();
        Expr y = b.cells().get(i).bare();
        learnEqual(x, y, scope, equalities);
        equalSlot(x, y, scope).forEach(equalities::oneOf);
      }
    }
  }

  /** Whether equality of two columns means equal places. */
  public static boolean sameFamily(Optional<Column> left, Optional<Column> right) {
    Optional<String> family = left.flatMap(KeyFamily::of);
    return family.isPresent() && family.equals(right.flatMap(KeyFamily::of));
  }

  /** What one conjunct says about slots: equality or IN. */
  private static Map<ColumnRef, List<Integer>> slotsOf(Expr conjunct, Scope scope) {
    if (conjunct instanceof Expr.Operation equal && equal.operator() == Operator.EQUAL) {
      return equalSlot(equal.operands().get(0).bare(), equal.operands().get(1).bare(), scope);
    }
    if (conjunct instanceof Expr.InList in
        && !in.negated()
        && in.value().bare() instanceof Expr.Name name) {
      List<Integer> slots = new ArrayList<>();
      for (Expr item : in.list()) {
        if (!(item.bare() instanceof Expr.Slot slot)) {
          return Map.of();
        }
        slots.add(slot.index());
      }
      return scope.resolve(name).map(column -> Map.of(column, slots)).orElse(Map.of());
    }
    return Map.of();
  }

  private static Map<ColumnRef, List<Integer>> equalSlot(Expr left, Expr right, Scope scope) {
    if (left instanceof Expr.Name name && right instanceof Expr.Slot slot) {
      return scope
          .resolve(name)
          .map(column -> Map.of(column, List.of(slot.index())))
          .orElse(Map.of());
    }
    if (right instanceof Expr.Name && left instanceof Expr.Slot) {
      return equalSlot(right, left, scope);
    }
    return Map.of();
  }

  /** Branches of an OR, or rows of {@code (a, b) IN ((..), (..))}; empty when they say nothing. */
  private static List<Map<ColumnRef, List<Integer>>> branches(Expr conjunct, Scope scope) {
    List<Map<ColumnRef, List<Integer>>> branches = new ArrayList<>();
    if (conjunct instanceof Expr.InList in
        && !in.negated()
        && in.value().bare() instanceof Expr.Row names) {
      for (Expr item : in.list()) {
        branches.add(rowEqual(names, item.bare(), scope));
      }
    } else if (conjunct instanceof Expr.Operation or && or.operator() == Operator.OR) {
      List<Expr> parts = new ArrayList<>();
      split(or, Operator.OR, parts);
      for (Expr part : parts) {
        branches.add(branch(part, scope));
      }
    }
    return branches.stream().anyMatch(Map::isEmpty) ? List.of() : branches;
  }

  private static Map<ColumnRef, List<Integer>> branch(Expr part, Scope scope) {
    Map<ColumnRef, List<Integer>> known = new HashMap<>();
    for (Expr conjunct : of(part)) {
      Expr bare = conjunct.bare();
      if (bare instanceof Expr.Operation equal
          && equal.operator() == Operator.EQUAL
          && equal.operands().get(0).bare() instanceof Expr.Row names) {
        known.putAll(rowEqual(names, equal.operands().get(1).bare(), scope));
      } else {
        known.putAll(slotsOf(bare, scope));
      }
    }
    return known;
  }

  private static Map<ColumnRef, List<Integer>> rowEqual(Expr.Row names, Expr value, Scope scope) {
    if (!(value instanceof Expr.Row row) || row.cells().size() != names.cells().size()) {
      return Map.of();
    }
    Map<ColumnRef, List<Integer>> known = new HashMap<>();
    for (int i = 0; i < row.cells().size(); i++) {
      known.putAll(equalSlot(names.cells().get(i).bare(), row.cells().get(i).bare(), scope));
    }
    return known;
  }
}
