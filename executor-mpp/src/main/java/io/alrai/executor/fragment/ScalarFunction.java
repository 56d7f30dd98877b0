package io.alrai.executor.fragment;

/** The functions and operators of analytical plans: a closed set, each as MySQL defines it. */
public enum ScalarFunction {
  ADD,
  SUBTRACT,
  MULTIPLY,
  /** {@code /}: NULL for a divisor of zero. */
  DIVIDE,
  /** {@code DIV}: NULL for a divisor of zero. */
  INTEGER_DIVIDE,
  /** {@code %}: NULL for a divisor of zero. */
  MODULO,
  NEGATE,
  ABS,
  FLOOR,
  CEILING,
  /** To as many digits as a literal second argument says; half away from zero. */
  ROUND,
  EQUAL,
  NOT_EQUAL,
  LESS,
  LESS_EQUAL,
  GREATER,
  GREATER_EQUAL,
  /** {@code <=>}: never NULL. */
  NULL_SAFE_EQUAL,
  IS_NULL,
  IS_NOT_NULL,
  IS_TRUE,
  IS_FALSE,
  /** Of two or more. */
  AND,
  /** Of two or more. */
  OR,
  NOT,
  XOR,
  /** The first that is not NULL; of one type. */
  COALESCE,
  GREATEST,
  LEAST,
  /** (string, position from 1 or from the end if negative [, characters]). */
  SUBSTRING,
  CONCAT,
  UPPER,
  LOWER,
  /** In characters. */
  CHAR_LENGTH,
  /** In bytes. */
  LENGTH,
  TRIM,
  LEFT,
  RIGHT,
  /** Days between the dates of two points in time. */
  DATEDIFF;

  /** Whether it compares two values and answers NULL if one is NULL. */
  public boolean isComparison() {
    return switch (this) {
      case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL -> true;
      default -> false;
    };
  }
}
