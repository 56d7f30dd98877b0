package io.alrai.cn.admin;

import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.Diagnostics.Condition;
import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.AdminStatement.VariableScope;

/**
 * SET of what says how a server's own log is written. Clients of Alrai have no such log, so it has
 * no effect; dumps of servers with GTIDs are full of it. Pure.
 */
final class LogVariables {
  /** Of the session; ON or OFF. */
  static final String SQL_LOG_BIN = "sql_log_bin";

  private static final String GTID_PURGED = "gtid_purged";
  private static final int ER_LOCAL_VARIABLE = 1228;

  private LogVariables() {}

  /** Whether a variable is one of these. */
  static boolean isOne(String name) {
    return name.equals(SQL_LOG_BIN) || name.equals(GTID_PURGED);
  }

  /**
   * Checks an assignment.
   *
   * @return the warning that it has no effect
   * @throws AlraiException 1228 and 1229 for the wrong scope, 1227 for who may not
   */
  static Condition set(Session session, Catalog catalog, VariableScope scope, String name) {
    boolean global = scope == VariableScope.GLOBAL || scope == VariableScope.PERSIST;
    if (global && name.equals(SQL_LOG_BIN)) {
      throw AlraiException.fromServer(
          ER_LOCAL_VARIABLE,
          "HY000",
          "Variable '" + name + "' is a SESSION variable and can't be used with SET GLOBAL");
    }
    if (!global && name.equals(GTID_PURGED)) {
      throw new AlraiException(
          ErrorCode.ER_GLOBAL_VARIABLE,
          "Variable '" + name + "' is a GLOBAL variable and should be set with SET GLOBAL");
    }
    PrivilegeCheck.require(
        session, catalog, Privilege.SUPER, DynamicPrivilege.SYSTEM_VARIABLES_ADMIN);
    return new Condition(
        "Warning",
        ErrorCode.ER_NOT_SUPPORTED_YET.errno(),
        "SET " + name + " has no effect: there is no binary log that a client of Alrai has");
  }

  /**
   * Checks the value of one that is ON or OFF.
   *
   * @throws AlraiException 1231
   */
  static void requireSwitch(String name, String value) {
    if (OwnVariables.truth(value).isEmpty()) {
      throw OwnVariables.wrong(name, value, "");
    }
  }
}
