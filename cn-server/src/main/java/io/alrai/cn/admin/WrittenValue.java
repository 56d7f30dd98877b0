package io.alrai.cn.admin;

import io.alrai.cn.settings.VariableValue;
import io.alrai.common.sql.VariableName;
import io.alrai.optimizer.api.AdminStatement.VariableScope;
import java.util.regex.Pattern;

/**
 * A value in a SET, as it is written. A mysqld evaluates and checks it, with what the SET has
 * changed before.
 *
 * @param name of the variable
 * @param expression SQL, without subqueries
 */
record WrittenValue(
    VariableProbe probe,
    VariableChange change,
    String name,
    VariableScope scope,
    String expression) {
  /** Where MySQL expects a value, a bare word is one. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z_]+");

  /** Another value, of another variable. */
  WrittenValue with(String otherName, String otherExpression) {
    return new WrittenValue(probe, change, otherName, scope, otherExpression);
  }

  /** Whether it is the keyword DEFAULT. */
  boolean isDefault() {
    return expression.strip().equalsIgnoreCase("DEFAULT");
  }

  /**
   * The literal that the variable has then; its warnings go to the SET.
   *
   * @throws io.alrai.common.error.AlraiException the mysqld's refusal
   */
  String literal() {
    return literalOf(name);
  }

  /** The literal that another variable has then. */
  String literalOf(String other) {
    VariableProbe.Answer answer =
        probe.set(
            change.settings,
            change.session.variables().ofUser(),
            VariableName.of(other),
            expression);
    change.warnings.addAll(answer.warnings());
    return answer.literal();
  }

  /** The literal, empty for DEFAULT. */
  String literalOrDefault() {
    return isDefault() ? "" : literal();
  }

  /** Whether a variable that is ON or OFF is ON then. */
  boolean isOn() {
    return !literal().equals("0");
  }

  /** The expression's own value, whatever the variable makes of it. */
  String evaluated() {
    return probe.evaluate(change.backend(), expression);
  }

  /** The value of a variable that no mysqld knows. */
  String own(String byDefault) {
    String written = expression.strip();
    if (isDefault()) {
      return byDefault;
    }
    return WORD.matcher(written).matches()
        ? written
        : VariableValue.of(probe.evaluate(change.backend(), written)).text();
  }
}
