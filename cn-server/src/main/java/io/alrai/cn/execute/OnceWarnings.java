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
 * Warnings about a statement's text: each place reports them, but MySQL reports them once. They
 * come from parsing and resolving it, and from the values of literals.
 */
final class OnceWarnings {
  /**
   * Codes of the server's error message reference: ER_WARN_DEPRECATED_SYNTAX and its variants, and
   * an ambiguous column in GROUP BY (1052).
   */
  private static final Set<Integer> OF_TEXT =
      Set.of(1052, 1287, 1681, 3719, 3720, 3778, 3962, 4031, 4119);

  /** The warning about {@code :=}, which is evaluated at one place only: each use has its own. */
  private static final String OF_ASSIGNMENT = "Setting user variables within expressions ";

  private static final Pattern VALUE = Pattern.compile("value: '(.*)'", Pattern.DOTALL);

  private OnceWarnings() {}

  /** Leaves out what places repeat, and what a client got at STMT_PREPARE. */
  static List<Condition> of(StatementRun run, List<Condition> all) {
    return of(run.statement(), untold(run, all));
  }

  /** The warnings of a write, whose rows each have their own about values. */
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
