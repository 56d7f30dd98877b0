package io.alrai.cn.privilege;

import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Privilege;
import java.util.List;
import java.util.Locale;

/** MySQL's sentences for what an account may not do. Pure. */
public final class Denied {
  /** In the order in which MySQL looks for a word. */
  private static final List<Privilege> OF_ROUTINES =
      List.of(Privilege.EXECUTE, Privilege.ALTER_ROUTINE, Privilege.GRANT);

  private Denied() {}

  /** 1142: a command on a table, with the client's host. */
  public static AlraiException table(ClientIdentity who, String command, String table) {
    return new AlraiException(
        ErrorCode.ER_TABLEACCESS_DENIED_ERROR,
        command + " command denied to user " + client(who) + " for table '" + table + "'");
  }

  /** 1142 with the host of the account, as CREATE VIEW has it. */
  static AlraiException tableOfAccount(ClientIdentity who, String command, String table) {
    return new AlraiException(
        ErrorCode.ER_TABLEACCESS_DENIED_ERROR,
        command + " command denied to user " + account(who) + " for table '" + table + "'");
  }

  /** 1143: a command on a column. */
  public static AlraiException column(
      ClientIdentity who, String command, String column, String table) {
    return new AlraiException(
        ErrorCode.ER_COLUMNACCESS_DENIED_ERROR,
        command
            + " command denied to user "
            + client(who)
            + " for column '"
            + column
            + "' in table '"
            + table
            + "'");
  }

  /** 1044: a schema, with the host of the account. */
  public static AlraiException schema(ClientIdentity who, String schema) {
    return new AlraiException(
        ErrorCode.ER_DBACCESS_DENIED_ERROR,
        "Access denied for user " + account(who) + " to database '" + schema + "'");
  }

  /** 1044 with the client's host, as SHOW CREATE DATABASE has it. */
  public static AlraiException shownSchema(ClientIdentity who, String schema) {
    return new AlraiException(
        ErrorCode.ER_DBACCESS_DENIED_ERROR,
        "Access denied for user " + client(who) + " to database '" + schema + "'");
  }

  /** 1045: GRANT and REVOKE of global privileges. */
  public static AlraiException everywhere(ClientIdentity who) {
    return new AlraiException(
        ErrorCode.ER_ACCESS_DENIED_ERROR,
        "Access denied for user "
            + account(who)
            + " (using password: "
            + (who.withPassword() ? "YES" : "NO")
            + ")");
  }

  /** 1227: none of these privileges. */
  public static AlraiException lacking(String privileges) {
    return new AlraiException(
        ErrorCode.ER_SPECIFIC_ACCESS_DENIED_ERROR,
        "Access denied; you need (at least one of) the "
            + privileges
            + " privilege(s) for this operation");
  }

  /**
   * 1370: privileges on a routine, with the host of the account.
   *
   * @param missing of which the error names one
   */
  public static AlraiException routine(
      ClientIdentity who, long missing, String schema, String routine) {
    return new AlraiException(
        ErrorCode.ER_PROCACCESS_DENIED_ERROR,
        OF_ROUTINES.stream()
                .filter(privilege -> (missing & privilege.bit()) != 0)
                .map(privilege -> privilege.sql().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse("")
            + " command denied to user "
            + account(who)
            + " for routine '"
            + schema
            + "."
            + routine
            + "'");
  }

  /** The client as MySQL's sentences name it: the account's user, with the client's host. */
  public static String client(ClientIdentity who) {
    return "'" + who.access().user() + "'@'" + who.host() + "'";
  }

  private static String account(ClientIdentity who) {
    return "'" + who.access().user() + "'@'" + who.access().host() + "'";
  }
}
