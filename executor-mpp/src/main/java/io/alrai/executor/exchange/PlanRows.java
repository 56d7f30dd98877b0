package io.alrai.executor.exchange;

import io.alrai.executor.fragment.ValueType;
import java.math.BigDecimal;
import java.util.List;

/**
 * The rows of a plan that has run to its end, wherever it ran, in order. Holds memory until it is
 * closed. One thread at a time.
 */
public interface PlanRows extends AutoCloseable {
  /** The columns' types. */
  List<ValueType> columns();

  /** The column node that ran it; empty for this process. */
  default String node() {
    return "";
  }

  /** How many rows there are. */
  long rows();

  /** How many bytes the query has written to disk, because they did not fit into its memory. */
  long spilledBytes();

  /**
   * Goes to the next row; false after the last.
   *
   * @throws io.alrai.common.error.AlraiException when the rows that are left cannot be had
   */
  boolean next();

  /** Whether a column of this row is NULL. */
  boolean isNull(int column);

  /** BIGINT, UNSIGNED (the same bits), days of a DATE, microseconds of a DATETIME. */
  long longAt(int column);

  /** A DECIMAL, with its type's scale. */
  BigDecimal decimalAt(int column);

  /** A DOUBLE. */
  double doubleAt(int column);

  /** The bytes of a STRING, UTF-8. */
  byte[] bytesAt(int column);

  @Override
  void close();
}
