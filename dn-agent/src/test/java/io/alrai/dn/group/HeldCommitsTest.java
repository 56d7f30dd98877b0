package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.gate.live.CommitLog;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeldCommitsTest {
  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final CommitBrake brake = new CommitBrake("a", () -> 1_000);
  private final LongAdder held = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final List<String> seen = new ArrayList<>();
  private final Group group = new Group();
  private final HeldCommits commits = new HeldCommits(group, loop.eventLoop(), brake, held, nanos);

  /** Has committed what the test says. */
  private static final class Group implements CommitLog {
    private @Nullable Written to;

    void has(long offset) {
      Written now = to;
      if (now != null) {
        now.durable(new BinlogPosition("binlog.000001", offset));
      }
    }

    void hasStamps(long number) {
      Written now = to;
      if (now != null) {
        now.stamps(number);
      }
    }

    @Override
    public boolean ownLog() {
      return false;
    }

    @Override
    public void begins(Written told) {
      to = told;
    }

    @Override
    public void append(BinlogTransaction transaction, HlcTimestamp stamp) {}

    @Override
    public void restamped(long number, List<Restamp> stamps) {}

    @Override
    public void ends() {
      to = null;
    }
  }

  HeldCommitsTest() {
    loop.freezeTime();
    commits.begins(
        new CommitLog.Written() {
          @Override
          public void durable(BinlogPosition through) {
            seen.add("durable " + through.offset());
          }

          @Override
          public void stamps(long number) {
            seen.add("stamps " + number);
          }
        });
  }

  private void brakeTo(long millis) {
    brake.look(Map.of("b", 0L));
    while (brake.millis() < millis) {
      brake.look(Map.of("b", 2_000L));
    }
  }

  private void pass(long millis) {
    loop.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    loop.runScheduledPendingTasks();
  }

  @Test
  void withoutABrakeTheyPassAtOnce() {
    group.has(1);
    group.hasStamps(7);
    assertEquals(List.of("durable 1", "stamps 7"), seen);
    assertEquals(0, held.sum());
  }

  @Test
  void theyWaitAndKeepTheirOrder() {
    brakeTo(8);
    group.has(1);
    pass(5);
    group.has(2);
    assertEquals(List.of(), seen);
    pass(3);
    assertEquals(List.of("durable 1"), seen);
    brake.release();
    group.has(3); // does not overtake
    assertEquals(List.of("durable 1"), seen);
    pass(5);
    assertEquals(List.of("durable 1", "durable 2", "durable 3"), seen);
    group.has(4);
    assertEquals("durable 4", seen.getLast());
    assertEquals(3, held.sum());
    assertEquals(TimeUnit.MILLISECONDS.toNanos(8 + 8 + 5), nanos.sum());
  }

  @Test
  void afterTheLifeNothingPasses() {
    brakeTo(4);
    group.has(1);
    commits.ends();
    pass(10);
    assertEquals(List.of(), seen);
  }
}
