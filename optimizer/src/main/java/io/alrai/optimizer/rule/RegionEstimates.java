package io.alrai.optimizer.rule;

import io.alrai.optimizer.api.stats.ColumnStatistics;
import io.alrai.optimizer.cost.Estimator;
import io.alrai.optimizer.cost.JoinSearch.Edge;
import io.alrai.optimizer.cost.JoinSearch.Vertex;
import io.alrai.optimizer.rule.JoinRegion.Relation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** A region of joins as numbers for the search of an order. */
final class RegionEstimates {
  private static final double LEAST_FACTOR = 1e-3;
  private static final double UNKNOWN_FACTOR = 0.5;

  private final JoinRegion region;
  private final Estimator estimator;
  private final List<ColumnStatistics> columns;

  RegionEstimates(JoinRegion region, Estimator estimator) {
    this.region = region;
    this.estimator = estimator;
    List<ColumnStatistics> all = new ArrayList<>();
    for (int i = 0; i < region.columns(); i++) {
      all.add(ColumnStatistics.ofDistinct(1));
    }
    for (Relation relation : region.relations()) {
      List<ColumnStatistics> own = estimator.of(relation.rows()).columns();
      for (int i = 0; i < own.size(); i++) {
        all.set(relation.first() + i, own.get(i));
      }
    }
    this.columns = List.copyOf(all);
  }

  List<Vertex> vertices() {
    List<Vertex> vertices = new ArrayList<>();
    for (Relation relation : region.relations()) {
      double rows = estimator.of(relation.rows()).rows();
      vertices.add(
          relation.dependent()
              ? new Vertex(rows, true, relation.required(), factor(relation, rows))
              : Vertex.free(rows));
    }
    return vertices;
  }

  /** What a dependent's join does to the number of rows. */
  private double factor(Relation relation, double rows) {
    if (relation.type() == JoinRelType.LEFT) {
      double matches = rows;
      for (RexNode condition : relation.condition()) {
        matches *= estimator.selectivity(columns, condition);
      }
      return Math.max(1, matches);
    }
    double part = 1;
    boolean keyed = false;
    for (RexNode condition : relation.condition()) {
      if (condition.getKind() == SqlKind.EQUALS) {
        keyed = true;
        part = Math.min(part, matched((RexCall) condition, relation));
      }
    }
    if (!keyed) {
      return UNKNOWN_FACTOR;
    }
    double kept = relation.type() == JoinRelType.SEMI ? part : 1 - part * UNKNOWN_FACTOR;
    return Math.clamp(kept, LEAST_FACTOR, 1);
  }

  /** The part of the left side's values that the right side has too. */
  private double matched(RexCall equality, Relation relation) {
    double left = 1;
    double right = 1;
    for (RexNode side : equality.getOperands()) {
      if (!(side instanceof RexInputRef ref)) {
        return UNKNOWN_FACTOR;
      }
      boolean own =
          ref.getIndex() >= relation.first()
              && ref.getIndex() < relation.first() + relation.width();
      double distinct = columns.get(ref.getIndex()).distinct();
      if (own) {
        right = distinct;
      } else {
        left = distinct;
      }
    }
    return Math.min(1, right / left);
  }

  /**
   * The conditions; several equalities between the same two relations are one, whose selectivity is
   * that of a foreign key of several columns.
   */
  List<Edge> edges() {
    Map<Integer, List<RexNode>> equalities = new LinkedHashMap<>();
    List<Edge> edges = new ArrayList<>();
    for (RexNode predicate : region.predicates()) {
      int read = region.relationsOf(predicate);
      if (Integer.bitCount(read) == 2 && predicate.getKind() == SqlKind.EQUALS) {
        equalities.computeIfAbsent(read, key -> new ArrayList<>()).add(predicate);
      } else if (Integer.bitCount(read) > 1) {
        edges.add(new Edge(read, estimator.selectivity(columns, predicate)));
      }
    }
    equalities.forEach((read, predicates) -> {
      double selectivity = 1;
      for (RexNode predicate : predicates) {
        selectivity *= estimator.selectivity(columns, predicate);
      }
      if (predicates.size() > 1) {
        selectivity = Math.max(selectivity, 1 / smallest(read));
      }
      edges.add(new Edge(read, selectivity));
    });
    return edges;
  }

  private double smallest(int relations) {
    double smallest = Double.MAX_VALUE;
    for (int i = 0; i < region.relations().size(); i++) {
      if ((relations & 1 << i) != 0) {
        RelNode rows = region.relations().get(i).rows();
        while (rows instanceof Filter filter) {
          rows = filter.getInput();
        }
        smallest = Math.min(smallest, estimator.of(rows).rows());
      }
    }
    return smallest;
  }
}
