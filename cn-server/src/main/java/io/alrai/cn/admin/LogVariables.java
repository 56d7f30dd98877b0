package io.alrai.cn.admin;

import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * SET of what says how a server's own log is written. Clients of Alrai have no such log, so it has
 * no effect; dumps of servers with GTIDs, and what mysqlbinlog writes, are full of it. Pure.
 */
final class LogVariables {
  private static final String SQL_LOG_BIN = "sql_log_bin";
  private static final String GTID_NEXT = "gtid_next";

  private static final Pattern GTID =
      Pattern.compile(
          "AUTOMATIC(:[A-Z_][A-Z0-9_]*)?|ANONYMOUS"
              + "|[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}(:[A-Z_][A-Z0-9_]{0,31})?:[1-9][0-9]{0,18}");

  private LogVariables() {}

  /** What DEFAULT means. */
  static String standard(String name) {
    return name.equals(SQL_LOG_BIN) ? "ON" : "AUTOMATIC";
  }

  /**
   * Checks a value.
   *
   * @return the warning that it has no effect
   * @throws AlraiException 1231 for what the variable cannot be
   */
  static Condition set(String name, String value) {
    boolean wrong =
        switch (name) {
          case SQL_LOG_BIN -> OwnVariables.truth(value).isEmpty();
          case GTID_NEXT -> !GTID.matcher(value.strip().toUpperCase(Locale.ROOT)).matches();
          default -> false;
        };
    if (wrong) {
      throw OwnVariables.wrong(name, value, "");
    }
    return new Condition(
        "Warning",
        ErrorCode.ER_NOT_SUPPORTED_YET.errno(),
        "SET " + name + " has no effect: there is no binary log that a client of Alrai has");
  }
}
