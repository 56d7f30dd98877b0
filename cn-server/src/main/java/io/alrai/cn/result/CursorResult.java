package io.alrai.cn.result;

import io.alrai.cn.cursor.CursorRows;
import io.alrai.cn.protocol.ClientOutput;
import io.alrai.cn.rows.BinaryRows;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.ServerStatus;
import io.alrai.common.wire.StateChange;
import java.util.List;
import java.util.function.Supplier;

/**
 * Keeps the rows of a result for a cursor: the client gets the columns, and one end after them,
 * when all rows are there. A statement without a result is answered as always.
 */
public final class CursorResult extends ResultWriter {
  /** PRI_KEY, UNIQUE_KEY, MULTIPLE_KEY, AUTO_INCREMENT, PART_KEY. */
  private static final int OF_KEYS = 2 | 4 | 8 | 512 | 16_384;

  /** A whole number of fewer characters is of 32 bits there. */
  private static final int LONGER = 10;

  /** A string of more characters is a BLOB there. */
  private static final int LONGEST = 512;

  /** The most bytes of a character. */
  private static final int MOST_BYTES = 4;

  private static final int BLOB = 16;

  private final CursorRows rows;
  private List<ColumnDefinition> columns = List.of();
  private boolean opened;

  /**
   * For the first result of a command.
   *
   * @param rows empty; closed by others
   */
  public CursorResult(
      ClientOutput output,
      boolean deprecateEof,
      int firstSequence,
      Supplier<StateChange> stateChange,
      CursorRows rows) {
    super(output, deprecateEof, true, firstSequence, stateChange);
    this.rows = rows;
  }

  /** The rows. */
  public CursorRows rows() {
    return rows;
  }

  /** Whether the client has got a cursor. */
  public boolean opened() {
    return opened;
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    columns = definitions.stream().map(CursorResult::stored).toList();
  }

  /** As a mysqld tells it, whose cursors read a temporary table. */
  private static ColumnDefinition stored(ColumnDefinition column) {
    if (!column.originalTable().isEmpty()) {
      return column.with(column.type(), column.flags() & ~OF_KEYS, column.decimals());
    }
    ColumnDefinition named = column.withOriginalName(column.name());
    int number = column.flags() & ~ColumnDefinition.BINARY;
    return switch (column.type()) {
      case TINYINT, SMALLINT, MEDIUMINT, INT -> named.with(column.type(), number, 0);
      case BIGINT ->
          named.with(column.length() < LONGER ? MysqlType.INT : MysqlType.BIGINT, number, 0);
      case DECIMAL, FLOAT, DOUBLE -> named.with(column.type(), number, column.decimals());
      case JSON -> named.with(MysqlType.JSON, column.flags() | BLOB, 0);
      case TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB ->
          named.with(MysqlType.BLOB, column.flags() | BLOB, 0);
      case VARCHAR, CHAR ->
          isLong(column)
              ? named.with(MysqlType.BLOB, column.flags() | BLOB, 0)
              : named.with(column.type(), column.flags(), 0);
      case NULL, ENUM, SET -> named.with(MysqlType.VARCHAR, column.flags(), 0);
      default -> named;
    };
  }

  private static boolean isLong(ColumnDefinition column) {
    int bytes = column.charsetId() == ColumnDefinition.BINARY_CHARSET ? 1 : MOST_BYTES;
    return column.length() / bytes > LONGEST;
  }

  @Override
  public void row(byte[] textRow) {
    rows.add(BinaryRows.encode(columns, textRow));
  }

  @Override
  public void end(int warnings, int status) {
    rows.complete();
    writeColumns(columns);
    opened = true;
    super.end(warnings, status | ServerStatus.CURSOR_EXISTS);
  }
}
