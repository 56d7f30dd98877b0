package io.alrai.cn.admin;

import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.parse.LexicalMode;
import io.alrai.optimizer.parse.TokenCursor;
import io.alrai.optimizer.parse.TokenKind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client is told of a function that is not there, where the mysqld that said so evaluated
 * its expression in another schema, or for another account. Pure.
 */
final class UnknownFunctions {
  private static final Pattern GONE = Pattern.compile("^FUNCTION (.+)\\.(.+) does not exist$");
  private static final Pattern DENIED =
      Pattern.compile("^execute command denied to user .* for routine '(.+)\\.(.+)'$");

  private UnknownFunctions() {}

  /**
   * The error as the client's own schema makes it; any other as it is.
   *
   * @param sql the expression, or the statement that it stands in
   */
  static AlraiException ofClient(AlraiException error, String sql, Session session) {
    if (error.errno() == ErrorCode.ER_SP_DOES_NOT_EXIST.errno()) {
      Matcher gone = GONE.matcher(error.sentence());
      boolean plain = gone.matches() && isCalledWithoutSchema(sql, gone.group(2), session);
      return plain ? without(error, gone.group(2), session) : error;
    }
    // what there is of the client's own functions was looked up before
    Matcher denied = DENIED.matcher(error.sentence());
    return error.errno() == ErrorCode.ER_PROCACCESS_DENIED_ERROR.errno() && denied.matches()
        ? gone(error, denied.group(1), denied.group(2))
        : error;
  }

  private static AlraiException without(AlraiException error, String name, Session session) {
    return session.schema().isEmpty()
        ? new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected", error)
        : gone(error, session.schema(), name);
  }

  private static AlraiException gone(AlraiException error, String schema, String name) {
    return new AlraiException(
        ErrorCode.ER_SP_DOES_NOT_EXIST, RoutineKind.FUNCTION.gone(schema, name), error);
  }

  private static boolean isCalledWithoutSchema(String sql, String name, Session session) {
    LexicalMode mode = session.lexicalMode();
    TokenCursor tokens = new TokenCursor(sql, mode.ansiQuotes(), mode.noBackslashEscapes());
    for (int i = 0; i + 1 < tokens.size(); i++) {
      boolean called =
          tokens.kindAt(i + 1) == TokenKind.OPEN
              && tokens.kindAt(i - 1) != TokenKind.DOT
              && tokens.token(i).isName()
              && tokens.token(i).name().equals(name);
      if (called) {
        return true;
      }
    }
    return false;
  }
}
