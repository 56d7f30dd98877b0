package io.alrai.cn.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.ask.ClusterAsk;
import io.alrai.cn.pressure.Pressure;
import io.alrai.cn.session.FixedSession;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.session.SessionWork;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.settings.UseCounts;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.id.NodeId;
import io.alrai.gms.client.LocalGms;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class DrainTest {
  private final List<String> events = new ArrayList<>();
  private final SessionRegistry sessions =
      new SessionRegistry(
          1,
          new UseCounts(() -> 0),
          new ClusterAsk(
              new NodeId("cn-1"), new LocalGms()::catalog, () -> 0, () -> 0, new LongAdder()),
          new Pressure(new LongAdder(), () -> 0));

  /** One in a transaction, which ends as soon as the session knows that its CN ends. */
  private final class Busy implements SessionRegistry.Entry {
    private final Session session =
        FixedSession.of(new FakeDns(new EmbeddedChannel().eventLoop()), new SettingsRegistry());
    private final String name;
    private final Runnable onTold;

    Busy(String name, Runnable onTold) {
      this.name = name;
      this.onTold = onTold;
    }

    @Override
    public Session session() {
      return session;
    }

    @Override
    public void endAfterTransaction() {
      events.add(name + " told");
      sessions.remove(session.client().connectionId());
      onTold.run();
    }

    @Override
    public void endQuiet() {
      events.add(name + " asked");
    }

    @Override
    public CompletableFuture<SessionWork> work() {
      throw new AssertionError();
    }

    @Override
    public int commands() {
      return 0;
    }

    @Override
    public boolean atWork() {
      return true;
    }

    @Override
    public void endIdle() {}

    @Override
    public void killQuery() {}

    @Override
    public void killConnection() {}
  }

  private void drain() {
    AtomicLong seconds = new AtomicLong();
    new Drain(
            () -> events.add("listens no more"),
            sessions,
            new DrainBounds(0, 60),
            () -> TimeUnit.SECONDS.toNanos(seconds.getAndIncrement()))
        .close();
  }

  @Test
  void whoLogsInWhileItEndsIsToldToo() {
    Busy late = new Busy("late", () -> {});
    sessions.add(new Busy("first", () -> sessions.add(late)));
    drain();
    assertEquals(List.of("listens no more", "first told", "late asked", "late told"), events);
  }
}
