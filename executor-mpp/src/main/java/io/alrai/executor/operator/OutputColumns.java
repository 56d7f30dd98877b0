package io.alrai.executor.operator;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.Output;
import java.util.ArrayList;
import java.util.List;

/** The columns of aggregated rows: names and types as MySQL gives them for the whole statement. */
final class OutputColumns {
  /** What SUM adds to the digits of its argument. */
  private static final int SUM_DIGITS = 22;

  private static final int MAX_PRECISION = 65;

  private OutputColumns() {}

  /** One for each output; output i has the label of the shard's column i where there is one. */
  static List<ColumnDefinition> of(Aggregation aggregation, List<ColumnDefinition> shard) {
    List<ColumnDefinition> columns = new ArrayList<>();
    for (int i = 0; i < aggregation.outputs().size(); i++) {
      ColumnDefinition column = output(aggregation.outputs().get(i), shard);
      columns.add(i < shard.size() ? column.withName(shard.get(i).name()) : column);
    }
    return List.copyOf(columns);
  }

  private static ColumnDefinition output(Output output, List<ColumnDefinition> shard) {
    return switch (output) {
      case Output.Any any -> shard.get(any.column());
      case Output.Count count -> shard.get(count.column());
      case Output.Sum sum -> shard.get(sum.column());
      case Output.Min min -> shard.get(min.key().column());
      case Output.Max max -> shard.get(max.key().column());
      case Output.Average average ->
          average(shard.get(average.sumColumn()), average.divisionDigits());
    };
  }

  private static ColumnDefinition average(ColumnDefinition sum, int digits) {
    int flags = sum.flags() & ~ColumnDefinition.NOT_NULL;
    if (sum.type() == MysqlType.DOUBLE || sum.type() == MysqlType.FLOAT) {
      boolean fixed = sum.decimals() < DoubleText.NOT_FIXED;
      return ColumnDefinition.expression(
          sum.name(),
          MysqlType.DOUBLE,
          ColumnDefinition.BINARY_CHARSET,
          fixed ? sum.length() + digits : sum.length(),
          flags,
          Division.decimals(sum.decimals(), digits));
    }
    int signAndPoint = (sum.isUnsigned() ? 0 : 1) + (sum.decimals() > 0 ? 1 : 0);
    int precision =
        Math.min((int) sum.length() - signAndPoint - SUM_DIGITS + digits, MAX_PRECISION);
    int scale = Division.scale(sum.decimals(), digits);
    return ColumnDefinition.expression(
        sum.name(),
        MysqlType.DECIMAL,
        ColumnDefinition.BINARY_CHARSET,
        Math.max(precision, scale) + 1L + (sum.isUnsigned() ? 0 : 1),
        flags,
        scale);
  }
}
