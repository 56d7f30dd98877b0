package io.alrai.dn.role;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.ship.Feed;

/** Gives what the gate lets through to the feed. */
final class FeedPublisher implements LiveGate.Passed {
  private final Feed feed;

  FeedPublisher(Feed feed) {
    this.feed = feed;
  }

  @Override
  public void begin(GtidSet visible, BinlogPosition start) {
    feed.begin(visible, start);
  }

  @Override
  public void passed(BinlogTransaction transaction, HlcTimestamp stamp) {
    feed.publish(transaction, stamp);
  }

  @Override
  public GtidSet visible() {
    return feed.visible();
  }
}
