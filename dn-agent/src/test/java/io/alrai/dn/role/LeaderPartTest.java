package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlVersion;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a leader leaves on its loops; no mysqld answers here. */
class LeaderPartTest {
  private static final DnId DN = new DnId("dn-1");

  @TempDir Path directory;
  private final List<Future<?>> repeated = new CopyOnWriteArrayList<>();
  private final List<ObservedLoop> loops = List.of(new ObservedLoop(), new ObservedLoop());
  private Member member;

  /** Remembers what is repeated on it, or refuses to repeat anything. */
  private final class ObservedLoop extends DefaultEventLoop {
    private volatile boolean refuses;

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable task, long initialDelay, long delay, TimeUnit unit) {
      if (refuses) {
        throw new RejectedExecutionException("this loop ends");
      }
      ScheduledFuture<?> scheduled = super.scheduleWithFixedDelay(task, initialDelay, delay, unit);
      repeated.add(scheduled);
      return scheduled;
    }
  }

  @BeforeEach
  void openMember() throws Exception {
    Path data = directory.resolve("dn-1").resolve("data");
    Files.createDirectories(data);
    Files.writeString(data.resolve("auto.cnf"), "[auto]\nserver-uuid=" + new UUID(3, 4) + "\n");
    MysqlInstallation none =
        new MysqlInstallation(Path.of("/none"), Optional.empty(), MysqlVersion.OLDEST, false);
    member =
        Member.open(
            DN,
            MysqldInstance.create(
                new DataDirectoryTemplate(none, directory, InstallProgress.silent()),
                MysqldConfig.of(directory.resolve("dn-1"), 1).withSemiSync()),
            new MemberContext(
                List.copyOf(loops),
                new HybridLogicalClock(System::currentTimeMillis),
                System::currentTimeMillis,
                System::nanoTime,
                new Metrics()));
  }

  @AfterEach
  void close() throws Exception {
    member.close();
    for (ObservedLoop loop : loops) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(20, TimeUnit.SECONDS);
    }
  }

  private LeaderPart open() {
    return LeaderPart.open(
        member,
        new LeaderContext(
            new PoolLimits(20, 4, Duration.ofSeconds(10).toNanos()),
            dn -> {
              throw new AssertionError("nobody is asked");
            },
            CoordinatorPulse.OF_THIS_PROCESS));
  }

  private boolean nothingIsRepeated() {
    return repeated.stream().allMatch(Future::isCancelled);
  }

  @Test
  void nothingIsRepeatedAfterTheEnd() {
    LeaderPart leader = open();
    assertFalse(nothingIsRepeated());
    leader.close();
    assertTrue(nothingIsRepeated());
  }

  @Test
  void oneThatCannotBeginLeavesNothing() {
    for (ObservedLoop refusing : loops) {
      refusing.refuses = true;
      assertThrows(RejectedExecutionException.class, this::open);
      refusing.refuses = false;
    }
    assertFalse(repeated.isEmpty(), "something had begun");
    assertTrue(nothingIsRepeated());
    open().close(); // nobody leads the member
  }

  @Test
  void aSecondOneLeavesTheFirstAtWork() {
    LeaderPart first = open();
    List<Future<?>> ofFirst = List.copyOf(repeated);
    assertThrows(IllegalStateException.class, this::open);
    assertTrue(ofFirst.stream().noneMatch(Future::isCancelled));
    assertTrue(repeated.stream().filter(one -> !ofFirst.contains(one)).allMatch(Future::isDone));
    first.close();
  }
}
