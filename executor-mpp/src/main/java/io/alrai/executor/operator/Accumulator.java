package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan.Output;
import io.alrai.executor.fragment.MergePlan.RowKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts one output column of a group together from partial rows. One thread. */
sealed interface Accumulator {
  /** Takes a partial row of the group. */
  void add(Row row);

  /** Writes the output column's value. */
  void write(GrowingBytes out);

  /**
   * Writes the column of a partial row that stands for all rows taken so far.
   *
   * @return false when this accumulator has no say in that column
   */
  boolean writePartial(int column, GrowingBytes out);

  /** Estimated bytes of heap. */
  int heapBytes();

  /** The accumulator for an output other than the value of a group's first row. */
  static Accumulator of(Output output, List<ColumnDefinition> columns) {
    return switch (output) {
      case Output.Any any -> new FirstValue(any.column());
      case Output.Count count -> new CountOf(count.column());
      case Output.Sum sum -> sumOf(sum.column(), columns);
      case Output.Min min -> new Extreme(min.key(), columns, -1);
      case Output.Max max -> new Extreme(max.key(), columns, 1);
      case Output.Average average ->
          new AverageOf(
              sumOf(average.sumColumn(), columns),
              new CountOf(average.countColumn()),
              columns.get(average.sumColumn()).decimals(),
              average.divisionDigits());
    };
  }

  private static SumOf sumOf(int column, List<ColumnDefinition> columns) {
    ColumnDefinition definition = columns.get(column);
    return switch (definition.type()) {
      case FLOAT, DOUBLE -> new FloatingSum(column, definition.decimals());
      default -> new ExactSum(column, definition.decimals());
    };
  }

  /** The first value that is not NULL. */
  final class FirstValue implements Accumulator {
    private final int column;
    private byte @Nullable [] value;

    FirstValue(int column) {
      this.column = column;
    }

    @Override
    public void add(Row row) {
      if (value == null && !row.isNull(column)) {
        value = row.value(column);
      }
    }

    @Override
    public void write(GrowingBytes out) {
      writeOrNull(value, out);
    }

    @Override
    public boolean writePartial(int asked, GrowingBytes out) {
      if (asked == column) {
        write(out);
      }
      return asked == column;
    }

    @Override
    public int heapBytes() {
      return 48;
    }
  }

  /** A sum of COUNTs. */
  final class CountOf implements Accumulator {
    private final int column;
    private long count;

    CountOf(int column) {
      this.column = column;
    }

    long count() {
      return count;
    }

    @Override
    public void add(Row row) {
      if (!row.isNull(column)) {
        count += KeyEncoder.integer(row.bytes(), row.valueStart(column), row.valueLength(column));
      }
    }

    @Override
    public void write(GrowingBytes out) {
      out.writeText(Long.toString(count));
    }

    @Override
    public boolean writePartial(int asked, GrowingBytes out) {
      if (asked == column) {
        write(out);
      }
      return asked == column;
    }

    @Override
    public int heapBytes() {
      return 24;
    }
  }

  /** A sum of SUMs. */
  sealed interface SumOf extends Accumulator {
    /** Whether a value that is not NULL was there. */
    boolean present();

    /** Appends sum / count; {@code digits} is div_precision_increment. */
    void writeQuotient(long count, int sumDecimals, int digits, GrowingBytes out);
  }

  /** Of integers and decimals. */
  final class ExactSum implements SumOf {
    private final int column;
    private final DecimalSum sum;
    private boolean present;

    ExactSum(int column, int scale) {
      this.column = column;
      this.sum = new DecimalSum(scale);
    }

    @Override
    public boolean present() {
      return present;
    }

    @Override
    public void add(Row row) {
      if (!row.isNull(column)) {
        present = true;
        sum.add(row.bytes(), row.valueStart(column), row.valueLength(column));
      }
    }

    @Override
    public void write(GrowingBytes out) {
      if (present) {
        out.writeText(sum.text());
      } else {
        out.writeNull();
      }
    }

    @Override
    public void writeQuotient(long count, int sumDecimals, int digits, GrowingBytes out) {
      out.writeText(Division.quotient(sum.value(), count, digits).toPlainString());
    }

    @Override
    public boolean writePartial(int asked, GrowingBytes out) {
      if (asked == column) {
        write(out);
      }
      return asked == column;
    }

    @Override
    public int heapBytes() {
      return 80;
    }
  }

  /** Of approximate numbers. */
  final class FloatingSum implements SumOf {
    private final int column;
    private final int decimals;
    private double sum;
    private boolean present;

    FloatingSum(int column, int decimals) {
      this.column = column;
      this.decimals = decimals;
    }

    @Override
    public boolean present() {
      return present;
    }

    @Override
    public void add(Row row) {
      if (!row.isNull(column)) {
        present = true;
        sum += KeyEncoder.floating(row.bytes(), row.valueStart(column), row.valueLength(column));
      }
    }

    @Override
    public void write(GrowingBytes out) {
      if (present) {
        out.writeText(DoubleText.of(sum, decimals));
      } else {
        out.writeNull();
      }
    }

    @Override
    public void writeQuotient(long count, int sumDecimals, int digits, GrowingBytes out) {
      out.writeText(DoubleText.of(sum / count, Division.decimals(sumDecimals, digits)));
    }

    @Override
    public boolean writePartial(int asked, GrowingBytes out) {
      if (asked == column) {
        write(out);
      }
      return asked == column;
    }

    @Override
    public int heapBytes() {
      return 40;
    }
  }

  /** Sum divided by count. */
  final class AverageOf implements Accumulator {
    private final SumOf sum;
    private final CountOf count;
    private final int sumDecimals;
    private final int digits;

    AverageOf(SumOf sum, CountOf count, int sumDecimals, int digits) {
      this.sum = sum;
      this.count = count;
      this.sumDecimals = sumDecimals;
      this.digits = digits;
    }

    @Override
    public void add(Row row) {
      sum.add(row);
      count.add(row);
    }

    @Override
    public void write(GrowingBytes out) {
      if (count.count() == 0 || !sum.present()) {
        out.writeNull();
      } else {
        sum.writeQuotient(count.count(), sumDecimals, digits, out);
      }
    }

    @Override
    public boolean writePartial(int asked, GrowingBytes out) {
      return sum.writePartial(asked, out) || count.writePartial(asked, out);
    }

    @Override
    public int heapBytes() {
      return 32 + sum.heapBytes() + count.heapBytes();
    }
  }

  /** The least or greatest value. */
  final class Extreme implements Accumulator {
    private final RowKey key;
    private final int sign;
    private final KeyEncoder encoder;
    private final GrowingBytes candidate = new GrowingBytes(16);
    private byte @Nullable [] bestKey;
    private byte[] best = new byte[0];
    private byte[] bestWeight = new byte[0];

    Extreme(RowKey key, List<ColumnDefinition> columns, int sign) {
      this.key = key;
      this.sign = sign;
      this.encoder = KeyEncoder.ofKeys(columns, List.of(key));
    }

    @Override
    public void add(Row row) {
      if (row.isNull(key.column())) {
        return;
      }
      candidate.clear();
      encoder.encode(row, candidate);
      if (bestKey == null || sign * candidate.compareTo(bestKey) > 0) {
        bestKey = candidate.copy();
        best = row.value(key.column());
        bestWeight = key.weightColumn() < 0 ? bestWeight : row.value(key.weightColumn());
      }
    }

    @Override
    public void write(GrowingBytes out) {
      writeOrNull(bestKey == null ? null : best, out);
    }

    @Override
    public boolean writePartial(int asked, GrowingBytes out) {
      if (asked == key.column()) {
        write(out);
        return true;
      }
      if (asked == key.weightColumn()) {
        writeOrNull(bestKey == null ? null : bestWeight, out);
        return true;
      }
      return false;
    }

    @Override
    public int heapBytes() {
      return 200 + best.length * 2 + bestWeight.length;
    }
  }

  private static void writeOrNull(byte @Nullable [] value, GrowingBytes out) {
    if (value == null) {
      out.writeNull();
    } else {
      out.writeValue(value, 0, value.length);
    }
  }
}
