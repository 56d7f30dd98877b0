package io.alrai.executor.vector;

import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.Mem;
import java.util.List;

/**
 * How a row lies in memory.
 *
 * <pre>
 *  0   next row of the same bucket, 8 bytes
 *  8   hash of the keys, 8 bytes
 *  16  one byte for each nullable column, 1 for NULL; padded to 8
 *  ..  values: 8 bytes; 16 for a WIDE number (low half first) and for text (address, length)
 * </pre>
 */
public final class RowLayout {
  /** Where the address of the bucket's next row is. */
  public static final int NEXT = 0;

  /** Where the hash is. */
  public static final int HASH = 8;

  private static final int HEADER = 16;
  private static final int SLOT = 8;

  /** How a value is held. */
  public enum Form {
    /** 64 bits. */
    LONG,
    /** 128 bits. */
    WIDE,
    /** A floating point number of 64 bits. */
    DOUBLE,
    /** Address and length. */
    TEXT
  }

  private final List<ValueType> types;
  private final int[] nullOffsets;
  private final int[] offsets;
  private final int size;

  /** A layout for columns of these types. */
  public RowLayout(List<ValueType> types) {
    this.types = List.copyOf(types);
    this.nullOffsets = new int[types.size()];
    this.offsets = new int[types.size()];
    int at = HEADER;
    for (int i = 0; i < nullOffsets.length; i++) {
      nullOffsets[i] = types.get(i).nullable() ? at++ : -1;
    }
    at = (at + SLOT - 1) / SLOT * SLOT;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = at;
      at += width(types.get(i));
    }
    this.size = at;
  }

  /** How values of a type are held in rows. */
  public static Form form(ValueType type) {
    return switch (type.kind()) {
      case DOUBLE -> Form.DOUBLE;
      case STRING -> Form.TEXT;
      case DECIMAL -> type.precision() <= LONG_DIGITS ? Form.LONG : Form.WIDE;
      case BIGINT, UNSIGNED, DATE, DATETIME -> Form.LONG;
    };
  }

  /** Digits of a DECIMAL that is held in 64 bits. */
  public static final int LONG_DIGITS = 18;

  private static int width(ValueType type) {
    Form form = form(type);
    return form == Form.WIDE || form == Form.TEXT ? 2 * SLOT : SLOT;
  }

  /** The columns' types. */
  public List<ValueType> types() {
    return types;
  }

  /** Where a column's NULL byte is, or -1 where it has none. */
  public int nullOffset(int column) {
    return nullOffsets[column];
  }

  /** Where a column's value is. */
  public int offset(int column) {
    return offsets[column];
  }

  /** Bytes of a row, a multiple of 8. */
  public int size() {
    return size;
  }

  /** Whether a row's column is NULL. */
  public boolean isNull(long row, int column) {
    return nullOffsets[column] >= 0 && Mem.byteAt(row + nullOffsets[column]) != 0;
  }

  /** Whether the column is text. */
  public boolean isText(int column) {
    return types.get(column).kind() == ValueKind.STRING;
  }
}
