package io.alrai.executor.fragment;

/**
 * The type of a value of an analytical plan, with the precision and scale of MySQL's rules.
 *
 * @param kind what it is
 * @param precision decimal digits of an exact number (1 to 65), most characters of a string; 0 for
 *     other kinds
 * @param scale digits after the decimal point of a DECIMAL (0 to 30), fractional seconds of a
 *     DATETIME (0 to 6); else 0
 * @param nullable whether it can be NULL
 * @param collation of a STRING; {@link TextCollation#BINARY} for other kinds
 */
public record ValueType(
    ValueKind kind, int precision, int scale, boolean nullable, TextCollation collation) {
  /** Most digits of a DECIMAL. */
  public static final int MOST_DIGITS = 65;

  /** Most digits after the decimal point. */
  public static final int MOST_SCALE = 30;

  private static final int BIGINT_DIGITS = 19;
  private static final int UNSIGNED_DIGITS = 20;

  /** Refuses digits that no DECIMAL has. */
  public ValueType {
    if (kind == ValueKind.DECIMAL
        && (precision < 1 || precision > MOST_DIGITS || scale < 0 || scale > MOST_SCALE)) {
      throw new IllegalArgumentException("DECIMAL(" + precision + "," + scale + ")");
    }
  }

  /** A truth value: 0 or 1. */
  public static ValueType truth(boolean nullable) {
    return whole(1, nullable);
  }

  /** A whole number of so many digits. */
  public static ValueType whole(int digits, boolean nullable) {
    return new ValueType(ValueKind.BIGINT, digits, 0, nullable, TextCollation.BINARY);
  }

  /** BIGINT. */
  public static ValueType bigint(boolean nullable) {
    return whole(BIGINT_DIGITS, nullable);
  }

  /** BIGINT UNSIGNED. */
  public static ValueType unsigned(boolean nullable) {
    return new ValueType(ValueKind.UNSIGNED, UNSIGNED_DIGITS, 0, nullable, TextCollation.BINARY);
  }

  /** DECIMAL(precision, scale), both cut to what MySQL has. */
  public static ValueType decimal(int precision, int scale, boolean nullable) {
    return new ValueType(
        ValueKind.DECIMAL,
        Math.clamp(precision, 1, MOST_DIGITS),
        Math.clamp(scale, 0, MOST_SCALE),
        nullable,
        TextCollation.BINARY);
  }

  /** DOUBLE. */
  public static ValueType floating(boolean nullable) {
    return new ValueType(ValueKind.DOUBLE, 0, 0, nullable, TextCollation.BINARY);
  }

  /** DATE. */
  public static ValueType date(boolean nullable) {
    return new ValueType(ValueKind.DATE, 0, 0, nullable, TextCollation.BINARY);
  }

  /** DATETIME(digits). */
  public static ValueType datetime(int digits, boolean nullable) {
    return new ValueType(ValueKind.DATETIME, 0, digits, nullable, TextCollation.BINARY);
  }

  /** VARCHAR(characters). */
  public static ValueType string(int characters, TextCollation collation, boolean nullable) {
    return new ValueType(ValueKind.STRING, characters, 0, nullable, collation);
  }

  /** A copy with another nullability. */
  public ValueType withNullable(boolean canBeNull) {
    return canBeNull == nullable
        ? this
        : new ValueType(kind, precision, scale, canBeNull, collation);
  }

  /** Digits before the point. */
  public int integerDigits() {
    return precision - scale;
  }

  @Override
  public String toString() {
    String name =
        switch (kind) {
          case DECIMAL -> "DECIMAL(" + precision + "," + scale + ")";
          case STRING -> "STRING(" + precision + ") " + collation;
          default -> kind.name();
        };
    return nullable ? name : name + " NOT NULL";
  }
}
