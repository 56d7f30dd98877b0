package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.gate.live.CommitLog;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Commits that the group has, and whose acknowledgement waits until a follower has caught up a
 * little: see {@link CommitBrake}. They wait in their order. On the gate's loop.
 */
public final class HeldCommits implements CommitLog {
  private final CommitLog log;
  private final EventLoop loop;
  private final CommitBrake brake;
  private final LongAdder held;
  private final LongAdder heldNanos;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long lastDue;
  private boolean scheduled;

  private record Waiting(long dueNanos, Written to, BinlogPosition through) {}

  /**
   * A log in front of another one.
   *
   * @param held counts acknowledgements that waited, each one for all commits of an entry
   * @param heldNanos and for how long
   */
  public HeldCommits(
      CommitLog log, EventLoop loop, CommitBrake brake, LongAdder held, LongAdder heldNanos) {
    this.log = log;
    this.loop = loop;
    this.brake = brake;
    this.held = held;
    this.heldNanos = heldNanos;
  }

  @Override
  public boolean ownLog() {
    return log.ownLog();
  }

  @Override
  public void begins(Written to) {
    waiting.clear();
    log.begins(
        new Written() {
          @Override
          public void durable(BinlogPosition through) {
            pass(to, through);
          }

          @Override
          public void stamps(long number) {
            to.stamps(number);
          }
        });
  }

  @Override
  public void ends() {
    waiting.clear();
    log.ends();
  }

  @Override
  public void append(BinlogTransaction transaction, HlcTimestamp stamp) {
    log.append(transaction, stamp);
  }

  @Override
  public void restamped(long number, List<Restamp> stamps) {
    log.restamped(number, stamps);
  }

  private void pass(Written to, BinlogPosition through) {
    long millis = brake.millis();
    if (millis == 0 && waiting.isEmpty()) {
      to.durable(through);
      return;
    }
    long now = loop.ticker().nanoTime();
    long due = now + TimeUnit.MILLISECONDS.toNanos(millis);
    lastDue = waiting.isEmpty() ? due : Math.max(lastDue, due);
    held.increment();
    heldNanos.add(lastDue - now);
    waiting.add(new Waiting(lastDue, to, through));
    schedule(now);
  }

  private void schedule(long now) {
    Waiting first = waiting.peek();
    if (first != null && !scheduled) {
      scheduled = true;
      loop.schedule(this::letGo, Math.max(0, first.dueNanos - now), TimeUnit.NANOSECONDS);
    }
  }

  private void letGo() {
    scheduled = false;
    long now = loop.ticker().nanoTime();
    Waiting first;
    while ((first = waiting.peek()) != null && first.dueNanos <= now) {
      waiting.remove();
      first.to.durable(first.through);
    }
    schedule(now);
  }
}
