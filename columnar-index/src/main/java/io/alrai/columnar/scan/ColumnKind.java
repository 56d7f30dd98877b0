package io.alrai.columnar.scan;

import java.util.List;

/** What the values of a column mean. How wide they are stored is said by each {@link Storage}. */
public sealed interface ColumnKind {
  /** Precision up to which decimals are scaled integers of 64 bits. */
  int LONG_DECIMAL = 18;

  /**
   * Whole numbers: every MySQL integer, YEAR, and BIT(n) as the number that its bits are.
   *
   * @param unsigned BIGINT UNSIGNED, whose 64 bits are to be compared unsigned, and BIT; narrower
   *     unsigned integers are plain numbers at or above 0
   */
  record Int(boolean unsigned) implements ColumnKind {}

  /**
   * Exact decimals: the value times 10^scale, up to precision 18 as a 64 bit integer (or narrower),
   * beyond as one of 128 bits.
   */
  record Decimal(int precision, int scale) implements ColumnKind {}

  /**
   * FLOAT and DOUBLE.
   *
   * @param single 32 bits
   */
  record Floating(boolean single) implements ColumnKind {}

  /** Days since 1970-01-01 in the proleptic Gregorian calendar; there are no zero dates. */
  record Date() implements ColumnKind {}

  /**
   * DATETIME: microseconds since 1970-01-01 00:00:00 on the clock on the wall.
   *
   * @param fsp digits after the second, 0 to 6
   */
  record DateTime(int fsp) implements ColumnKind {}

  /** TIMESTAMP: microseconds since 1970-01-01 00:00:00 UTC. */
  record Timestamp(int fsp) implements ColumnKind {}

  /** TIME: microseconds, also negative, within 838:59:59. */
  record Time(int fsp) implements ColumnKind {}

  /**
   * Text as UTF-8, whatever the column's character set is in MySQL. CHAR has no trailing blanks.
   *
   * @param collation MySQL's name for it, which decides about equality and order
   */
  record Text(String collation) implements ColumnKind {}

  /** BINARY, VARBINARY, BLOB, GEOMETRY, VECTOR: bytes. */
  record Bytes() implements ColumnKind {}

  /** JSON as UTF-8 text, as MySQL prints it. */
  record Json() implements ColumnKind {}

  /** ENUM: the label's number from 1; 0 is MySQL's label of errors, the empty string. */
  record Label(List<String> labels, String collation) implements ColumnKind {}

  /** SET: bit i stands for label i. */
  record LabelSet(List<String> labels, String collation) implements ColumnKind {}

  /** Whether its values are bytes of any length: {@link Storage#BYTES} or codes of a dictionary. */
  default boolean isVariable() {
    return switch (this) {
      case Text text -> true;
      case Bytes bytes -> true;
      case Json json -> true;
      case Int i -> false;
      case Decimal decimal -> false;
      case Floating floating -> false;
      case Date date -> false;
      case DateTime dateTime -> false;
      case Timestamp timestamp -> false;
      case Time time -> false;
      case Label label -> false;
      case LabelSet set -> false;
    };
  }

  /**
   * The widest storage of its values: what rows that were not narrowed have, and the width to
   * compute in.
   */
  default Storage widest() {
    return switch (this) {
      case Decimal decimal when decimal.precision() > LONG_DECIMAL -> Storage.INT128;
      case Floating floating -> floating.single() ? Storage.FLOAT32 : Storage.FLOAT64;
      case Text text -> Storage.BYTES;
      case Bytes bytes -> Storage.BYTES;
      case Json json -> Storage.BYTES;
      case Date date -> Storage.INT32;
      case Int i -> Storage.INT64;
      case Decimal decimal -> Storage.INT64;
      case DateTime dateTime -> Storage.INT64;
      case Timestamp timestamp -> Storage.INT64;
      case Time time -> Storage.INT64;
      case Label label -> Storage.INT64;
      case LabelSet set -> Storage.INT64;
    };
  }
}
