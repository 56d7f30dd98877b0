package io.alrai.cn.handler;

import java.util.List;

/**
 * Where a handler is in the order of its index.
 *
 * <pre>
 * BEGINNING | row row row [BEHIND_KEY] row row | END       START: it has read nothing yet
 * </pre>
 */
sealed interface Position {
  /** What has no values. */
  enum Outside implements Position {
    /** Nothing was read: both ways begin at their first row. */
    START,
    /** Before the first row. */
    BEGINNING,
    /** After the last row. */
    END
  }

  /**
   * At a row.
   *
   * @param values of all parts of the index's order, as literals
   */
  record AtRow(List<String> values) implements Position {
    public AtRow {
      values = List.copyOf(values);
    }
  }

  /**
   * After the rows that have some values, if there are any.
   *
   * @param values of the first parts, as literals
   */
  record BehindKey(List<String> values) implements Position {
    public BehindKey {
      values = List.copyOf(values);
    }
  }
}
