package io.alrai.gms.api;

import io.alrai.common.sql.Sql;

/**
 * A user account, or a role.
 *
 * @param user name; empty for the anonymous account
 * @param host pattern, for example {@code %}
 * @param credential what is kept of its password
 * @param requiresTls whether log-in without TLS is refused: REQUIRE SSL
 * @param locked whether log-in is refused
 * @param grants what it may do
 * @param roles what it may do besides while they are active
 * @param password how long the password is good
 * @param limits how much it may be used
 */
public record Account(
    String user,
    String host,
    Credential credential,
    boolean requiresTls,
    boolean locked,
    Grants grants,
    Roles roles,
    PasswordRules password,
    AccountLimits limits) {
  /** An account without roles and rules. */
  public static Account of(
      String user, String host, Credential credential, boolean locked, Grants grants) {
    return new Account(
        user,
        host,
        credential,
        false,
        locked,
        grants,
        Roles.NONE,
        PasswordRules.NONE,
        AccountLimits.NONE);
  }

  /** The key of an account in the catalog: {@code user@host}. */
  public static String key(String user, String host) {
    return user + "@" + host;
  }

  /** The user of a key. */
  public static String userOf(String key) {
    return key.substring(0, key.lastIndexOf('@'));
  }

  /** The host pattern of a key. */
  public static String hostOf(String key) {
    return key.substring(key.lastIndexOf('@') + 1);
  }

  /** A key in the form of messages about roles: between backquotes, which are not doubled. */
  public static String shown(String key) {
    return "`%s`@`%s`".formatted(userOf(key), hostOf(key));
  }

  /** A name in the form of messages about accounts, {@code 'user'@'host'}: like strings in SQL. */
  public static String shown(String user, String host) {
    return "'" + escaped(user) + "'@'" + escaped(host) + "'";
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\")
        .replace("'", "\\'")
        .replace("\"", "\\\"")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\u001a", "\\Z");
  }

  /** A key in the form of SQL: {@code `user`@`host`}. */
  public static String quoted(String key) {
    return Sql.quote(userOf(key)) + "@" + Sql.quote(hostOf(key));
  }

  /** MySQL's message for a definer that does not exist, 1449. */
  public static String unknownDefiner(String key) {
    return "The user specified as a definer ('"
        + userOf(key)
        + "'@'"
        + hostOf(key)
        + "') does not exist";
  }

  /** Its key in the catalog. */
  public String key() {
    return key(user, host);
  }

  /** A copy of the account with other privileges. */
  public Account with(Grants changed) {
    return new Account(
        user, host, credential, requiresTls, locked, changed, roles, password, limits);
  }

  /** A copy of the account with other roles. */
  public Account with(Roles changed) {
    return new Account(
        user, host, credential, requiresTls, locked, grants, changed, password, limits);
  }

  /** A copy of the account with other rules for its password. */
  public Account with(PasswordRules changed) {
    return new Account(user, host, credential, requiresTls, locked, grants, roles, changed, limits);
  }

  /** A copy of the account with another password, or another form of it. */
  public Account with(Credential changed) {
    return new Account(user, host, changed, requiresTls, locked, grants, roles, password, limits);
  }

  /** A copy of the account with other limits. */
  public Account with(AccountLimits changed) {
    return new Account(
        user, host, credential, requiresTls, locked, grants, roles, password, changed);
  }

  /** A copy of the account under another name. */
  public Account named(String newUser, String newHost) {
    return new Account(
        newUser, newHost, credential, requiresTls, locked, grants, roles, password, limits);
  }
}
