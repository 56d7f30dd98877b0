package io.alrai.cn.write;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.error.ErrorKind;
import java.util.Set;

/**
 * The error of a SELECT's text. Places get other texts than the client's, and a mysqld's sentence
 * quotes what it got: the rest of the text after a mistake, the schema of a gathered copy. So the
 * client's own text is asked of the shadow schema, where it has the same mistake.
 */
public final class ErrorAsWritten {
  /** Errors of SELECT lists and ORDER BY, which have the general SQLSTATE. */
  private static final Set<Integer> GENERAL = Set.of(3029, 3065);

  /**
   * Errors of UPDATE and DELETE, besides those with SQLSTATEs 42: an ambiguous column, a target
   * that is read or cannot be written, a key that is updated by two names, a generated column.
   */
  private static final Set<Integer> OF_WRITES = Set.of(1052, 1093, 1111, 1288, 1706, 3105);

  private ErrorAsWritten() {}

  /**
   * Refuses a write that a mysqld with all tables refuses whatever their rows are: the parts for
   * the places may not have the mistake. Does nothing where the session has temporary tables, or
   * has locked tables, those without rows too. May wait.
   */
  static void check(ExecutorParts parts, StatementRun run) {
    boolean locked = run.session().transaction().held().tableLocks().held();
    if (locked || !run.session().temporary().none()) {
      return;
    }
    try (ShardCall call = parts.explained(run)) {
      call.columns();
    } catch (AlraiException e) {
      boolean ofText = e.sqlState().startsWith("42") || OF_WRITES.contains(e.errno());
      boolean killed = e.is(ErrorCode.ER_QUERY_INTERRUPTED);
      if (killed || (ofText && e.kind() == ErrorKind.USER)) {
        throw e;
      }
    }
  }

  /**
   * The error in the words of a mysqld with all tables; unchanged where it is not about the text,
   * where there is no mistake any more, or where the session has temporary tables. May wait.
   */
  public static AlraiException of(ExecutorParts parts, StatementRun run, AlraiException told) {
    boolean ofText =
        told.kind() == ErrorKind.USER
            && (told.sqlState().startsWith("42") || GENERAL.contains(told.errno()));
    if (!ofText || !run.session().temporary().none()) {
      return told;
    }
    try (ShardCall call = parts.asWritten(run)) {
      call.columns();
      return told;
    } catch (AlraiException asWritten) {
      return asWritten.kind() == ErrorKind.USER ? asWritten : told;
    }
  }
}
