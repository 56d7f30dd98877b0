package io.alrai.dn.binlog;

import org.jspecify.annotations.Nullable;

/** Lets every commit become visible as soon as it is received. */
public final class AckAtOnce implements CommitGate {
  private @Nullable Acks current;

  @Override
  public void attached(Acks acks, GtidSet visible, BinlogPosition start) {
    current = acks;
  }

  @Override
  public void received(BinlogTransaction transaction) {
    Acks acks = current;
    if (acks != null) {
      acks.ack(transaction.end());
    }
  }

  @Override
  public void detached() {
    current = null;
  }
}
