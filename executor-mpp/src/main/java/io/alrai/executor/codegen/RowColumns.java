package io.alrai.executor.codegen;

import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.RowLayout.Form;
import java.lang.classfile.CodeBuilder;

/** The columns of a stored row. */
public final class RowColumns implements Columns {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final RowLayout layout;
  private final int row;
  private final Memo<Value> values = new Memo<>();

  /** With the local of the row's address. */
  public RowColumns(Emitter emitter, RowLayout layout, int row) {
    this.emitter = emitter;
    this.code = emitter.code();
    this.layout = layout;
    this.row = row;
  }

  @Override
  public Shape shape(int column) {
    return Shapes.ofType(layout.types().get(column));
  }

  @Override
  public Value value(int column) {
    return values.get(column, () -> load(column));
  }

  private Value load(int column) {
    ValueType type = layout.types().get(column);
    int missing = -1;
    if (layout.nullOffset(column) >= 0) {
      emitter.address(row, layout.nullOffset(column));
      emitter.call(Mem.class, "byteAt");
      code.l2i();
      missing = emitter.keepInt();
    }
    Form form = RowLayout.form(type);
    int offset = layout.offset(column);
    if (form == Form.DOUBLE) {
      emitter.address(row, offset);
      emitter.call(Mem.class, "doubleAt");
      return new Value(ValueKind.DOUBLE, form, emitter.keepDouble(), -1, missing, Shape.whole());
    }
    emitter.address(row, offset);
    emitter.call(Mem.class, "longAt");
    int first = emitter.keepLong();
    int second = -1;
    if (form != Form.LONG) {
      emitter.address(row, offset + Long.BYTES);
      emitter.call(Mem.class, "longAt");
      second = emitter.keepLong();
    }
    return new Value(type.kind(), form, first, second, missing, shape(column));
  }

  @Override
  public void enterBranch() {
    values.enter();
  }

  @Override
  public void leaveBranch() {
    values.leave();
  }
}
