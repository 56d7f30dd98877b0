package io.alrai.cn.admin;

import io.alrai.gms.api.Account;
import io.alrai.gms.api.AccountLimits;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.PasswordRules;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * An account as the statement that makes it, in the words and the order of MySQL's SHOW CREATE
 * USER. Pure.
 */
final class CreateUserText {
  private CreateUserText() {}

  /**
   * The statement.
   *
   * @param mode the client's: with ANSI_QUOTES the account's name stands in double quotes, those of
   *     roles never do
   * @param hex whether the text after AS is a hexadecimal literal
   * @param secret whether that text is shown
   */
  static String of(Account account, LexicalMode mode, boolean hex, boolean secret) {
    boolean ansiQuotes = mode.ansiQuotes();
    StringBuilder text = new StringBuilder("CREATE USER ");
    text.append(quoted(account.user(), ansiQuotes)).append('@');
    text.append(quoted(account.host(), ansiQuotes));
    Credential credential = account.credential();
    text.append(" IDENTIFIED WITH '").append(credential.plugin()).append('\'');
    if (!credential.noPassword()) {
      text.append(" AS ");
      text.append(secret ? literal(credential.text(), hex, mode) : "<secret>");
    }
    String roles =
        account.roles().defaults().stream()
            .sorted()
            .map(Account::quoted)
            .collect(Collectors.joining(","));
    if (!roles.isEmpty()) {
      text.append(" DEFAULT ROLE ").append(roles);
    }
    PasswordRules rules = account.password();
    text.append(account.requiresTls() ? " REQUIRE SSL" : " REQUIRE NONE");
    limits(text, account.limits());
    text.append(" PASSWORD EXPIRE").append(expiry(rules));
    text.append(account.locked() ? " ACCOUNT LOCK" : " ACCOUNT UNLOCK");
    text.append(" PASSWORD HISTORY DEFAULT PASSWORD REUSE INTERVAL DEFAULT");
    text.append(" PASSWORD REQUIRE CURRENT DEFAULT");
    if (rules.failedLogins() != 0) {
      text.append(" FAILED_LOGIN_ATTEMPTS ").append(rules.failedLogins());
    }
    if (rules.lockDays() != 0) {
      boolean unbounded = rules.lockDays() == PasswordRules.UNBOUNDED;
      text.append(" PASSWORD_LOCK_TIME ").append(unbounded ? "UNBOUNDED" : rules.lockDays());
    }
    return text.toString();
  }

  private static void limits(StringBuilder text, AccountLimits limits) {
    if (!limits.ofStatements() && !limits.ofLogins()) {
      return;
    }
    text.append(" WITH");
    limit(text, " MAX_QUERIES_PER_HOUR ", limits.queries());
    limit(text, " MAX_UPDATES_PER_HOUR ", limits.updates());
    limit(text, " MAX_CONNECTIONS_PER_HOUR ", limits.logins());
    limit(text, " MAX_USER_CONNECTIONS ", limits.sessions());
  }

  private static void limit(StringBuilder text, String words, long limit) {
    if (limit > 0) {
      text.append(words).append(limit);
    }
  }

  private static String quoted(String name, boolean ansiQuotes) {
    return ansiQuotes ? '"' + name.replace("\"", "\"\"") + '"' : Identifier.quote(name);
  }

  private static String expiry(PasswordRules rules) {
    if (rules.expired()) {
      return "";
    }
    return switch (rules.lifetimeDays()) {
      case PasswordRules.DEFAULT_LIFETIME -> " DEFAULT";
      case 0 -> " NEVER";
      default -> " INTERVAL " + rules.lifetimeDays() + " DAY";
    };
  }

  private static String literal(String text, boolean hex, LexicalMode mode) {
    if (hex) {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      return "0x" + HexFormat.of().withUpperCase().formatHex(bytes);
    }
    return "'" + (mode.noBackslashEscapes() ? text.replace("'", "''") : escaped(text)) + "'";
  }

  /** With the escapes that a mysqld writes. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 8);
    for (char c : text.toCharArray()) {
      switch (c) {
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\032' -> escaped.append("\\Z");
        case '\\', '\'', '"' -> escaped.append('\\').append(c);
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
