package io.alrai.optimizer.cost;

import io.alrai.optimizer.api.stats.ColumnStatistics;
import io.alrai.optimizer.logical.Functions;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;

/** The part of rows for which a condition is true: 0 to 1. */
final class Selectivity {
  private static final double EQUALITY = 0.1;
  private static final double RANGE = 0.33;
  private static final double LIKE = 0.1;
  private static final double LIKE_PREFIX = 0.05;
  private static final double OTHER = 0.5;
  private static final double LEAST = 1e-9;

  private final List<ColumnStatistics> columns;

  Selectivity(List<ColumnStatistics> columns) {
    this.columns = columns;
  }

  /** The share of rows for which a condition holds, by what is known of the columns. */
  double of(RexNode condition) {
    return Math.clamp(fraction(condition), LEAST, 1);
  }

  private double fraction(RexNode condition) {
    if (condition.isAlwaysTrue()) {
      return 1;
    }
    if (!(condition instanceof RexCall call)) {
      return OTHER;
    }
    return switch (call.getKind()) {
      case AND -> conjunction(call);
      case OR -> {
        double none = 1;
        for (RexNode operand : call.getOperands()) {
          none *= 1 - of(operand);
        }
        yield 1 - none;
      }
      case NOT -> 1 - of(call.getOperands().getFirst());
      case EQUALS -> equality(call);
      case NOT_EQUALS -> 1 - equality(call);
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          bound(call).map(Bound::fraction).orElse(RANGE);
      case LIKE -> like(call);
      case IS_NULL -> column(call.getOperands().getFirst()).map(c -> c.nullFraction()).orElse(LIKE);
      case IS_NOT_NULL ->
          1 - column(call.getOperands().getFirst()).map(c -> c.nullFraction()).orElse(LIKE);
      default -> call.getOperator() == Functions.IN_LIST ? list(call) : OTHER;
    };
  }

  /** Two bounds of one column are a range, not two independent conditions. */
  private double conjunction(RexCall call) {
    double all = 1;
    List<RexNode> conditions = RelOptUtil.conjunctions(call);
    boolean[] used = new boolean[conditions.size()];
    for (int i = 0; i < conditions.size(); i++) {
      if (used[i]) {
        continue;
      }
      double part = of(conditions.get(i));
      Optional<Bound> bound = bound(conditions.get(i));
      for (int j = i + 1; j < conditions.size() && bound.isPresent(); j++) {
        Optional<Bound> other = used[j] ? Optional.empty() : bound(conditions.get(j));
        if (other.isPresent() && other.get().closes(bound.get())) {
          part = Math.max(LEAST, bound.get().fraction() + other.get().fraction() - 1);
          used[j] = true;
        }
      }
      all *= part;
    }
    return all;
  }

  private double equality(RexCall call) {
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    Optional<ColumnStatistics> one = column(left);
    Optional<ColumnStatistics> other = column(right);
    if (one.isPresent() && other.isPresent()) {
      return 1 / Math.max(one.get().distinct(), other.get().distinct());
    }
    return one.or(() -> other).map(known -> 1 / known.distinct()).orElse(EQUALITY);
  }

  private double list(RexCall call) {
    double values = call.getOperands().size() - 1.0;
    return column(call.getOperands().getFirst())
        .map(known -> values / known.distinct())
        .orElse(Math.min(OTHER, values * EQUALITY));
  }

  private static double like(RexCall call) {
    boolean prefix =
        call.getOperands().get(1) instanceof RexLiteral literal
            && !String.valueOf(literal.getValueAs(String.class)).startsWith("%");
    return prefix ? LIKE_PREFIX : LIKE;
  }

  private Optional<ColumnStatistics> column(RexNode node) {
    RexNode bare =
        node.getKind() == SqlKind.CAST ? ((RexCall) node).getOperands().getFirst() : node;
    return bare instanceof RexInputRef ref && ref.getIndex() < columns.size()
        ? Optional.of(columns.get(ref.getIndex()))
        : Optional.empty();
  }

  /**
   * A column compared with a known value.
   *
   * @param upper whether the values lie below it
   * @param fraction the part of the values on its side
   */
  private record Bound(int column, boolean upper, double fraction) {
    boolean closes(Bound other) {
      return column == other.column && upper != other.upper;
    }
  }

  private Optional<Bound> bound(RexNode condition) {
    if (!(condition instanceof RexCall call) || call.getOperands().size() != 2) {
      return Optional.empty();
    }
    boolean less =
        call.getKind() == SqlKind.LESS_THAN || call.getKind() == SqlKind.LESS_THAN_OR_EQUAL;
    boolean greater =
        call.getKind() == SqlKind.GREATER_THAN || call.getKind() == SqlKind.GREATER_THAN_OR_EQUAL;
    if (!less && !greater) {
      return Optional.empty();
    }
    boolean turned = call.getOperands().get(0) instanceof RexLiteral;
    RexNode left = call.getOperands().get(turned ? 1 : 0);
    RexNode right = call.getOperands().get(turned ? 0 : 1);
    Optional<Double> value = number(right);
    if (!(left instanceof RexInputRef ref) || value.isEmpty()) {
      return Optional.empty();
    }
    boolean upper = less != turned;
    return column(left)
        .flatMap(known -> known.fractionBelow(value.get()))
        .map(below -> new Bound(ref.getIndex(), upper, upper ? below : 1 - below));
  }

  /** A literal as statistics count it. */
  private static Optional<Double> number(RexNode node) {
    if (!(node instanceof RexLiteral literal) || literal.isNull()) {
      return Optional.empty();
    }
    SqlTypeName type = literal.getType().getSqlTypeName();
    if (type == SqlTypeName.DATE) {
      return Optional.ofNullable(literal.getValueAs(DateString.class))
          .map(date -> (double) date.getDaysSinceEpoch());
    }
    return SqlTypeName.EXACT_TYPES.contains(type)
        ? Optional.ofNullable(literal.getValueAs(BigDecimal.class)).map(BigDecimal::doubleValue)
        : Optional.empty();
  }
}
