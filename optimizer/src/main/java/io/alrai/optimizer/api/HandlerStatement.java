package io.alrai.optimizer.api;

import io.alrai.optimizer.api.AdminStatement.TableName;
import java.util.List;
import java.util.Optional;

/** HANDLER, parsed. */
public sealed interface HandlerStatement {
  /** HANDLER table OPEN [AS alias]. */
  record Open(TableName table, Optional<String> alias) implements HandlerStatement {}

  /** HANDLER name CLOSE. */
  record Close(String handler) implements HandlerStatement {}

  /**
   * HANDLER name READ.
   *
   * @param index empty for the table's natural order
   * @param values of the first columns of the index, for steps that have some
   * @param where a condition as SQL; empty for none
   * @param offset rows that are passed over
   * @param count rows that are wanted
   */
  record Read(
      String handler,
      Optional<String> index,
      Step step,
      List<KeyValue> values,
      String where,
      long offset,
      long count)
      implements HandlerStatement {
    public Read {
      values = List.copyOf(values);
    }
  }

  /** Where a READ begins, and which way it goes. */
  enum Step {
    /** From the first row on. */
    FIRST,
    /** After the last row that was read. */
    NEXT,
    /** Backwards from there. */
    PREV,
    /** Backwards from the last row. */
    LAST,
    /** {@code =}: the rows with the values. */
    EQUAL,
    /** {@code >=}: from the first row with the values, or after them, on. */
    FROM,
    /** {@code >}: after the last row with the values. */
    BEHIND,
    /** {@code <=}: backwards from the last row with the values, or before them. */
    DOWN_FROM,
    /** {@code <}: backwards from before the first row with the values. */
    BEFORE;

    /** Whether rows come in the order of the index. */
    public boolean forward() {
      return switch (this) {
        case FIRST, NEXT, EQUAL, FROM, BEHIND -> true;
        case PREV, LAST, DOWN_FROM, BEFORE -> false;
      };
    }
  }

  /** What a value is written as. */
  enum Form {
    /** NULL. */
    NULL,
    /** A whole number. */
    INTEGER,
    /** A text. */
    STRING,
    /** Anything else. */
    EXPRESSION,
    /** Something with a variable in it, which is no constant. */
    VARIABLE
  }

  /** A value, as SQL. */
  record KeyValue(Form form, String sql) {}
}
