package io.alrai.executor.fragment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
 * @param join how the CN does without copies, if it can
 * @param overTables whether the copies are tables with statistics, from which a mysqld makes the
 *     plan that it would make for the client's: what it warns of depends on that
 * @param refusals better ways, and why they are not taken
 */
public record GatherPlan(
    List<Source> tables,
    List<Function> functions,
    SqlTemplate sql,
    boolean ofSession,
    Optional<JoinPlan> join,
    boolean overTables,
    List<Refusal> refusals) {
  public GatherPlan {
    tables = List.copyOf(tables);
    functions = List.copyOf(functions);
    refusals = List.copyOf(refusals);
  }

  /** A plan whose statement reads copies. */
  public GatherPlan(
      List<Source> tables, List<Function> functions, SqlTemplate sql, boolean ofSession) {
    this(tables, functions, sql, ofSession, Optional.empty(), false, List.of());
  }

  /** Whether the copies may be temporary tables, which have no statistics. */
  public boolean mayBeTemporary() {
    return !ofSession && !overTables && functions.isEmpty() && !tables.isEmpty();
  }

  /** A copy whose scratch tables get statistics, which takes longer. */
  public GatherPlan withTables() {
    return new GatherPlan(tables, functions, sql, ofSession, Optional.empty(), true, refusals);
  }

  /** A copy for a CN that may do without scratch tables. */
  public GatherPlan withJoin(JoinPlan other) {
    return new GatherPlan(
        tables, functions, sql, ofSession, Optional.of(other), overTables, refusals);
  }

  /** A copy that also says which ways were considered and refused before its own. */
  public GatherPlan instead(List<Refusal> others) {
    List<Refusal> all = new ArrayList<>(others);
    all.addAll(refusals);
    return new GatherPlan(tables, functions, sql, ofSession, join, overTables, all);
  }

  /** The groups that are copied in place of rows; then they are all that is. */
  public Optional<Groups> groups() {
    return tables.size() == 1 ? tables.getFirst().groups() : Optional.empty();
  }

  /**
   * Groups that are copied in place of their rows.
   *
   * @param merge gives them; the copy's columns are those that it shows
   * @param definition a query without rows whose columns are the copy's; {@link
   *     SqlTemplate.Piece.PlaceSchema} is the shadow schema
   */
  public record Groups(MergePlan merge, SqlTemplate definition) {}

  /**
   * A function whose values the CN puts into the scratch schema.
   *
   * @param schema logical schema
   * @param name the function's
   * @param scratchName its name in the scratch schema
   */
  public record Function(String schema, String name, String scratchName) {}

  /**
   * Rows matter only where a column has a value that a column of another table's copied rows has.
   *
   * @param column of the table
   * @param source the other's {@link Source#scratchName}
   * @param sourceColumn its column, of the same kind
   * @param function tells the value's place; empty where that takes more, or all rows are at one
   */
  public record KeyLink(
      String column, String source, String sourceColumn, Optional<PartitionFunction> function) {}

  /**
   * The part of one use of a table.
   *
   * @param schema logical schema, also the name of the shadow schema that defines the scratch table
   * @param table logical name
   * @param scratchName its name in the scratch schema
   * @param columns the columns that are copied, in the order of {@code select}; without those that
   *     the copy generates
   * @param targets where its rows are
   * @param select runs at each place and gives the rows that can matter
   * @param filtered whether it has a condition; more follow it
   * @param lock the clause after all conditions with which it locks them, and reads current ones;
   *     empty where it does not
   * @param keys what confines the rows further when other tables are copied before
   * @param groups present where groups are copied; {@code select} is of no use then
   */
  public record Source(
      String schema,
      String table,
      String scratchName,
      List<String> columns,
      Targets targets,
      SqlTemplate select,
      boolean filtered,
      String lock,
      List<KeyLink> keys,
      Optional<Groups> groups) {
    public Source {
      columns = List.copyOf(columns);
      keys = List.copyOf(keys);
    }

    /** Of rows. */
    public Source(
        String schema,
        String table,
        String scratchName,
        List<String> columns,
        Targets targets,
        SqlTemplate select,
        boolean filtered,
        String lock,
        List<KeyLink> keys) {
      this(
          schema,
          table,
          scratchName,
          columns,
          targets,
          select,
          filtered,
          lock,
          keys,
          Optional.empty());
    }

    /** The part of one use of a table of which groups are copied. */
    public static Source of(
        String schema,
        String table,
        String scratchName,
        List<String> columns,
        Targets targets,
        Groups groups) {
      return new Source(
          schema,
          table,
          scratchName,
          columns,
          targets,
          groups.merge().shardSql(),
          false,
          "",
          List.of(),
          Optional.of(groups));
    }

    /** Whether it locks rows. */
    public boolean locking() {
      return !lock.isEmpty();
    }
  }
}
