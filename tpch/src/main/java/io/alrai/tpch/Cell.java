package io.alrai.tpch;

import java.math.BigDecimal;

/** A value of an answer. */
public sealed interface Cell {
  /** NULL. */
  record Null() implements Cell {}

  /** An integer or decimal; equal by value, 1.0 and 1.00 are the same. */
  record Exact(BigDecimal value) implements Cell {}

  /** A floating-point number; equal within a relative 1e-9. */
  record Approximate(double value) implements Cell {}

  /** A value of a reference answer: text, a number rounded to its last digit, or null. */
  record Reference(String value) implements Cell {}

  /** Anything else as text. */
  record Text(String value) implements Cell {}

  /** Whether an answer with the one is as good as an answer with the other. */
  default boolean matches(Cell other) {
    if (other instanceof Reference reference && !(this instanceof Reference)) {
      return reference.matches(this);
    }
    return switch (this) {
      case Null _ -> other instanceof Null;
      case Text(String mine) -> other instanceof Text(String theirs) && mine.equals(theirs);
      case Exact(BigDecimal mine) ->
          switch (other) {
            case Exact(BigDecimal theirs) -> mine.compareTo(theirs) == 0;
            case Approximate(double theirs) -> isClose(mine.doubleValue(), theirs);
            case Null _, Text _, Reference _ -> false;
          };
      case Approximate(double mine) ->
          switch (other) {
            case Exact(BigDecimal theirs) -> isClose(mine, theirs.doubleValue());
            case Approximate(double theirs) -> isClose(mine, theirs);
            case Null _, Text _, Reference _ -> false;
          };
      case Reference(String mine) ->
          switch (other) {
            case Exact(BigDecimal theirs) -> roundsTo(theirs, mine);
            case Approximate(double theirs) -> roundsTo(new BigDecimal(theirs), mine);
            case Text(String theirs) -> mine.equals(theirs);
            case Null _ -> mine.equals("null");
            case Reference(String theirs) -> mine.equals(theirs);
          };
    };
  }

  private static boolean isClose(double left, double right) {
    return left == right
        || Math.abs(left - right) <= 1e-9 * Math.max(Math.abs(left), Math.abs(right));
  }

  /**
   * Within half a unit of the reference's last digit; of the value's own last digit if that has
   * fewer, as a quotient in MySQL may, but at least four.
   */
  private static boolean roundsTo(BigDecimal value, String reference) {
    if (!reference.matches("-?[0-9]+(\\.[0-9]+)?")) {
      return false;
    }
    BigDecimal rounded = new BigDecimal(reference);
    int scale = Math.min(rounded.scale(), Math.max(value.scale(), 4));
    BigDecimal half = BigDecimal.valueOf(5, scale + 1);
    return value.subtract(rounded).abs().compareTo(half) <= 0;
  }

  /** The value as people read it. */
  default String text() {
    return switch (this) {
      case Null _ -> "null";
      case Exact(BigDecimal value) -> value.toPlainString();
      case Approximate(double value) -> Double.toString(value);
      case Reference(String value) -> value;
      case Text(String value) -> value;
    };
  }
}
