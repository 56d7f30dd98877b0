package io.alrai.cn.routine;

import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.StateChange;
import java.util.List;

/** Where the results of a function's statements go: nowhere, and rows are an error. */
final class NoRows extends ResultWriter {
  NoRows(StatementRun run) {
    super(run.writer().output(), true, false, 0, () -> StateChange.NONE);
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    throw new AlraiException(
        ErrorCode.ER_SP_NO_RETSET, "Not allowed to return a result set from a function");
  }

  @Override
  public void row(byte[] textRow) {
    throw new IllegalStateException("a row without columns");
  }

  @Override
  public void end(int warnings, int status) {
    // nothing is sent
  }

  @Override
  public void ok(OkPacket ok) {
    // nothing is sent
  }
}
