package io.alrai.optimizer.api.shape;

/**
 * Folds the rows after VALUES of INSERT and REPLACE while their shape is being written.
 *
 * <pre>
 * NONE -VALUES-> EXPECT_ROW -(-> IN_ROW -)-> BEHIND_ROW -anything else-> DONE
 *                    ^                          |
 *                    +------------ , -----------+
 * </pre>
 */
final class RowFolder {
  private enum State {
    NONE,
    EXPECT_ROW,
    IN_ROW,
    BEHIND_ROW,
    DONE
  }

  private final ShapeBuffer shape;
  private final PositionList slots;
  private final PositionList rows = new PositionList();
  private State state = State.NONE;
  private boolean unequal;
  private int firstSlot;
  private int slotsPerRow;
  private int firstStart;
  private int firstEnd;
  private int rowShapeStart;
  private int rowTextStart;

  RowFolder(ShapeBuffer shape, PositionList slots) {
    this.shape = shape;
    this.slots = slots;
  }

  void clear() {
    rows.clear();
    state = State.NONE;
    unequal = false;
    firstSlot = 0;
    slotsPerRow = 0;
  }

  /** The word VALUES or VALUE of an INSERT or REPLACE, outside parentheses. */
  void valuesSeen() {
    if (state == State.NONE) {
      state = State.EXPECT_ROW;
    }
  }

  /** The statement takes its rows from elsewhere. */
  void noRows() {
    if (state == State.NONE) {
      state = State.DONE;
    }
  }

  boolean inRow() {
    return state == State.IN_ROW;
  }

  /** An opening parenthesis outside others; it is about to be written. */
  void opened(int textStart) {
    if (state == State.EXPECT_ROW) {
      state = State.IN_ROW;
      rowShapeStart = shape.length();
      rowTextStart = textStart;
      if (rows.count() == 0) {
        firstSlot = slots.count();
      }
    } else {
      other();
    }
  }

  /** The parenthesis that closes it has been written. */
  void closed(int textEnd) {
    if (state != State.IN_ROW) {
      return;
    }
    state = State.BEHIND_ROW;
    if (rows.count() == 0) {
      firstStart = rowShapeStart;
      firstEnd = shape.length();
      slotsPerRow = slots.count() - firstSlot;
    } else if (!unequal) {
      int length = shape.length() - rowShapeStart;
      if (length == firstEnd - firstStart && shape.equalPieces(firstStart, rowShapeStart, length)) {
        shape.cutTo(firstEnd);
      } else {
        unfold();
      }
    }
    if (!unequal) {
      rows.add(rowTextStart, textEnd);
    }
  }

  /** A comma outside parentheses; it is about to be written. */
  void comma() {
    if (state == State.BEHIND_ROW) {
      state = State.EXPECT_ROW;
    } else {
      other();
    }
  }

  /** Any other token outside parentheses. */
  void other() {
    if (state == State.EXPECT_ROW) {
      // ROW(..), or no list of rows at all.
      if (rows.count() > 0 && !unequal) {
        int from = Math.min(firstEnd, shape.length());
        expand(shape.copy(from, shape.length()), rows.count() - 1);
      }
      unequal = true;
    }
    if (state != State.NONE) {
      state = State.DONE;
    }
  }

  /** The statement has ended. */
  void finish() {
    if (state == State.EXPECT_ROW || state == State.IN_ROW) {
      state = State.EXPECT_ROW;
      other();
    }
    if (unequal || rows.count() == 0) {
      rows.clear();
      firstSlot = 0;
      slotsPerRow = 0;
    }
  }

  int count() {
    return rows.count();
  }

  int firstSlot() {
    return firstSlot;
  }

  int slotsPerRow() {
    return slotsPerRow;
  }

  PositionList rows() {
    return rows;
  }

  /** A row differs: writes the rows that were folded so far before it. */
  private void unfold() {
    unequal = true;
    byte[] row = shape.copy(firstEnd, shape.length());
    expand(row, rows.count() - 1);
  }

  private void expand(byte[] behind, int copies) {
    byte[] first = shape.copy(firstStart, firstEnd);
    shape.cutTo(firstEnd);
    for (int i = 0; i < copies; i++) {
      shape.append(',');
      shape.append(first, 0, first.length);
    }
    shape.append(behind, 0, behind.length);
  }
}
