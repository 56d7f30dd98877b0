package io.alrai.cn.execute;

import io.alrai.cn.result.ForwardedResult;
import io.alrai.cn.result.ResultWriter;
import io.alrai.common.wire.OkPacket;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps the answer to a write back until all that belongs to it is done. One virtual thread. */
final class HeldOk extends ForwardedResult {
  private @Nullable OkPacket told;

  HeldOk(ResultWriter client) {
    super(client);
  }

  @Override
  public void ok(OkPacket ok) {
    told = ok;
  }

  /** Sends it. */
  void release() {
    super.ok(Objects.requireNonNull(told));
  }
}
