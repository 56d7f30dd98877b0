package io.alrai.executor.codegen;

import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.vector.RowLayout;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;

/** Emits the comparison of values with the key columns of a stored row. */
final class RowKeys {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final ScalarEmitter scalars;

  RowKeys(Emitter emitter, ScalarEmitter scalars) {
    this.emitter = emitter;
    this.code = emitter.code();
    this.scalars = scalars;
  }

  /**
   * Jumps where a value differs from a row's column; NULL equals NULL here.
   *
   * @param value coerced to the column's type
   */
  void jumpIfDifferent(Value value, RowLayout layout, int column, int row, Label target) {
    ValueType type = layout.types().get(column);
    Value stored = new RowColumns(emitter, layout, row).value(column);
    Label same = emitter.label();
    if (stored.canBeNull()) {
      code.iload(stored.missing());
      if (value.canBeNull()) {
        code.iload(value.missing());
        code.if_icmpne(target);
        code.iload(stored.missing());
        code.ifne(same);
      } else {
        code.ifne(target);
      }
    }
    scalars.conditions().compareValues(value, stored, type.collation(), true);
    code.ifne(target);
    emitter.bind(same);
  }
}
