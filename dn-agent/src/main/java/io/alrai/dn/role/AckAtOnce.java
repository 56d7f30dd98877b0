package io.alrai.dn.role;

import io.alrai.dn.binlog.Acks;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.CommitGate;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.ship.Feed;
import org.jspecify.annotations.Nullable;

/** Lets every commit become visible as soon as it is received, and gives it to the feed. */
final class AckAtOnce implements CommitGate {
  private final Feed feed;
  private @Nullable Acks current;

  AckAtOnce(Feed feed) {
    this.feed = feed;
  }

  @Override
  public void attached(Acks acks, GtidSet visible, BinlogPosition start) {
    current = acks;
    feed.begin(visible, start);
  }

  @Override
  public void received(BinlogTransaction transaction) {
    Acks acks = current;
    if (acks != null) {
      acks.ack(transaction.end());
      feed.publish(transaction);
    }
  }

  @Override
  public void detached() {
    current = null;
  }
}
