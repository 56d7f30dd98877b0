package io.alrai.optimizer.route.insert;

import io.alrai.optimizer.api.AdminStatement.TableName;
import java.util.List;
import java.util.Optional;

/**
 * INSERT or REPLACE as its tokens say; ranges are indices of tokens.
 *
 * @param replace REPLACE
 * @param modifiers the words between the verb and INTO
 * @param columns as listed; empty where there is no list
 * @param source where the rows come from
 * @param alias the alias of the new row
 * @param onDuplicate the assignments of ON DUPLICATE KEY UPDATE
 * @param tail from the alias or ON DUPLICATE to the end
 */
public record InsertText(
    boolean replace,
    String modifiers,
    TableName table,
    List<ColumnName> columns,
    Source source,
    Optional<Alias> alias,
    List<Assigned> onDuplicate,
    Range tail) {
  public InsertText {
    columns = List.copyOf(columns);
    onDuplicate = List.copyOf(onDuplicate);
  }

  /** Tokens from one index up to another, exclusive. */
  record Range(int from, int to) {
    boolean isOne() {
      return to == from + 1;
    }
  }

  /**
   * A column as named.
   *
   * @param qualifiers schema and table, table, or nothing
   */
  record ColumnName(List<String> qualifiers, String name) {
    ColumnName {
      qualifiers = List.copyOf(qualifiers);
    }

    /** As MySQL's errors show it. */
    String shown() {
      return qualifiers.isEmpty() ? name : String.join(".", qualifiers) + "." + name;
    }
  }

  /** {@code column = value}. */
  record Assigned(ColumnName column, Range value) {}

  /**
   * {@code AS name(columns)}.
   *
   * @param closing index of the parenthesis that closes the columns, or -1
   */
  record Alias(String name, List<String> columns, int closing) {
    Alias {
      columns = List.copyOf(columns);
    }
  }

  /** Where rows come from. */
  sealed interface Source {
    /** VALUES: the cells of each row. */
    record Rows(List<List<Range>> rows) implements Source {
      public Rows {
        rows = rows.stream().map(List::copyOf).toList();
      }
    }

    /** SET; the columns are those of {@link InsertText#columns}. */
    record Set(List<Range> values) implements Source {
      public Set {
        values = List.copyOf(values);
      }
    }

    /** A query. */
    record Query(Range range) implements Source {}
  }
}
