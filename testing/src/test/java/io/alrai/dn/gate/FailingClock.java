package io.alrai.dn.gate;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.clock.NodeClock;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A clock that cannot write its mark now and then, and refuses what is too far ahead. */
final class FailingClock implements NodeClock {
  private final NodeClock right;
  private final boolean refuses;

  /** Whether the next timestamp is not given. */
  boolean fails;

  /**
   * Over a right one.
   *
   * @param refuses whether what it does not follow is an error
   */
  FailingClock(NodeClock right, boolean refuses) {
    this.right = right;
    this.refuses = refuses;
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
    try {
      right.updateValue(remote);
    } catch (AlraiException ahead) {
      if (refuses) {
        throw ahead;
      }
    }
  }

  @Override
  public void restoreAbove(HlcTimestamp floor) {
    right.restoreAbove(floor);
  }
}
