package io.alrai.cn.routine;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.routine.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** SIGNAL, RESIGNAL and GET DIAGNOSTICS of one call of a procedure. One virtual thread. */
final class DiagnosticsStatements {
  private final Frame frame;
  private final InnerStatements statements;
  private final DiagnosticsArea diagnostics;

  DiagnosticsStatements(Frame frame, InnerStatements statements, DiagnosticsArea diagnostics) {
    this.frame = frame;
    this.statements = statements;
    this.diagnostics = diagnostics;
  }

  /**
   * What a statement raises.
   *
   * @throws AlraiException 1645 for RESIGNAL outside of handlers, 1231 for an item's wrong value
   */
  RaisedCondition signalled(Step.Signal signal) {
    Map<String, LocalValue> items = new LinkedHashMap<>();
    for (Step.Signal.Item item : signal.items()) {
      LocalValue value = statements.value(item.value(), frame.values(item.value()));
      if (value.isNull()) {
        throw new AlraiException(
            ErrorCode.ER_WRONG_VALUE_FOR_VAR,
            "Variable '" + item.name() + "' can't be set to the value of 'NULL'");
      }
      items.put(item.name(), value);
    }
    if (!signal.again()) {
      return RaisedCondition.ofState(signal.state().orElseThrow()).with(items);
    }
    RaisedCondition handled =
        diagnostics
            .stacked()
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_RESIGNAL_WITHOUT_ACTIVE_HANDLER,
                    "RESIGNAL when handler not active"));
    return signal.state().map(RaisedCondition::ofState).orElse(handled).with(items);
  }

  /**
   * What GET DIAGNOSTICS tells, in the order of its items.
   *
   * @throws AlraiException 1887 for STACKED outside of handlers, 1758 for a condition that is not
   *     there
   */
  List<LocalValue> values(Step.Diagnose diagnose) {
    List<RaisedCondition> area = diagnostics.current();
    if (diagnose.stacked()) {
      area =
          List.of(
              diagnostics
                  .stacked()
                  .orElseThrow(() ->
                      new AlraiException(
                          ErrorCode.ER_GET_STACKED_DA_WITHOUT_ACTIVE_HANDLER,
                          "GET STACKED DIAGNOSTICS when handler not active")));
    }
    List<LocalValue> values = new ArrayList<>();
    if (diagnose.condition().isEmpty()) {
      for (Step.Diagnose.Item item : diagnose.items()) {
        values.add(
            LocalValue.ofWhole(item.name().equals("NUMBER") ? area.size() : statements.rowCount()));
      }
      return values;
    }
    LocalValue number =
        statements.value(diagnose.condition().get(), frame.values(diagnose.condition().get()));
    int at = number.isNull() ? 0 : Integer.parseInt(number.text());
    if (at < 1 || at > area.size()) {
      throw new AlraiException(
          ErrorCode.ER_DA_INVALID_CONDITION_NUMBER, "Invalid condition number");
    }
    for (Step.Diagnose.Item item : diagnose.items()) {
      values.add(area.get(at - 1).item(item.name()));
    }
    return values;
  }
}
