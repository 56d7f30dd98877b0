package io.alrai.dn.gate.live;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogTransaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log of a group that gets further by hand. */
final class HandLog implements CommitLog {
  boolean ownLog;
  @Nullable RuntimeException fails;
  @Nullable Written told;
  final List<String> given = new ArrayList<>();

  @Override
  public boolean ownLog() {
    return ownLog;
  }

  @Override
  public void begins(Written to) {
    told = to;
    given.add("begins");
  }

  @Override
  public void append(BinlogTransaction transaction, HlcTimestamp stamp) {
    if (fails != null) {
      throw fails;
    }
    given.add(transaction.gtid().number() + " at " + stamp.millis());
  }

  @Override
  public void restamped(long number, List<Restamp> stamps) {
    stamps.forEach(one -> given.add(one.gtid().number() + " now at " + one.stamp().millis()));
  }

  @Override
  public void ends() {
    given.add("ends");
  }
}
