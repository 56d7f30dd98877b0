package io.alrai.cn.admin;

import io.alrai.gms.api.Account;
import io.alrai.gms.api.PasswordRules;
import io.alrai.optimizer.api.NewPassword;
import io.alrai.optimizer.syntax.Identifier;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An account as the statement that makes it, in the words and the order of MySQL's SHOW CREATE
 * USER. Only the text behind AS is Alrai's own: {@link NewPassword.Digests}. Pure.
 */
final class CreateUserText {
  private CreateUserText() {}

  /**
   * The statement.
   *
   * @param ansiQuotes whether the account's name stands in double quotes; those of roles never do
   * @param hex whether the text behind AS is a hexadecimal literal
   * @param secret whether that text is shown
   */
  static String of(Account account, boolean ansiQuotes, boolean hex, boolean secret) {
    StringBuilder text = new StringBuilder("CREATE USER ");
    text.append(quoted(account.user(), ansiQuotes)).append('@');
    text.append(quoted(account.host(), ansiQuotes));
    text.append(" IDENTIFIED WITH 'caching_sha2_password'");
    Optional<NewPassword.Digests> digests = NewPassword.Digests.of(account);
    digests.ifPresent(
        found -> text.append(" AS ").append(secret ? literal(found.text(), hex) : "<secret>"));
    String roles =
        account.roles().defaults().stream()
            .sorted()
            .map(Account::quoted)
            .collect(Collectors.joining(","));
    if (!roles.isEmpty()) {
      text.append(" DEFAULT ROLE ").append(roles);
    }
    PasswordRules rules = account.password();
    text.append(" REQUIRE NONE PASSWORD EXPIRE").append(expiry(rules));
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

  private static String literal(String text, boolean hex) {
    return hex
        ? "0x" + HexFormat.of().withUpperCase().formatHex(text.getBytes(StandardCharsets.US_ASCII))
        : "'" + text + "'";
  }
}
