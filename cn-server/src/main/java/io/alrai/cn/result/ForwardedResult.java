package io.alrai.cn.result;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.StateChange;
import java.util.List;

/** Gives everything to another writer, for those that change a part of it. */
public abstract class ForwardedResult extends ResultWriter {
  private final ResultWriter client;

  /** One before another. */
  protected ForwardedResult(ResultWriter client) {
    super(client.output(), true, client.binary(), 0, () -> StateChange.NONE);
    this.client = client;
  }

  @Override
  public int nextSequence() {
    return client.nextSequence();
  }

  @Override
  public void continueFrom(int nextSequence) {
    client.continueFrom(nextSequence);
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    client.columns(definitions, status);
  }

  @Override
  public void row(byte[] textRow) {
    client.row(textRow);
  }

  @Override
  public void end(int warnings, int status) {
    client.end(warnings, status);
  }

  @Override
  public void ok(OkPacket ok) {
    client.ok(ok);
  }
}
