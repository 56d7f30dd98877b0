package io.alrai.executor.exchange;

import io.alrai.executor.fragment.ValueType;
import java.math.BigInteger;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Puts the rows of a plan into Arrow batches, one after the other. One thread. */
public final class BatchWriter implements AutoCloseable {
  private static final int MOST_ROWS = 4_096;

  /** A batch ends after the row with which it has this many bytes. */
  private static final int FULL_BYTES = 256 << 10;

  private static final int FIXED_BYTES = 16;

  private final PlanRows rows;
  private final List<ValueType> types;
  private final VectorSchemaRoot root;

  /**
   * A writer at the first row.
   *
   * @param rows are read, not closed
   */
  public BatchWriter(PlanRows rows, BufferAllocator allocator) {
    this.rows = rows;
    this.types = rows.columns();
    this.root = VectorSchemaRoot.create(BatchColumns.schema(types), allocator);
  }

  /** What each batch is in. */
  public VectorSchemaRoot root() {
    return root;
  }

  /** Makes the next batch; whether there may be more after it. */
  public boolean fill() {
    root.clear();
    int count = 0;
    long bytes = 0;
    boolean more = true;
    while (count < MOST_ROWS && bytes < FULL_BYTES) {
      more = rows.next();
      if (!more) {
        break;
      }
      for (int i = 0; i < types.size(); i++) {
        bytes += rows.isNull(i) ? 1 : put(i, count);
      }
      count++;
    }
    root.setRowCount(count);
    return more;
  }

  private int put(int column, int row) {
    FieldVector vector = root.getVector(column);
    switch (types.get(column).kind()) {
      case BIGINT, UNSIGNED -> ((BigIntVector) vector).setSafe(row, rows.longAt(column));
      case DECIMAL -> wide((DecimalVector) vector, row, rows.decimalAt(column).unscaledValue());
      case DOUBLE -> ((Float8Vector) vector).setSafe(row, rows.doubleAt(column));
      case DATE -> ((DateDayVector) vector).setSafe(row, (int) rows.longAt(column));
      case DATETIME -> ((TimeStampMicroVector) vector).setSafe(row, rows.longAt(column));
      case STRING -> {
        byte[] text = rows.bytesAt(column);
        ((VarBinaryVector) vector).setSafe(row, text);
        return text.length + Integer.BYTES;
      }
    }
    return FIXED_BYTES;
  }

  /**
   * The bits as they are, little-endian: 128 bits may have a digit more than Arrow's setters take.
   */
  private static void wide(DecimalVector vector, int row, BigInteger value) {
    while (row >= vector.getValueCapacity()) {
      vector.reAlloc();
    }
    long at = (long) row * DecimalVector.TYPE_WIDTH;
    vector.getDataBuffer().setLong(at, value.longValue());
    vector.getDataBuffer().setLong(at + Long.BYTES, value.shiftRight(Long.SIZE).longValue());
    BitVectorHelper.setBit(vector.getValidityBuffer(), row);
  }

  @Override
  public void close() {
    root.close();
  }
}
