package io.alrai.executor.codegen;

import io.alrai.executor.fragment.Scalar;
import java.util.List;

/** Expressions as columns; each is computed where it is first needed. */
final class ProjectedColumns implements Columns {
  private final Columns input;
  private final ScalarEmitter scalars;
  private final List<Scalar> expressions;
  private final Memo<Value> values = new Memo<>();

  ProjectedColumns(
      Emitter emitter, Columns input, List<Scalar> expressions, CodeConstants constants) {
    this.input = input;
    this.scalars = new ScalarEmitter(emitter, input, constants);
    this.expressions = expressions;
  }

  @Override
  public Value value(int column) {
    return values.get(column, () -> scalars.emit(expressions.get(column)));
  }

  @Override
  public Shape shape(int column) {
    return scalars.shape(expressions.get(column));
  }

  @Override
  public int dictionaryCode(int column) {
    return expressions.get(column) instanceof Scalar.Column same
        ? input.dictionaryCode(same.index())
        : -1;
  }

  @Override
  public int scanColumn(int column) {
    return expressions.get(column) instanceof Scalar.Column same
        ? input.scanColumn(same.index())
        : -1;
  }

  @Override
  public void enterBranch() {
    input.enterBranch();
    values.enter();
  }

  @Override
  public void leaveBranch() {
    input.leaveBranch();
    values.leave();
  }
}
