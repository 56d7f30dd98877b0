package io.alrai.cn.variable;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.VariableName;
import java.util.Optional;

/**
 * A system variable, and what SET does with it.
 *
 * @param asks which privilege SET SESSION needs
 * @param within MySQL's error where a transaction is open; 0 for none
 * @param hidden whether its value tells of a mysqld's files or log
 * @param persists whether SET PERSIST takes it
 */
public record KnownVariable(
    VariableName name,
    InSession session,
    InGlobal global,
    Optional<Asked> asks,
    int within,
    boolean hidden,
    boolean persists) {

  /** What SET SESSION does. */
  public enum InSession {
    /** The CN has the value. */
    CN,
    /** Mysqlds have it, on each connection that works for the session; SET to DEFAULT undoes it. */
    BACKEND,
    /** A mysqld checks it, the CN shows it, and that is all. */
    KEPT,
    /** It may be set to the value that it has. */
    FIXED,
    /** It is of a server's log: checked, and without effect. */
    LOG,
    /** Error 1621. */
    AT_CONNECT,
    /** Error 1229. */
    GLOBAL_ONLY,
    /** Error 1238. */
    READ_ONLY
  }

  /** What SET GLOBAL does. */
  public enum InGlobal {
    /** The GMS keeps it, and sessions of all CNs begin with it. */
    KEPT,
    /** It is of the CN. */
    CN,
    /** It is set at each mysqld. */
    SERVERS,
    /** It may be set to the value that it has. */
    FIXED,
    /** Error 1235. */
    REFUSED,
    /** It is of a server's log: without effect. */
    LOG,
    /** Error 1228. */
    SESSION_ONLY,
    /** As SESSION_ONLY for accounts that may set global variables; a mysqld checks that first. */
    SESSION_CHECKED,
    /** Error 1238. */
    READ_ONLY
  }

  /** Who may set a session variable that not everybody may. */
  public enum Asked {
    /** With SUPER, or as administrator of variables. */
    SESSION_ADMIN,
    /** As administrator of variables; SUPER is not enough. */
    SESSION_ADMIN_NO_SUPER,
    /** Who may apply another server's log, too. */
    APPLIER,
    /** With FILE. */
    FILE
  }

  /**
   * Refuses what no session can set for itself.
   *
   * @throws AlraiException 1229, 1238 or 1621
   */
  public void requireOfSession() {
    switch (session) {
      case READ_ONLY -> throw readOnly();
      case GLOBAL_ONLY -> throw globalOnly(name.text());
      case AT_CONNECT ->
          throw AlraiException.fromServer(
              1621,
              "HY000",
              "SESSION variable '" + name + "' is read-only. Use SET GLOBAL to assign the value");
      case CN, BACKEND, KEPT, FIXED, LOG -> {
        // can be set
      }
    }
  }

  /** 1228. */
  public AlraiException sessionOnly() {
    return AlraiException.fromServer(
        1228,
        "HY000",
        "Variable '" + name + "' is a SESSION variable and can't be used with SET GLOBAL");
  }

  /**
   * Refuses what has no global value that can be set.
   *
   * @throws AlraiException 1228 or 1238
   */
  public void requireGlobal() {
    switch (global) {
      case READ_ONLY -> throw readOnly();
      case SESSION_ONLY -> {
        if (session == InSession.READ_ONLY) {
          throw readOnly();
        }
        throw sessionOnly();
      }
      case SESSION_CHECKED, KEPT, CN, SERVERS, FIXED, REFUSED, LOG -> {
        // can be set, or is refused with another reason
      }
    }
  }

  /**
   * Refuses SET PERSIST of what is not kept over a restart.
   *
   * @throws AlraiException 1238
   */
  public void requirePersistent() {
    if (!persists) {
      throw new AlraiException(
          ErrorCode.ER_INCORRECT_GLOBAL_LOCAL_VAR,
          "Variable '" + name + "' is a non persistent variable");
    }
  }

  /**
   * Refuses what MySQL does not let one set while a transaction is open.
   *
   * @throws AlraiException 1679, 1685, 1694 or 1766
   */
  public void requireOutside(boolean transaction) {
    if (transaction && within != 0) {
      throw AlraiException.fromServer(
          within,
          "HY000",
          within == 1766
              ? "The system variable "
                  + name
                  + " cannot be set when there is an ongoing transaction."
              : "Cannot modify @@session." + name + " inside a transaction");
    }
  }

  /** Error 1235 of a value that is not the one that it has. */
  public AlraiException refused() {
    return AlraiException.unsupported("'SET " + name + "': Alrai depends on its value on every DN");
  }

  /** Error 1229. */
  public static AlraiException globalOnly(String name) {
    return new AlraiException(
        ErrorCode.ER_GLOBAL_VARIABLE,
        "Variable '" + name + "' is a GLOBAL variable and should be set with SET GLOBAL");
  }

  private AlraiException readOnly() {
    return new AlraiException(
        ErrorCode.ER_INCORRECT_GLOBAL_LOCAL_VAR, "Variable '" + name + "' is a read only variable");
  }
}
