package io.alrai.cn.routine;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.routine.Fragment;
import io.alrai.optimizer.api.routine.Routine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The variables and cursors of one call of a procedure. One virtual thread. */
final class Frame {
  private final Routine routine;
  private final List<DeclaredType> types;
  private final List<LocalValue> values = new ArrayList<>();
  private final List<@Nullable OpenCursor> cursors = new ArrayList<>();

  /** The rows of an open cursor. */
  private static final class OpenCursor {
    private final KeptResult rows;
    private int next;

    OpenCursor(KeptResult rows) {
      this.rows = rows;
    }
  }

  Frame(Routine routine, List<DeclaredType> types) {
    this.routine = routine;
    this.types = types;
    routine.variables().forEach(each -> values.add(LocalValue.NULL));
    for (int i = 0; i < routine.cursors().size(); i++) {
      cursors.add(null);
    }
  }

  Routine routine() {
    return routine;
  }

  LocalValue value(int slot) {
    return values.get(slot);
  }

  String name(int slot) {
    return routine.variables().get(slot).name();
  }

  DeclaredType type(int slot) {
    return types.get(slot);
  }

  void set(int slot, LocalValue value) {
    values.set(slot, value);
  }

  /** A value without a name, as that of CASE. */
  int temporary(LocalValue value) {
    values.add(value);
    return values.size() - 1;
  }

  /** The last one is not needed any more. */
  void forgetTemporary() {
    values.removeLast();
  }

  /** Those of a fragment's holes. */
  List<LocalValue> values(Fragment fragment) {
    return fragment.slots().stream().map(values::get).toList();
  }

  boolean isOpen(int cursor) {
    return cursors.get(cursor) != null;
  }

  void open(int cursor, KeptResult rows) {
    cursors.set(cursor, new OpenCursor(rows));
  }

  /**
   * Closes a cursor.
   *
   * @throws AlraiException 1326 where it is not open
   */
  void close(int cursor) {
    opened(cursor);
    forget(cursor);
  }

  /** Closes it if it is open. */
  void forget(int cursor) {
    cursors.set(cursor, null);
  }

  private OpenCursor opened(int cursor) {
    OpenCursor open = cursors.get(cursor);
    if (open == null) {
      throw new AlraiException(ErrorCode.ER_SP_CURSOR_NOT_OPEN, "Cursor is not open");
    }
    return open;
  }

  /**
   * The next row.
   *
   * @param count of variables
   * @throws AlraiException 1326 where it is not open, 1328 for another number of columns, 1329
   *     after the last
   */
  List<LocalValue> fetch(int cursor, int count) {
    OpenCursor open = opened(cursor);
    if (open.rows.kept().size() != count) {
      throw new AlraiException(
          ErrorCode.ER_SP_WRONG_NO_OF_FETCH_ARGS, "Incorrect number of FETCH variables");
    }
    if (open.next == open.rows.size()) {
      throw new AlraiException(ErrorCode.ER_SP_FETCH_NO_DATA, Interpreter.NO_DATA);
    }
    return open.rows.values(open.next++);
  }
}
