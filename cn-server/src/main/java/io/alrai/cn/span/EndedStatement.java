package io.alrai.cn.span;

import io.alrai.cn.trace.TraceStep;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that has ended.
 *
 * @param text without literals
 * @param schema that was current; empty for none
 * @param user who sent it
 * @param path that it took
 * @param endMillis since 1970
 * @param nanos that it took
 * @param rows that its client got
 * @param errno that its client got; 0 for none
 * @param parent whom it belongs to
 * @param steps what it asked of DNs
 */
record EndedStatement(
    String text,
    String schema,
    String user,
    String path,
    long endMillis,
    long nanos,
    long rows,
    int errno,
    @Nullable TraceParent parent,
    List<EndedStep> steps) {
  EndedStatement {
    steps = List.copyOf(steps);
  }

  /**
   * What was asked of a DN.
   *
   * @param text without literals
   * @param error the number of a mysqld's error; empty for none
   */
  record EndedStep(TraceStep step, String text, String error) {}
}
