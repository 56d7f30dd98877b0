package io.alrai.cn.routine;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A condition of the diagnostics area.
 *
 * @param level Error, Warning or Note
 * @param items others than these, by their names in upper case
 */
record RaisedCondition(
    String level, int errno, String state, String message, Map<String, String> items) {
  private static final String STANDARD = "ISO 9075";
  private static final Map<Integer, String> STATES =
      Map.ofEntries(
          Map.entry(1264, "22003"),
          Map.entry(1265, "01000"),
          Map.entry(1292, "22007"),
          Map.entry(1365, "22012"),
          Map.entry(1406, "22001"),
          Map.entry(1411, "HY000"),
          Map.entry(1452, "23000"),
          Map.entry(1642, "01000"),
          Map.entry(3819, "HY000"));

  RaisedCondition {
    items = Map.copyOf(items);
  }

  static RaisedCondition of(AlraiException error) {
    return new RaisedCondition(
        "Error", error.errno(), error.sqlState(), error.sentence(), error.items());
  }

  static RaisedCondition of(Condition condition) {
    return new RaisedCondition(
        condition.level(),
        condition.code(),
        condition.state().isEmpty() ? state(condition.code()) : condition.state(),
        condition.message(),
        condition.items());
  }

  private static String state(int errno) {
    String known = STATES.get(errno);
    if (known != null) {
      return known;
    }
    return Arrays.stream(ErrorCode.values())
        .filter(code -> code.errno() == errno)
        .map(ErrorCode::sqlState)
        .findFirst()
        .orElse("HY000");
  }

  Condition shown() {
    return new Condition(level, errno, message, state, items);
  }

  boolean isError() {
    return level.equals("Error");
  }

  AlraiException error() {
    return AlraiException.signalled(errno, state, message, items);
  }

  boolean isNotFound() {
    return state.startsWith("02");
  }

  boolean isWarning() {
    return state.startsWith("01") || level.equals("Warning");
  }

  /** The value of an item of GET DIAGNOSTICS. */
  LocalValue item(String name) {
    return switch (name) {
      case "RETURNED_SQLSTATE" -> LocalValue.ofText(state);
      case "MYSQL_ERRNO" -> LocalValue.ofDigits(Integer.toString(errno), true);
      case "MESSAGE_TEXT" -> LocalValue.ofText(message);
      case "CLASS_ORIGIN" -> LocalValue.ofText(items.getOrDefault(name, origin()));
      case "SUBCLASS_ORIGIN" -> LocalValue.ofText(items.getOrDefault(name, subclassOrigin()));
      default -> LocalValue.ofText(items.getOrDefault(name, ""));
    };
  }

  private String subclassOrigin() {
    return state.endsWith("000") ? STANDARD : origin();
  }

  private String origin() {
    char first = state.charAt(0);
    boolean standard = (first >= '0' && first <= '4') || (first >= 'A' && first <= 'H');
    return standard ? STANDARD : "MySQL";
  }

  /** A copy with what SIGNAL or RESIGNAL says of it. */
  RaisedCondition with(Map<String, String> said) {
    Map<String, String> others = new TreeMap<>(items);
    int number = errno;
    String text = message;
    for (Map.Entry<String, String> item : said.entrySet()) {
      switch (item.getKey()) {
        case "MYSQL_ERRNO" -> number = Integer.parseInt(item.getValue());
        case "MESSAGE_TEXT" -> text = item.getValue();
        default -> others.put(item.getKey(), item.getValue());
      }
    }
    return new RaisedCondition(level, number, state, text, others);
  }

  /** What SIGNAL of an SQLSTATE raises when it says nothing else. */
  static RaisedCondition ofState(String state) {
    ErrorCode code =
        switch (state.substring(0, 2)) {
          case "01" -> ErrorCode.ER_SIGNAL_WARN;
          case "02" -> ErrorCode.ER_SIGNAL_NOT_FOUND;
          default -> ErrorCode.ER_SIGNAL_EXCEPTION;
        };
    String kind =
        switch (code) {
          case ER_SIGNAL_WARN -> "warning";
          case ER_SIGNAL_NOT_FOUND -> "not found";
          default -> "exception";
        };
    return new RaisedCondition(
        code == ErrorCode.ER_SIGNAL_WARN ? "Warning" : "Error",
        code.errno(),
        state,
        "Unhandled user-defined " + kind + " condition",
        Map.of("CLASS_ORIGIN", "", "SUBCLASS_ORIGIN", ""));
  }

  /** What RESIGNAL of an SQLSTATE makes of this one: text and items stay. */
  RaisedCondition again(String other) {
    RaisedCondition fresh = ofState(other);
    return new RaisedCondition(fresh.level, fresh.errno, fresh.state, message, items);
  }

  static List<RaisedCondition> of(List<Condition> conditions) {
    return conditions.stream().map(RaisedCondition::of).toList();
  }
}
