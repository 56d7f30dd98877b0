package io.alrai.dn.role;

import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.watch.Disk;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What a member finds in its process.
 *
 * @param loops event loops of its connections; one of them is the gate's
 * @param clock the clock of this process
 * @param wallMillis the wall time that it uses
 * @param nanos monotonic time, as {@link System#nanoTime}
 * @param metrics of this process
 * @param disk that it writes to
 */
public record MemberContext(
    List<EventLoop> loops,
    HybridLogicalClock clock,
    LongSupplier wallMillis,
    LongSupplier nanos,
    Metrics metrics,
    Disk disk) {
  public MemberContext {
    loops = List.copyOf(loops);
  }

  /** On the machine's disk. */
  public MemberContext(
      List<EventLoop> loops,
      HybridLogicalClock clock,
      LongSupplier wallMillis,
      LongSupplier nanos,
      Metrics metrics) {
    this(loops, clock, wallMillis, nanos, metrics, Disk.REAL);
  }
}
