package io.alrai.cn.execute;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.optimizer.api.ShapedStatement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Warnings about a statement's text: each place tells them, MySQL does once. They are those of
 * parsing and resolving it, and those about the value of a literal.
 */
final class OnceWarnings {
  /**
   * Of the server's error message reference: ER_WARN_DEPRECATED_SYNTAX and its variants, and an
   * ambiguous column in GROUP BY (1052).
   */
  private static final Set<Integer> OF_TEXT =
      Set.of(1052, 1287, 1681, 3719, 3720, 3778, 3962, 4031, 4119);

  /** Of {@code :=}, which is evaluated at one place alone: each has its own. */
  private static final String OF_ASSIGNMENT = "Setting user variables within expressions ";

  private static final Pattern VALUE = Pattern.compile("value: '(.*)'", Pattern.DOTALL);

  private OnceWarnings() {}

  /** Leaves out what places tell again, and what a client was told at STMT_PREPARE. */
  static List<Condition> of(StatementRun run, List<Condition> all) {
    return of(run.statement(), untold(run, all));
  }

  /** The same of a write, whose rows each have their own warnings about values. */
  static List<Condition> ofWrite(StatementRun run, List<Condition> all) {
    if (all.isEmpty()) {
      return all;
    }
    Set<Condition> told = new HashSet<>();
    return untold(run, all).stream()
        .filter(condition -> !OF_TEXT.contains(condition.code()) || told.add(condition))
        .toList();
  }

  private static List<Condition> untold(StatementRun run, List<Condition> all) {
    return run.writer().binary()
        ? all.stream().filter(told -> !OF_TEXT.contains(told.code())).toList()
        : all;
  }

  static List<Condition> of(ShapedStatement statement, List<Condition> all) {
    Set<Condition> told = new HashSet<>();
    List<Condition> once = new ArrayList<>();
    for (Condition condition : all) {
      if (told.add(condition) || !isAboutText(statement, condition)) {
        once.add(condition);
      }
    }
    return once;
  }

  private static boolean isAboutText(ShapedStatement statement, Condition condition) {
    if (OF_TEXT.contains(condition.code())) {
      return !condition.message().startsWith(OF_ASSIGNMENT);
    }
    Matcher value = VALUE.matcher(condition.message());
    if (!value.find()) {
      return false;
    }
    for (int slot = 0; slot < statement.slotCount(); slot++) {
      if (statement.slotText(slot).equals("'" + value.group(1) + "'")) {
        return true;
      }
    }
    return false;
  }
}
