package io.alrai.cn.routine;

import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.ServerStatus;
import io.alrai.common.wire.StateChange;
import java.util.List;

/** Gives the client the rows of a statement of a procedure as one of the CALL's results. */
final class PassedResult extends ResultWriter {
  private final StatementRun call;
  private final int flags;
  private final String procedure;
  private boolean open;

  /**
   * A result to pass on.
   *
   * @param flags for its end, besides those of the statement
   * @param procedure as errors name it
   */
  PassedResult(StatementRun call, int flags, String procedure) {
    super(call.writer().output(), true, false, 0, () -> StateChange.NONE);
    this.call = call;
    this.flags = flags | ServerStatus.MORE_RESULTS_EXISTS;
    this.procedure = procedure;
  }

  @Override
  public boolean limited() {
    return false;
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    if (!call.session().client().capabilities().has(Capability.MULTI_RESULTS)) {
      throw new AlraiException(
          ErrorCode.ER_SP_BADSELECT,
          "PROCEDURE " + procedure + " can't return a result set in the given context");
    }
    open = true;
    call.writer().columns(definitions, status | flags);
  }

  @Override
  public void row(byte[] textRow) {
    call.writer().row(textRow);
  }

  @Override
  public void end(int warnings, int status) {
    open = false;
    call.writer().end(warnings, endsBare() ? call.session().statusFlags() : status | flags);
  }

  /** A mysqld has taken the flags back before it sends the EOF after OUT parameters. */
  private boolean endsBare() {
    return (flags & ServerStatus.PS_OUT_PARAMS) != 0
        && !call.session().client().capabilities().deprecateEof();
  }

  /** Only the CALL as a whole has one. */
  @Override
  public void ok(OkPacket ok) {
    // the last one is made of what the session knows then
  }

  /** Ends the rows that went out before an error that a handler takes. */
  void broken() {
    if (open) {
      end(0, call.session().statusFlags());
    }
  }
}
