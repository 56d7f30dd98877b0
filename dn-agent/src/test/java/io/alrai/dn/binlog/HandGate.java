package io.alrai.dn.binlog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Lets commits through by hand, or at once. */
final class HandGate implements CommitGate {
  private static final long PATIENCE_SECONDS = 30;

  private final BlockingQueue<BinlogTransaction> arrived = new LinkedBlockingQueue<>();
  private final List<BinlogTransaction> passed = new ArrayList<>();
  private Acks acks;
  private GtidSet visible;
  private boolean atOnce;

  @Override
  public synchronized void attached(Acks current, GtidSet seen, BinlogPosition start) {
    acks = current;
    visible = seen;
    arrived.clear();
  }

  @Override
  public synchronized void received(BinlogTransaction transaction) {
    if (atOnce) {
      passed.add(transaction);
      acks.ack(transaction.end());
    } else {
      arrived.add(transaction);
    }
  }

  @Override
  public synchronized void detached() {
    acks = null;
  }

  synchronized GtidSet visible() {
    return visible.copy();
  }

  /** From now on without waiting; what waits goes through. */
  synchronized void open() {
    atOnce = true;
    List<BinlogTransaction> waiting = new ArrayList<>();
    arrived.drainTo(waiting);
    passed.addAll(waiting);
    if (!waiting.isEmpty()) {
      acks.ack(waiting.getLast().end());
    }
  }

  /** From now on everything waits. */
  synchronized void shut() {
    atOnce = false;
  }

  /** What waits longest, taken out of the queue. */
  BinlogTransaction next() throws InterruptedException {
    BinlogTransaction next = arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no transaction came");
    }
    return next;
  }

  synchronized void pass(BinlogTransaction transaction) {
    passed.add(transaction);
    acks.ack(transaction.end());
  }

  synchronized void ack(BinlogPosition end) {
    acks.ack(end);
  }

  int waiting() {
    return arrived.size();
  }

  synchronized List<BinlogTransaction> passed() {
    return List.copyOf(passed);
  }
}
