package io.alrai.executor.exchange;

import io.alrai.executor.fragment.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * How values of plans are held in Arrow's vectors: whole numbers as 64 bits, every DECIMAL as 128
 * bits with its scale, DATE as days, DATETIME as microseconds, text as bytes of UTF-8. Stateless.
 */
final class BatchColumns {
  /** Digits that 128 bits are sure to have. */
  private static final int WIDE_DIGITS = 38;

  private static final int WIDE_BITS = 128;

  private BatchColumns() {}

  static Schema schema(List<ValueType> types) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      fields.add(new Field("c" + i, FieldType.nullable(type(types.get(i))), List.of()));
    }
    return new Schema(fields);
  }

  private static ArrowType type(ValueType type) {
    return switch (type.kind()) {
      case BIGINT, UNSIGNED -> new ArrowType.Int(Long.SIZE, true);
      case DECIMAL -> new ArrowType.Decimal(WIDE_DIGITS, type.scale(), WIDE_BITS);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case DATETIME -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
      case STRING -> new ArrowType.Binary();
    };
  }
}
