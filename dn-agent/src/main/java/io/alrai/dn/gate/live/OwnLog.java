package io.alrai.dn.gate.live;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogTransaction;
import java.util.List;

/** The log of a DN with one replica is its mysqld's, which is synced before it is sent. */
public final class OwnLog implements CommitLog {
  /** It has no state. */
  public OwnLog() {}

  @Override
  public boolean ownLog() {
    return true;
  }

  @Override
  public void begins(Written to) {
    // everything is written
  }

  @Override
  public void append(BinlogTransaction transaction, HlcTimestamp stamp) {
    // it is written
  }

  @Override
  public void restamped(long number, List<Restamp> stamps) {
    // nobody reads stamps in it
  }

  @Override
  public void ends() {
    // nothing is to be reported
  }
}
