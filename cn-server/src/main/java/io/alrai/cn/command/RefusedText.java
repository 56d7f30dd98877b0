package io.alrai.cn.command;

import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.session.PreparedStatement;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.StatementKind;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * The error for a text that Alrai refuses (1235). The planner may have come upon its reason before
 * the end of the text: a mysqld says whether all of it is a statement, and a mistake (1064) is
 * reported instead. Event loop only.
 */
final class RefusedText {
  /** Other kinds have words of Alrai's own, which a mysqld takes for mistakes. */
  private static final Set<StatementKind> OF_MYSQL =
      EnumSet.of(
          StatementKind.QUERY,
          StatementKind.INSERT,
          StatementKind.REPLACE,
          StatementKind.UPDATE,
          StatementKind.DELETE,
          StatementKind.DO,
          StatementKind.SET);

  private RefusedText() {}

  /**
   * Ends the command with an error.
   *
   * @param planner has scanned the text
   * @param sql the text
   * @param reason why it does not run
   */
  static void fail(
      ClientConnection connection,
      StatementPlanner planner,
      byte[] sql,
      AlraiException reason,
      int sequence) {
    if (!reason.is(ErrorCode.ER_NOT_SUPPORTED_YET)) {
      connection.fail(reason, sequence);
      return;
    }
    ShapedText shaped = planner.snapshot();
    if (!OF_MYSQL.contains(shaped.kind())) {
      connection.fail(reason, sequence);
      return;
    }
    PreparedStatement statement = new PreparedStatement(0, sql, shaped);
    PreparedCheck.Outcome outcome =
        told -> {
          boolean mistaken = told != null && told.is(ErrorCode.ER_PARSE_ERROR);
          connection.fail(mistaken ? Objects.requireNonNull(told) : reason, sequence);
        };
    PreparedCheck.of(connection, statement, outcome);
  }
}
