package io.alrai.cn.pressure;

import io.alrai.cn.settings.GlobalVariables;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.dn.link.GroupLimit;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** The places of all event loops of a CN, and whether there are any. Thread-safe. */
public final class Pressure {
  private final Map<EventLoop, PressureQueue> queues = new ConcurrentHashMap<>();
  private final LongAdder refused;
  private final LongSupplier nanoTime;
  private volatile long waitMillis;

  /**
   * Nothing waits until it is said for how long.
   *
   * @param refused counts those that got an error
   * @param nanoTime as {@link System#nanoTime}
   */
  public Pressure(LongAdder refused, LongSupplier nanoTime) {
    this.refused = refused;
    this.nanoTime = nanoTime;
  }

  /** The pressure of a process. */
  public static Pressure of(Metrics metrics) {
    Pressure pressure = new Pressure(metrics.adder(Metric.ADMISSION_REFUSED), System::nanoTime);
    metrics.now(Metric.ADMISSION_LIMIT, pressure::limit);
    metrics.now(Metric.ADMISSION_WAITING, pressure::waiting);
    return pressure;
  }

  /** The places of one loop. */
  public PressureQueue of(EventLoop loop) {
    return queues.computeIfAbsent(
        loop, key -> new PressureQueue(this, nanoTime, new NettyTasks(key)));
  }

  /** For how long a statement may wait; 0: nothing waits. */
  public long waitMillis() {
    return waitMillis;
  }

  /** Says for how long. Any thread. */
  public void waitMillis(long most) {
    waitMillis = most;
  }

  /** Follows {@code alrai_admission_wait_ms}. Any thread. */
  public void follow(GlobalVariables globals) {
    waitMillis(Long.parseLong(globals.limit(GroupLimit.STATEMENT_WAIT)));
  }

  /** How many wait. */
  public int waiting() {
    return queues.values().stream().mapToInt(PressureQueue::shownWaiting).sum();
  }

  /** How many may be at work. */
  public int limit() {
    return queues.values().stream().mapToInt(PressureQueue::shownLimit).sum();
  }

  /** Counts those that got an error. */
  public LongAdder refused() {
    return refused;
  }

  private record NettyTasks(EventLoop loop) implements LoopTasks {
    @Override
    public void execute(Runnable task) {
      loop.execute(task);
    }

    @Override
    public void schedule(Runnable task, long nanos) {
      loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }
  }
}
