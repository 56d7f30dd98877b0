package io.alrai.executor.fragment;

import java.util.List;

/**
 * The last resort of a SELECT: the needed rows are copied into a scratch schema on one mysqld, and
 * the statement runs there.
 *
 * @param tables what is copied
 * @param functions stored functions that the CN interprets
 * @param sql runs under the scratch schema; {@link SqlTemplate.Piece.PlaceSchema} is the scratch
 *     schema
 * @param ofSession whether it runs on the session's own connection instead, all of its tables
 *     qualified: temporary tables are read or written where they are
 */
public record GatherPlan(
    List<Source> tables, List<Function> functions, SqlTemplate sql, boolean ofSession) {
  /** Copies the lists. */
  public GatherPlan {
    tables = List.copyOf(tables);
    functions = List.copyOf(functions);
  }

  /**
   * A function whose values the CN puts into the scratch schema.
   *
   * @param schema logical schema
   * @param name the function's
   * @param scratchName its name in the scratch schema
   */
  public record Function(String schema, String name, String scratchName) {}

  /**
   * One table's part.
   *
   * @param schema logical schema, also the name of the shadow schema that defines the scratch table
   * @param table logical name
   * @param scratchName its name in the scratch schema
   * @param columns the columns that are copied, in the order of {@code select}; generated ones are
   *     left out
   * @param targets where its rows are
   * @param select runs at each place and gives the rows that can matter
   * @param locking whether it locks them, and reads current ones
   */
  public record Source(
      String schema,
      String table,
      String scratchName,
      List<String> columns,
      Targets targets,
      SqlTemplate select,
      boolean locking) {
    /** Copies the list. */
    public Source {
      columns = List.copyOf(columns);
    }
  }
}
