package io.alrai.microbench;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The hybrid logical clock of a node. */
@State(Scope.Thread)
public class ClockBench {
  private final HybridLogicalClock clock = new HybridLogicalClock(System::currentTimeMillis);

  /** A new timestamp; with the time of the system. */
  @Benchmark
  public HlcTimestamp advance() {
    return clock.advance();
  }
}
