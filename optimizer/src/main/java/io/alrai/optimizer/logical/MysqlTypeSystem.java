package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.ValueType;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** How many digits MySQL's types have. */
final class MysqlTypeSystem extends RelDataTypeSystemImpl {
  private static final int FRACTIONAL_SECONDS = 6;

  @Override
  public int getMaxPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case DECIMAL -> ValueType.MOST_DIGITS;
      case TIMESTAMP, TIME -> FRACTIONAL_SECONDS;
      case VARCHAR, CHAR -> Integer.MAX_VALUE;
      default -> super.getMaxPrecision(typeName);
    };
  }

  @Override
  public int getMaxScale(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? ValueType.MOST_SCALE : super.getMaxScale(typeName);
  }

  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }
}
