package io.alrai.cn.write;

import io.alrai.cn.session.Session;
import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.statement.Sequences;
import io.alrai.cn.text.SessionText;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.InsertRows.AutoIncrement;
import io.alrai.executor.fragment.InsertRows.Cell;
import io.alrai.executor.fragment.SlotValues.Kind;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Gives every row of an INSERT its AUTO_INCREMENT id: one of the sequence's for NULL, DEFAULT, a
 * missing value, and 0 without NO_AUTO_VALUE_ON_ZERO; otherwise the client's own, above which the
 * sequence continues ({@link RowIds}). Or leaves all that to the mysqld, and learns the ids from
 * it. One statement.
 */
final class GeneratedIds {
  private final Sequences sequences;
  private final boolean zeroIsValue;
  private final Session session;
  private final BitSet missing = new BitSet();
  private boolean ofMysqld;
  private long first;
  private long lastMade;
  private int lastRow;
  private long lastGiven;

  GeneratedIds(Sequences sequences, Session session) {
    this.sequences = sequences;
    this.session = session;
    this.zeroIsValue = SessionText.hasMode(session.variables(), "NO_AUTO_VALUE_ON_ZERO");
  }

  /** What the mysqld says after rows, given by their numbers: the first id that it made. */
  void made(int[] rows, long lastInsertId) {
    if (ofMysqld && first == 0 && Arrays.stream(rows).anyMatch(missing::get)) {
      first = lastInsertId;
    }
  }

  /** The first id that was made; 0 when none was. */
  long first() {
    return first;
  }

  /** The last id that was made; 0 when none was. */
  long lastMade() {
    return lastMade;
  }

  /** The row that it was made for. */
  int lastRow() {
    return lastRow;
  }

  /** What the client's OK says: the first made id, else the last one given, else 0. */
  long reported() {
    return first != 0 ? first : lastGiven;
  }

  /** Fills the cells; ids that only a mysqld knows have been evaluated before. */
  void assign(AutoIncrement auto, InsertedRow rows) {
    ofMysqld = auto.ofMysqld();
    RowIds ids = new RowIds(sequences, auto, session, rows.rowCount());
    for (int i = 0; i < rows.rowCount(); i++) {
      rows.at(i);
      if (isMissing(auto, rows)) {
        missing.set(i);
        if (!ofMysqld) {
          make(auto, rows, ids.make());
          lastRow = i;
        }
      } else if (rows.kind(auto.cell()) == Kind.INTEGER) {
        ids.given(given(rows, auto.cell()));
      }
    }
    if (!ofMysqld) {
      ids.passOver();
    } else if (!missing.isEmpty()) {
      requireNoInsertId(session.own());
    }
  }

  private long given(InsertedRow row, int cell) {
    if (row.fitsLong(cell)) {
      lastGiven = row.longValue(cell);
      return lastGiven;
    }
    if (row.bytes(cell)[0] == '-') {
      return Long.MIN_VALUE;
    }
    BigInteger number = new BigInteger(new String(row.bytes(cell), StandardCharsets.US_ASCII));
    lastGiven = number.bitLength() <= Long.SIZE ? number.longValue() : lastGiven;
    return Long.MAX_VALUE;
  }

  private void make(AutoIncrement auto, InsertedRow row, long id) {
    if (first == 0) {
      first = id;
    }
    lastMade = id;
    row.make(auto.cell(), InsertedRow.Made.id(id, auto.unsigned()));
  }

  /**
   * Refuses an {@code insert_id} that would have to be set at a mysqld: its connection would keep
   * it for whoever comes next, should the statement fail before it makes an id.
   *
   * @throws AlraiException 1235
   */
  static void requireNoInsertId(CnVariables variables) {
    if (variables.takeInsertId() != 0) {
      throw AlraiException.unsupported(
          "'SET insert_id' for a table whose only place"
              + " makes the ids; give the id in the INSERT");
    }
  }

  private boolean isMissing(AutoIncrement auto, InsertedRow row) {
    int cell = auto.cell();
    if (cell < 0) {
      return true;
    }
    if (!row.isMade(cell) && (cell >= row.cells() || row.cell(cell) instanceof Cell.Default)) {
      return true;
    }
    return switch (row.kind(cell)) {
      case NULL -> true;
      case INTEGER -> !zeroIsValue && row.fitsLong(cell) && row.longValue(cell) == 0;
      default -> false;
    };
  }

  /** Whether only a mysqld knows the id. */
  static boolean isUncertain(AutoIncrement auto, InsertedRow row) {
    int cell = auto.cell();
    if (cell < 0 || cell >= row.cells() || row.cell(cell) instanceof Cell.Default) {
      return false;
    }
    return switch (row.kind(cell)) {
      case NULL, INTEGER -> false;
      default -> true;
    };
  }
}
