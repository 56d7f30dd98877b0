package io.alrai.cn.execute;

import io.alrai.cn.session.Diagnostics.Condition;
import io.alrai.optimizer.api.ShapedStatement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Warnings about a statement's text: each place tells them, MySQL does once. They are those about
 * deprecated syntax, and those about the value of a literal.
 */
final class OnceWarnings {
  /** ER_WARN_DEPRECATED_SYNTAX and its variants of the server's error message reference. */
  private static final Set<Integer> DEPRECATED = Set.of(1287, 1681, 3719, 3720, 3778, 3962, 4031);

  private static final Pattern VALUE = Pattern.compile("value: '(.*)'", Pattern.DOTALL);

  private OnceWarnings() {}

  /** Leaves out what places tell again, and what a client was told at STMT_PREPARE. */
  static List<Condition> of(StatementRun run, List<Condition> all) {
    return of(
        run.statement(),
        run.writer().binary()
            ? all.stream().filter(told -> !DEPRECATED.contains(told.code())).toList()
            : all);
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
    if (DEPRECATED.contains(condition.code())) {
      return true;
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
