package io.alrai.cn.admin;

import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.ReservedAccounts;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The error for a function that does not exist, where the mysqld that said so evaluated its
 * expression in another schema, or for another account. Pure.
 */
final class UnknownFunctions {
  private static final Pattern GONE =
      Pattern.compile("^FUNCTION (?<schema>.+)\\.(?<name>.+) does not exist$");
  private static final Pattern DENIED =
      Pattern.compile(
          "^execute command denied to user '(?<user>.+)'@'.*' for routine"
              + " '(?<schema>.+)\\.(?<name>.+)'$");

  private UnknownFunctions() {}

  /**
   * The error as the client's own schema makes it; any other as it is.
   *
   * @param sql the expression, or the statement that it stands in
   */
  static AlraiException ofClient(AlraiException error, String sql, Session session) {
    Matcher gone = GONE.matcher(error.sentence());
    if (error.is(ErrorCode.ER_SP_DOES_NOT_EXIST) && gone.matches()) {
      return ofClient(error, gone, sql, session);
    }
    // Alrai's account may not call what is not there; the client's own rights were checked before
    Matcher denied = DENIED.matcher(error.sentence());
    if (error.is(ErrorCode.ER_PROCACCESS_DENIED_ERROR)
        && denied.matches()
        && ReservedAccounts.has(denied.group("user"))) {
      return ofClient(error, denied, sql, session);
    }
    return error;
  }

  private static AlraiException ofClient(
      AlraiException error, Matcher function, String sql, Session session) {
    String schema = function.group("schema");
    String name = function.group("name");
    if (!isCalledWithoutSchema(sql, schema, name, session)) {
      return gone(error, schema, name);
    }
    return session.schema().isEmpty()
        ? new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected", error)
        : gone(error, session.schema(), name);
  }

  private static AlraiException gone(AlraiException error, String schema, String name) {
    return new AlraiException(
        ErrorCode.ER_SP_DOES_NOT_EXIST, RoutineKind.FUNCTION.gone(schema, name), error);
  }

  /** Not where the statement names the schema that the mysqld does. */
  private static boolean isCalledWithoutSchema(
      String sql, String schema, String name, Session session) {
    LexicalMode mode = session.variables().lexicalMode();
    TokenCursor tokens = new TokenCursor(sql, mode.ansiQuotes(), mode.noBackslashEscapes());
    boolean without = false;
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.kindAt(i + 1) == TokenKind.OPEN && isNamed(tokens, i, name)) {
        if (tokens.kindAt(i - 1) != TokenKind.DOT) {
          without = true;
        } else if (isNamed(tokens, i - 2, schema)) {
          return false;
        }
      }
    }
    return without;
  }

  private static boolean isNamed(TokenCursor tokens, int at, String name) {
    return at >= 0 && tokens.token(at).isName() && tokens.token(at).name().equals(name);
  }
}
