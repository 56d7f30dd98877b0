package io.alrai.tpcc;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;

/** What a terminal does about an error. */
public enum TpccErrorKind {
  /** Deadlock (1213), lock wait timeout (1205) or SQLSTATE 40xxx: rolled back, tried again. */
  RETRIED("retried"),
  /** The connection is lost: a new one is made, the transaction is given up. */
  CONNECTION("connection"),
  /** The endpoint's answer contradicts what must be in the tables. */
  WRONG_ANSWER("wrong answer"),
  /** Anything else: rolled back and given up. */
  OTHER("given up");

  private final String label;

  TpccErrorKind(String label) {
    this.label = label;
  }

  /** The name in reports. */
  public String label() {
    return label;
  }

  static TpccErrorKind of(SQLException error) {
    String state = error.getSQLState() == null ? "" : error.getSQLState();
    if (error.getErrorCode() == 1213 || error.getErrorCode() == 1205 || state.startsWith("40")) {
      return RETRIED;
    }
    if (state.startsWith("08")
        || error instanceof SQLNonTransientConnectionException
        || error instanceof SQLTransientConnectionException
        || error instanceof SQLRecoverableException) {
      return CONNECTION;
    }
    return state.equals(Statements.WRONG_ANSWER) ? WRONG_ANSWER : OTHER;
  }
}
