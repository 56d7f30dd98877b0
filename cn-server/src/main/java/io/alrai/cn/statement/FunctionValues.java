package io.alrai.cn.statement;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.routine.Routine.Variable;
import java.util.List;

/** Evaluates stored functions that CNs interpret, for one session. On its virtual thread. */
public interface FunctionValues {
  /** A function's parameters, then its result. */
  List<Variable> variables(StoredFunction function);

  /**
   * A function's value, as an SQL literal in ASCII.
   *
   * @param row a row of the text protocol
   * @param first the column that is the first argument
   * @throws io.alrai.common.error.AlraiException what the function fails with
   */
  String value(
      StatementRun run,
      StoredFunction function,
      List<ColumnDefinition> columns,
      byte[] row,
      int first);
}
