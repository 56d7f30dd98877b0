package io.alrai.executor.exchange;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import java.math.BigDecimal;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Reads the rows of batches that {@link BatchWriter} has made. One thread. */
public final class BatchCursor {
  private final List<ValueType> types;
  private final VectorSchemaRoot root;
  private int row = -1;

  /**
   * A cursor without rows as yet.
   *
   * @param types of the plan's columns
   * @param root which the batches come into
   * @throws AlraiException ALRAI_INTERNAL when it has other columns
   */
  public BatchCursor(List<ValueType> types, VectorSchemaRoot root) {
    this.types = List.copyOf(types);
    this.root = root;
    if (!root.getSchema().equals(BatchColumns.schema(types))) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "batches of " + root.getSchema() + ", a plan of " + types);
    }
  }

  /** A new batch is there: the next row is its first. */
  public void restart() {
    row = -1;
  }

  /** Goes to the next row; false after the last of the batch. */
  public boolean next() {
    return ++row < root.getRowCount();
  }

  /** Whether a column of this row is NULL. */
  public boolean isNull(int column) {
    return root.getVector(column).isNull(row);
  }

  /** BIGINT, UNSIGNED (the same bits), days of a DATE, microseconds of a DATETIME. */
  public long longAt(int column) {
    ValueKind kind = types.get(column).kind();
    return switch (kind) {
      case DATE -> ((DateDayVector) root.getVector(column)).get(row);
      case DATETIME -> ((TimeStampMicroVector) root.getVector(column)).get(row);
      case BIGINT, UNSIGNED -> ((BigIntVector) root.getVector(column)).get(row);
      case DECIMAL, DOUBLE, STRING -> throw new IllegalArgumentException(kind.name());
    };
  }

  /** A DECIMAL. */
  public BigDecimal decimalAt(int column) {
    return ((DecimalVector) root.getVector(column)).getObject(row);
  }

  /** A DOUBLE. */
  public double doubleAt(int column) {
    return ((Float8Vector) root.getVector(column)).get(row);
  }

  /** The bytes of a STRING. */
  public byte[] bytesAt(int column) {
    return ((VarBinaryVector) root.getVector(column)).get(row);
  }
}
