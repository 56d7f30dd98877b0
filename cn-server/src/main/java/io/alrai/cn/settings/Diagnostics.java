package io.alrai.cn.settings;

import io.alrai.common.error.AlraiException;
import java.util.List;
import java.util.Map;

/** What SHOW WARNINGS shows: the conditions of the last statement that could raise any. */
public record Diagnostics(List<Condition> conditions, int warningCount, int errorCount) {
  /** Nothing to show. */
  public static final Diagnostics NONE = new Diagnostics(List.of(), 0, 0);

  public Diagnostics {
    conditions = List.copyOf(conditions);
  }

  /**
   * One row of SHOW WARNINGS.
   *
   * @param level Error, Warning or Note
   * @param state its SQLSTATE; empty for that of the code
   * @param items what SIGNAL said of it, by names in upper case
   */
  public record Condition(
      String level, int code, String message, String state, Map<String, String> items) {
    public Condition {
      items = Map.copyOf(items);
    }

    /** One that nobody signalled. */
    public Condition(String level, int code, String message) {
      this(level, code, message, "", Map.of());
    }
  }

  /** The diagnostics of a statement that failed. */
  public static Diagnostics ofError(AlraiException error) {
    return new Diagnostics(
        List.of(
            new Condition(
                "Error", error.errno(), error.sentence(), error.sqlState(), error.items())),
        1,
        1);
  }

  /** These conditions, counted by their levels. */
  public static Diagnostics of(List<Condition> conditions) {
    int errors = (int) conditions.stream().filter(each -> each.level().equals("Error")).count();
    return new Diagnostics(conditions, conditions.size(), errors);
  }

  /** The diagnostics of a statement with warnings. */
  public static Diagnostics ofWarnings(List<Condition> conditions) {
    return new Diagnostics(conditions, conditions.size(), 0);
  }
}
