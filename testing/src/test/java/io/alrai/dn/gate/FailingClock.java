package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.clock.NodeClock;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A clock that cannot write its mark now and then. */
final class FailingClock implements NodeClock {
  private final NodeClock right;

  /** Whether the next timestamp is not given. */
  boolean fails;

  FailingClock(NodeClock right) {
    this.right = right;
  }

  @Override
  public long nowValue() {
    return right.nowValue();
  }

  @Override
  public HlcTimestamp advance() {
    if (fails) {
      throw new UncheckedIOException(new IOException("No space left on device"));
    }
    return right.advance();
  }

  @Override
  public void updateValue(long remote) {
    right.updateValue(remote);
  }

  @Override
  public void restoreAbove(HlcTimestamp floor) {
    right.restoreAbove(floor);
  }
}
