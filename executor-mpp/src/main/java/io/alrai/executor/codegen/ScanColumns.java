package io.alrai.executor.codegen;

import io.alrai.columnar.scan.Storage;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.RowLayout.Form;
import java.lang.classfile.CodeBuilder;
import java.util.List;

/** The columns of a batch. */
final class ScanColumns implements Columns {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final List<ValueType> types;
  private final List<ColumnForm> forms;
  private final int[][] bases;
  private final int row;
  private final Memo<Value> values = new Memo<>();
  private final Memo<Integer> codes = new Memo<>();

  /**
   * Emits the loads of the columns' addresses.
   *
   * @param row the int local of the row's position
   */
  ScanColumns(Emitter emitter, List<ValueType> types, List<ColumnForm> forms, int row) {
    this.emitter = emitter;
    this.code = emitter.code();
    this.types = types;
    this.forms = forms;
    this.row = row;
    this.bases = new int[types.size()][PipelineCode.ADDRESSES];
    for (int i = 0; i < bases.length; i++) {
      for (int j = 0; j < PipelineCode.ADDRESSES; j++) {
        code.aload(PipelineEmitter.COLUMNS);
        code.loadConstant(i * PipelineCode.ADDRESSES + j);
        code.laload();
        bases[i][j] = emitter.keepLong();
      }
    }
  }

  @Override
  public Shape shape(int column) {
    ValueType type = types.get(column);
    int stored =
        switch (forms.get(column).storage()) {
          case INT8 -> Byte.SIZE - 1;
          case INT16 -> Short.SIZE - 1;
          case INT32 -> Integer.SIZE - 1;
          case INT64 -> Long.SIZE - 1;
          default -> Shape.MOST_BITS;
        };
    Shape byType = Shapes.ofType(type);
    // The lowest number of a width needs one bit more.
    return new Shape(byType.scale(), Math.min(byType.bits(), stored + 1));
  }

  @Override
  public Value value(int column) {
    return values.get(column, () -> load(column));
  }

  private int missing(int column) {
    if (!forms.get(column).nullable()) {
      return -1;
    }
    code.lload(bases[column][1]);
    code.iload(row);
    emitter.call(Mem.class, "missing");
    return emitter.keepInt();
  }

  private Value load(int column) {
    ValueType type = types.get(column);
    ColumnForm form = forms.get(column);
    int missing = missing(column);
    if (type.kind() == ValueKind.STRING) {
      return text(column, missing);
    }
    if (form.storage() == Storage.FLOAT64 || form.storage() == Storage.FLOAT32) {
      return floating(column, missing);
    }
    if (type.kind() == ValueKind.DOUBLE) {
      throw Refusals.notTaken("a DOUBLE that is stored as " + form.storage());
    }
    pushAddress(bases[column][0], form.storage().width());
    emitter.call(Mem.class, reader(form.storage()));
    int low = masked(emitter.keepLong(), missing);
    Shape shape = shape(column);
    if (form.storage() != Storage.INT128) {
      return new Value(type.kind(), Form.LONG, low, -1, missing, shape);
    }
    pushAddress(bases[column][0], form.storage().width());
    code.loadConstant((long) Long.BYTES);
    code.ladd();
    emitter.call(Mem.class, "longAt");
    int high = masked(emitter.keepLong(), missing);
    return new Value(type.kind(), Form.WIDE, low, high, missing, shape);
  }

  private Value floating(int column, int missing) {
    Storage storage = forms.get(column).storage();
    pushAddress(bases[column][0], storage.width());
    emitter.call(Mem.class, storage == Storage.FLOAT32 ? "floatAt" : "doubleAt");
    return new Value(
        ValueKind.DOUBLE, Form.DOUBLE, emitter.keepDouble(), -1, missing, Shape.whole());
  }

  private Value text(int column, int missing) {
    ColumnForm form = forms.get(column);
    int ends = bases[column][2];
    if (form.dictionary()) {
      pushCode(column);
      code.loadConstant((long) Integer.BYTES);
      code.lmul();
    } else {
      code.iload(row);
      code.i2l();
      code.loadConstant((long) Integer.BYTES);
      code.lmul();
    }
    code.lload(ends);
    code.ladd();
    int end = emitter.keepLong();
    code.lload(end);
    emitter.call(Mem.class, "intAt");
    int from = emitter.keepLong();
    emitter.address(end, Integer.BYTES);
    emitter.call(Mem.class, "intAt");
    code.lload(from);
    code.lsub();
    int length = masked(emitter.keepLong(), missing);
    emitter.longs(bases[column][3], from);
    code.ladd();
    return new Value(
        ValueKind.STRING, Form.TEXT, emitter.keepLong(), length, missing, Shape.whole());
  }

  /** Leaves the code of an entry on the stack; for NULL that of some entry. */
  private void pushCode(int column) {
    pushAddress(bases[column][0], forms.get(column).storage().width());
    emitter.call(Mem.class, reader(forms.get(column).storage()));
  }

  private void pushAddress(int base, int width) {
    code.lload(base);
    code.iload(row);
    code.i2l();
    if (width > 1) {
      code.loadConstant((long) width);
      code.lmul();
    }
    code.ladd();
  }

  private static String reader(Storage storage) {
    return switch (storage) {
      case INT8 -> "byteAt";
      case INT16 -> "shortAt";
      case INT32 -> "intAt";
      default -> "longAt";
    };
  }

  /** Replaces the value of a NULL with 0, so that nothing is computed from it. */
  private int masked(int local, int missing) {
    if (missing < 0) {
      return local;
    }
    code.lload(local);
    code.iload(missing);
    code.iconst_1();
    code.isub();
    code.i2l();
    code.land();
    return emitter.keepLong();
  }

  @Override
  public int dictionaryCode(int column) {
    if (!forms.get(column).dictionary()) {
      return -1;
    }
    return codes.get(column, () -> entry(column));
  }

  private int entry(int column) {
    pushCode(column);
    int entry = emitter.keepLong();
    int missing = missing(column);
    if (missing >= 0) {
      java.lang.classfile.Label present = emitter.label();
      code.iload(missing);
      code.ifeq(present);
      code.aload(PipelineEmitter.LANE);
      code.loadConstant(column);
      emitter.call(Lane.class, "dictionarySize");
      code.lstore(entry);
      emitter.bind(present);
    }
    return entry;
  }

  @Override
  public int scanColumn(int column) {
    return column;
  }

  @Override
  public void enterBranch() {
    values.enter();
    codes.enter();
  }

  @Override
  public void leaveBranch() {
    values.leave();
    codes.leave();
  }
}
