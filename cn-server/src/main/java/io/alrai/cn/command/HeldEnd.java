package io.alrai.cn.command;

import io.alrai.cn.result.ForwardedResult;
import io.alrai.cn.result.ResultWriter;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.ServerStatus;
import java.util.List;

/**
 * Keeps the end of a result back until the statement's own transaction has ended: when a client has
 * the end, its content is true. One virtual thread.
 */
final class HeldEnd extends ForwardedResult {
  private static final int TRANSACTION = ServerStatus.IN_TRANS | ServerStatus.IN_TRANS_READONLY;

  private Runnable end = () -> {};

  HeldEnd(ResultWriter client) {
    super(client);
  }

  /** Sends the end. */
  void release() {
    end.run();
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    super.columns(definitions, status & ~TRANSACTION);
  }

  @Override
  public void end(int warnings, int status) {
    end = () -> super.end(warnings, status & ~TRANSACTION);
  }

  @Override
  public void ok(OkPacket ok) {
    OkPacket ended =
        new OkPacket(
            ok.affectedRows(),
            ok.lastInsertId(),
            ok.status() & ~TRANSACTION,
            ok.warnings(),
            ok.info());
    end = () -> super.ok(ended);
  }
}
