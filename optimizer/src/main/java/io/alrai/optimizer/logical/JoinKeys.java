package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import org.apache.calcite.rex.RexNode;

/**
 * Two expressions that are compared for equality, brought to one kind, decimals to one scale.
 *
 * @param left one side
 * @param right the other side
 */
public record JoinKeys(RexNode left, RexNode right) {
  /**
   * Brings both to what a hash table can compare.
   *
   * @throws NotCovered when MySQL would compare them in another way
   */
  public static JoinKeys of(Expressions expressions, RexNode left, RexNode right) {
    expressions.compare(ScalarFunction.EQUAL, left, right);
    RexNode first = expressions.comparable(left, right);
    RexNode second = expressions.comparable(right, left);
    ValueType one = expressions.type(first);
    ValueType other = expressions.type(second);
    if (one.kind() == other.kind() && one.scale() == other.scale()) {
      return new JoinKeys(first, second);
    }
    ValueType common = common(one, other);
    return new JoinKeys(as(expressions, first, common), as(expressions, second, common));
  }

  private static ValueType common(ValueType one, ValueType other) {
    if (one.kind().isExact() && other.kind().isExact()) {
      int scale = Math.max(one.scale(), other.scale());
      int digits = Math.max(one.integerDigits(), other.integerDigits());
      return ValueType.decimal(digits + scale, scale, true);
    }
    if (one.kind().isTemporal() && other.kind().isTemporal()) {
      return ValueType.datetime(Math.max(one.scale(), other.scale()), true);
    }
    if (one.kind() == ValueKind.DOUBLE || other.kind() == ValueKind.DOUBLE) {
      return ValueType.floating(true);
    }
    throw new NotCovered("an equality of " + one + " and " + other);
  }

  private static RexNode as(Expressions expressions, RexNode value, ValueType common) {
    ValueType type = expressions.type(value);
    return type.kind() == common.kind() && type.scale() == common.scale()
        ? value
        : expressions.cast(value, common.withNullable(type.nullable()));
  }
}
