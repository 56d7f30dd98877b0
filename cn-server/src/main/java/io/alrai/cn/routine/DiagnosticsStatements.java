package io.alrai.cn.routine;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.routine.Fragment;
import io.alrai.optimizer.api.routine.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What SIGNAL, RESIGNAL and GET DIAGNOSTICS raise and tell. One virtual thread. */
final class DiagnosticsStatements {
  private static final int MOST_ERRNO = 65_535;
  private static final int MOST_MESSAGE = 128;
  private static final int MOST_ITEM = 64;

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
   * @param warnings gets those of items that are too long
   * @param strict whether they are errors
   * @throws AlraiException 1645 for RESIGNAL outside of handlers, 1231 for an item's wrong value,
   *     1648 for one that is too long
   */
  RaisedCondition signalled(Step.Signal signal, List<RaisedCondition> warnings, boolean strict) {
    Optional<RaisedCondition> handled = signal.again() ? diagnostics.stacked() : Optional.empty();
    if (signal.again() && handled.isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_RESIGNAL_WITHOUT_ACTIVE_HANDLER, "RESIGNAL when handler not active");
    }
    Map<String, String> items = new LinkedHashMap<>();
    for (Step.Signal.Item item : signal.items()) {
      LocalValue value = statements.value(item.value(), frame.values(item.value()));
      String text = value.isNull() ? "NULL" : value.text();
      if (value.isNull() || item.name().equals("MYSQL_ERRNO") && !isErrno(text)) {
        throw new AlraiException(
            ErrorCode.ER_WRONG_VALUE_FOR_VAR,
            "Variable '" + item.name() + "' can't be set to the value of '" + text + "'");
      }
      items.put(item.name(), fitting(item.name(), text, warnings, strict));
    }
    return raised(signal.state(), handled).with(items);
  }

  private static RaisedCondition raised(Optional<String> state, Optional<RaisedCondition> handled) {
    if (handled.isEmpty()) {
      return RaisedCondition.ofState(state.orElseThrow());
    }
    return state.map(handled.get()::again).orElse(handled.get());
  }

  private static boolean isErrno(String text) {
    return text.matches("0*[0-9]{1,5}")
        && Integer.parseInt(text) >= 1
        && Integer.parseInt(text) <= MOST_ERRNO;
  }

  private static String fitting(
      String item, String text, List<RaisedCondition> warnings, boolean strict) {
    int most = item.equals("MESSAGE_TEXT") ? MOST_MESSAGE : MOST_ITEM;
    if (text.codePointCount(0, text.length()) <= most) {
      return text;
    }
    if (strict) {
      throw new AlraiException(
          ErrorCode.ER_COND_ITEM_TOO_LONG, "Data too long for condition item '" + item + "'");
    }
    warnings.add(
        RaisedCondition.of(
            new Condition(
                "Warning",
                ErrorCode.WARN_COND_ITEM_TRUNCATED.errno(),
                "Data truncated for condition item '" + item + "'")));
    return text.substring(0, text.offsetByCodePoints(0, most));
  }

  /**
   * What GET DIAGNOSTICS tells, in the order of its items. A number of no condition fails nothing:
   * error 1758 becomes one condition more of those that are there.
   *
   * @return empty for such a number
   * @throws AlraiException 3004 for STACKED outside of handlers
   */
  Optional<List<LocalValue>> values(Step.Diagnose diagnose) {
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
            item.name().equals("NUMBER")
                ? LocalValue.ofDigits(Integer.toString(area.size()), true)
                : LocalValue.ofWhole(statements.rowCount()));
      }
      return Optional.of(values);
    }
    int at = number(diagnose.condition().get());
    if (at < 1 || at > area.size()) {
      diagnostics.add(
          RaisedCondition.of(
              new AlraiException(
                  ErrorCode.ER_DA_INVALID_CONDITION_NUMBER, "Invalid condition number")));
      return Optional.empty();
    }
    for (Step.Diagnose.Item item : diagnose.items()) {
      values.add(area.get(at - 1).item(item.name()));
    }
    return Optional.of(values);
  }

  /** 0 for one that is none of a condition; what is wrong with its text is not reported. */
  private int number(Fragment condition) {
    List<RaisedCondition> area = diagnostics.current();
    LocalValue number = statements.value(condition, frame.values(condition));
    diagnostics.again(area);
    return number.text().matches("[0-9]{1,9}") ? Integer.parseInt(number.text()) : 0;
  }
}
