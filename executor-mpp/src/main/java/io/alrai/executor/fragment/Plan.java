package io.alrai.executor.fragment;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the executor does for a data statement: the planner's answer for one statement shape. */
public sealed interface Plan {
  /** Whether it changes rows that all sessions see. */
  default boolean writesShared() {
    return switch (this) {
      case Select select -> false;
      case Write write -> !write.targets().areOfSession();
      case KeyUpdate update -> true;
      case Insert insert -> !insert.rows().isOfSession();
      case InsertSelect insert -> !insert.rows().isOfSession();
      case Checked checked -> checked.write().writesShared();
      case Raising raising -> raising.write().writesShared();
    };
  }

  /**
   * A SELECT (or TABLE, VALUES, WITH ... SELECT).
   *
   * @param targets which partition groups; for a statement that no single shard can answer, {@code
   *     All} of nothing
   * @param pinned its text when one place remains
   * @param merge present where several places can be merged
   * @param gather present where {@code merge} is not; the last resort
   * @param columnsByShape whether the types of the result's columns are the same for all statements
   *     of the shape, whatever their literals and the session's variables
   * @param namedByText whether result columns are named by the text of expressions: the names that
   *     {@code merge} and {@code gather} give them are those of the shape and to be replaced
   * @param rowLocks FOR UPDATE or FOR SHARE
   * @param readsViews whether queries of views stand in its texts: only the shadow schema's views
   *     tell what the result's columns belong to
   * @param floats whether values of the type FLOAT may be read, of which texts have six digits only
   * @param foundRows present for SQL_CALC_FOUND_ROWS, which no text has: the shards give all rows
   * @param rowDependency on which rows of which table the reply depends; empty where it depends on
   *     more
   * @param reason one line for EXPLAIN SHARDING
   */
  record Select(
      Targets targets,
      StatementText pinned,
      Optional<MergePlan> merge,
      Optional<GatherPlan> gather,
      boolean columnsByShape,
      boolean namedByText,
      RowLocks rowLocks,
      boolean readsViews,
      boolean floats,
      Optional<FoundRows> foundRows,
      Optional<RowDependency> rowDependency,
      String reason)
      implements Plan {
    /** A copy over several places. */
    public Select over(
        Targets places, Optional<MergePlan> merged, Optional<GatherPlan> gathered, String why) {
      return new Select(
          places,
          pinned,
          merged,
          gathered,
          columnsByShape,
          namedByText,
          rowLocks,
          readsViews,
          floats,
          foundRows,
          rowDependency,
          why);
    }

    /** Whether it locks rows. */
    public boolean locking() {
      return rowLocks != RowLocks.NONE;
    }

    /** Whether temporary tables of the session's are read. */
    public boolean ofSession() {
      return gather.map(GatherPlan::ofSession).orElse(false) || targets.areOfSession();
    }
  }

  /**
   * SQL_CALC_FOUND_ROWS.
   *
   * @param limit which of the rows the client gets
   */
  record FoundRows(Optional<MergePlan.Limit> limit) {}

  /** What a SELECT does about row locks. */
  enum RowLocks {
    NONE,

    /** FOR SHARE; it waits for those of others. */
    SHARED,

    /** FOR SHARE with NOWAIT or SKIP LOCKED. */
    SHARED_IMPATIENT,

    /** FOR UPDATE; it waits for those of others. */
    WAITING,

    /** FOR UPDATE with NOWAIT or SKIP LOCKED. */
    IMPATIENT;

    /** Whether it does not wait for those of others. */
    public boolean impatient() {
      return this == IMPATIENT || this == SHARED_IMPATIENT;
    }

    /** Whether nobody else may lock these rows. */
    public boolean exclusive() {
      return this == WAITING || this == IMPATIENT;
    }
  }

  /**
   * UPDATE or DELETE.
   *
   * @param pinned its text when one place remains
   * @param shardSql its text at each of several places
   * @param keyed present where ORDER BY or LIMIT over several places must choose rows first
   * @param gathered present where a temporary table is written that rows of other tables decide on:
   *     the statement itself, over copies of them
   */
  record Write(
      Targets targets,
      StatementText pinned,
      SqlTemplate shardSql,
      Optional<KeyedWrite> keyed,
      Optional<GatherPlan> gathered,
      String reason)
      implements Plan {
    /** A statement that is run over tables where they are. */
    public Write(
        Targets targets,
        StatementText pinned,
        SqlTemplate shardSql,
        Optional<KeyedWrite> keyed,
        String reason) {
      this(targets, pinned, shardSql, keyed, Optional.empty(), reason);
    }

    /** Whether functions that CNs interpret choose rows or give values: no place can run it. */
    public boolean callsFunctions() {
      return keyed.isPresent()
          && keyed.get().rows() instanceof KeySource.Gathered(GatherPlan gather, _, _)
          && !gather.functions().isEmpty();
    }
  }

  /**
   * The rows of an UPDATE or DELETE that has LIMIT, or reads rows of other places, are chosen by a
   * locking SELECT of their primary keys, then written by key.
   *
   * @param rows its visible columns are those of the targets, one target's after another's
   * @param targets the tables that are written; several are those of a multi-table statement
   * @param ignores whether it says IGNORE
   * @param refusal why no mysqld runs all of it
   */
  record KeyedWrite(KeySource rows, List<KeyedTarget> targets, boolean ignores, Refusal refusal) {
    public KeyedWrite {
      targets = List.copyOf(targets);
    }

    /** Whether the places are the tables' own: no place can run the statement itself. */
    public boolean atOwnPlaces() {
      return !targets.getFirst().home().equals(KeyedTarget.OF_STATEMENT);
    }
  }

  /**
   * A table that a {@link KeyedWrite} writes. Of the rows, it has the partition key columns, then
   * the primary key columns, then what {@code assigned} columns get.
   *
   * @param schema of the table
   * @param table its name
   * @param function from the partition key to the place
   * @param keyColumns names of the primary key columns; NULL in a row that has none of this table
   * @param assigned columns that get a selected value; empty where {@code head} says all
   * @param texts which of the selected values a column takes as strings whatever their types are
   * @param head text up to WHERE, or up to SET where there are {@code assigned} ones; the executor
   *     appends these and {@code (pk..) IN ((..),..)}
   * @param home where its rows are: all places, every DN for a broadcast table, or {@link
   *     #OF_STATEMENT}
   * @param moved how a row is stored whose new partition key leads elsewhere: partition key columns
   *     first, then all others but generated ones; empty where none gets a new one
   */
  record KeyedTarget(
      String schema,
      String table,
      PartitionFunction function,
      List<String> keyColumns,
      List<String> assigned,
      Set<Integer> texts,
      SqlTemplate head,
      Targets home,
      Optional<InsertRows> moved) {
    /** The places to which the statement leads. */
    public static final Targets OF_STATEMENT = new Targets.All(List.of());

    public KeyedTarget {
      keyColumns = List.copyOf(keyColumns);
      assigned = List.copyOf(assigned);
      texts = Set.copyOf(texts);
    }

    /** How many columns tell a row's place and key; after them come the values. */
    public int keyWidth() {
      return function.columns().size() + keyColumns.size();
    }

    /** How many columns of the rows it has, {@code valued} ones with values. */
    public int width(boolean valued) {
      return keyWidth() + (valued ? assigned.size() : 0);
    }
  }

  /** What chooses the rows of a {@link KeyedWrite}. */
  sealed interface KeySource {
    /** Each place gives its part. */
    record Merged(MergePlan plan) implements KeySource {}

    /**
     * Copies of the rows that can matter.
     *
     * @param statement the client's over the copies, where it can run there
     * @param ofSession after it: writes those of the session's tables whose rows no key tells
     */
    record Gathered(
        GatherPlan plan, Optional<SqlTemplate> statement, Optional<SqlTemplate> ofSession)
        implements KeySource {}

    /**
     * The statement itself runs over the copies, as its values build on one another.
     *
     * @param plan chooses the rows, without the values that they get
     * @param statement the client's
     * @param values after it: for each target a SELECT of the copy's rows, which are all of it
     */
    record Rehearsed(GatherPlan plan, SqlTemplate statement, List<SqlTemplate> values)
        implements KeySource {
      public Rehearsed {
        values = List.copyOf(values);
      }
    }
  }

  /**
   * UPDATE of columns that decide a row's place. Each place updates its rows where they are, then
   * the rows whose key leads elsewhere are moved.
   *
   * @param update its text for each place; also for one alone
   * @param newKeys merged over the places: what the partition key columns are to get, in the order
   *     of the partition function
   * @param foreseen whether {@code newKeys} reads what {@code update} will read: no column that is
   *     assigned before
   * @param rows how a moved row is stored: partition key columns first, then all others but
   *     generated ones
   * @param primaryKey names of its columns
   */
  record KeyUpdate(
      Write update, MergePlan newKeys, boolean foreseen, InsertRows rows, List<String> primaryKey)
      implements Plan {
    public KeyUpdate {
      primaryKey = List.copyOf(primaryKey);
    }
  }

  /** INSERT or REPLACE with VALUES. */
  record Insert(InsertRows rows) implements Plan {}

  /**
   * INSERT or REPLACE ... SELECT.
   *
   * @param pushed present where each place can run it whole: targets and text
   * @param select else: gives the rows
   * @param locking the select with shared locks on what it reads, as transactions run it; empty
   *     where it cannot be had
   * @param rows else: takes them; its one pattern's cells are the select's columns
   * @param besides how many more columns the select has, whose values are slots of the rows' tail
   *     after those of the statement
   * @param query the client's text of the query, by which tables without rows tell its types; empty
   *     where there are columns beside
   * @param texts which of its columns a column takes as strings whatever their types are, as far as
   *     that is known
   * @param refusals why it is not pushed, where it is not
   */
  record InsertSelect(
      Optional<Write> pushed,
      Select select,
      Optional<Select> locking,
      InsertRows rows,
      int besides,
      SqlTemplate query,
      Set<Integer> texts,
      List<Refusal> refusals)
      implements Plan {
    public InsertSelect {
      texts = Set.copyOf(texts);
      refusals = List.copyOf(refusals);
    }
  }

  /**
   * A write through views WITH CHECK OPTION.
   *
   * @param write names the views that check in place of their tables
   * @param views must be there before
   */
  record Checked(Plan write, List<CheckView> views) implements Plan {
    public Checked {
      views = List.copyOf(views);
    }

    /** The write as it is where nothing checks it. */
    public static Plan of(Plan write, List<CheckView> views) {
      return views.isEmpty() ? write : new Checked(write, views);
    }
  }

  /**
   * A write that assigns values to AUTO_INCREMENT columns, above which their sequences go on then.
   */
  record Raising(Plan write, List<RaisedSequence> sequences) implements Plan {
    public Raising {
      sequences = List.copyOf(sequences);
    }

    /** The write as it is where it raises none. */
    public static Plan of(Plan write, List<RaisedSequence> sequences) {
      return sequences.isEmpty() ? write : new Raising(write, sequences);
    }
  }

  /**
   * A sequence that is to give numbers above all that a column has.
   *
   * @param table logical name
   * @param home where its rows are: all places, or every DN for a broadcast table
   */
  record RaisedSequence(String sequence, String table, String column, Targets home) {}

  /** The text that one place runs. */
  sealed interface StatementText {
    /**
     * As the client sent it, under the place's physical schema: in the text protocol and as a
     * prepared statement.
     */
    record Verbatim() implements StatementText {}

    /** Rewritten. */
    record Rewritten(SqlTemplate sql) implements StatementText {}
  }
}
