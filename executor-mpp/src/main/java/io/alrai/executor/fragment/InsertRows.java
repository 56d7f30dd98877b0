package io.alrai.executor.fragment;

import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import java.util.List;
import java.util.Optional;

/**
 * INSERT or REPLACE with VALUES.
 *
 * <p>A statement whose n rows have one pattern has one {@link RowPattern}, written as if there was
 * one row: row r's slots are the pattern's plus r times {@code slotsPerRow}, slots of {@code tail}
 * are (n - 1) times {@code slotsPerRow} further than they say, and the text of a row is also a
 * slice of the client's statement. One plan serves every n. Rows of unequal patterns have a pattern
 * each and {@code slotsPerRow} 0.
 *
 * <p>The cells of a pattern are the client's, in its order, then those that the planner adds: a
 * {@link Cell.Default} for every key column that the client leaves out, and last the AUTO_INCREMENT
 * column where {@link AutoIncrement#appended} from a sequence. A row is the client's slice with the
 * added values at its end, or all cells one by one. An {@link Cell.Expression} that decides a
 * place, stands in the AUTO_INCREMENT column, or goes to more than one DN is evaluated once, by a
 * mysqld, before.
 *
 * @param schema logical schema
 * @param table logical name
 * @param placement where rows go
 * @param columns the columns that get values, in the order of the cells, added ones included
 * @param clientCells how many of them the client's rows have
 * @param head text up to and including VALUES, with the table in the place's schema and {@code
 *     columns} as its column list
 * @param patterns one for all rows, or one for each
 * @param slotsPerRow distance between rows, see above
 * @param tail text after the last row: row alias, ON DUPLICATE KEY UPDATE; may be empty
 * @param autoIncrement present where ids may have to be made
 * @param verbatim whether a statement whose rows all go to one place, and whose ids are all given,
 *     may be forwarded as the client sent it
 */
public record InsertRows(
    String schema,
    String table,
    Placement placement,
    List<String> columns,
    int clientCells,
    SqlTemplate head,
    List<RowPattern> patterns,
    int slotsPerRow,
    SqlTemplate tail,
    Optional<AutoIncrement> autoIncrement,
    boolean verbatim) {
  public InsertRows {
    columns = List.copyOf(columns);
    patterns = List.copyOf(patterns);
  }

  /** Whether the rows go into a session's temporary table. */
  public boolean isOfSession() {
    return placement instanceof Placement.AnyOf any
        && any.places().stream().allMatch(place -> place.dn().equals(DnId.OF_SESSION));
  }

  /** Where the rows of a table go. */
  public sealed interface Placement {
    /** By the key: {@code cells} has the cell of each key column. */
    record ByKey(PartitionFunction function, List<ShardPlace> places, List<Integer> cells)
        implements Placement {
      public ByKey {
        places = List.copyOf(places);
        cells = List.copyOf(cells);
      }
    }

    /** Any of these places; the whole statement goes to one. */
    record AnyOf(List<ShardPlace> places) implements Placement {
      public AnyOf {
        places = List.copyOf(places);
      }
    }

    /** To all DNs. */
    record EveryDn(PhysicalSchema physicalSchema) implements Placement {}
  }

  /** The cells of a row in the order of {@code columns}. */
  public record RowPattern(List<Cell> cells) {
    public RowPattern {
      cells = List.copyOf(cells);
    }
  }

  /** One value of a row. */
  public sealed interface Cell {
    /** A literal or parameter. */
    record Slot(int index) implements Cell {}

    /** The keyword NULL where it is no slot. */
    record Null() implements Cell {}

    /** The keyword DEFAULT, or a key column that the statement leaves out. */
    record Default() implements Cell {}

    /**
     * Anything else; must be evaluated by a mysqld where the value decides the place.
     *
     * @param asSent whether the client's text may stand for it
     */
    record Expression(SqlTemplate sql, boolean asSent) implements Cell {}
  }

  /**
   * Ids from a sequence, or from the mysqld of the only place.
   *
   * @param sequence the GMS' sequence; empty for the mysqld's own
   * @param column the AUTO_INCREMENT column
   * @param cell at which cell its value stands; -1 where the mysqld gives it and the client's
   *     column list leaves the column out. An id is made for NULL, DEFAULT, and 0 without
   *     NO_AUTO_VALUE_ON_ZERO
   * @param appended whether the client's column list leaves the column out
   * @param unsigned of the column
   * @param largest number of its type, or of a sequence
   */
  public record AutoIncrement(
      String sequence, String column, int cell, boolean appended, boolean unsigned, long largest) {
    /** Whether the mysqld gives the ids. */
    public boolean ofMysqld() {
      return sequence.isEmpty();
    }
  }
}
