package io.alrai.executor.fragment;

import java.util.List;
import java.util.Optional;

/** What the executor does for a data statement: the planner's answer for one statement shape. */
public sealed interface Plan {
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
   * @param locking FOR UPDATE or FOR SHARE
   * @param reason one line for EXPLAIN SHARDING
   */
  record Select(
      Targets targets,
      StatementText pinned,
      Optional<MergePlan> merge,
      Optional<GatherPlan> gather,
      boolean columnsByShape,
      boolean namedByText,
      boolean locking,
      String reason)
      implements Plan {}

  /**
   * UPDATE or DELETE.
   *
   * @param pinned its text when one place remains
   * @param shardSql its text at each of several places
   * @param keyed present where ORDER BY or LIMIT over several places must choose rows first
   */
  record Write(
      Targets targets,
      StatementText pinned,
      SqlTemplate shardSql,
      Optional<KeyedWrite> keyed,
      String reason)
      implements Plan {}

  /**
   * The rows of a limited UPDATE or DELETE are chosen by a merged locking SELECT of their primary
   * keys, then written by key.
   *
   * @param selectKeys merged over the places; its visible columns are the partition key columns,
   *     then the primary key columns
   * @param function from the first visible columns to the place
   * @param keyColumns names of the primary key columns
   * @param head text up to WHERE; the executor appends {@code (pk..) IN ((..),..)}
   */
  record KeyedWrite(
      MergePlan selectKeys, PartitionFunction function, List<String> keyColumns, SqlTemplate head) {
    /** Copies the list. */
    public KeyedWrite {
      keyColumns = List.copyOf(keyColumns);
    }
  }

  /** INSERT or REPLACE with VALUES. */
  record Insert(InsertRows rows) implements Plan {}

  /**
   * INSERT or REPLACE ... SELECT.
   *
   * @param pushed present where each place can run it whole: targets and text
   * @param select else: gives the rows
   * @param rows else: takes them; its one pattern's cells are the select's columns
   */
  record InsertSelect(Optional<Write> pushed, Select select, InsertRows rows) implements Plan {}

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
