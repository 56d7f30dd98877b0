package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.dn.binlog.AckedMark;
import io.alrai.dn.binlog.Acks;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.CommitGate;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LongEvents;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlVersion;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.netty.channel.DefaultEventLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leaders come and go while the supervisor's thread is at work; no mysqld answers here. */
class MemberAttendantTest {
  private static final DnId DN = new DnId("dn-1");
  private static final int BOUND_SECONDS = 20;

  private static final CommitGate GATE =
      new CommitGate() {
        @Override
        public void attached(Acks acks, GtidSet visible, BinlogPosition start) {}

        @Override
        public void received(BinlogTransaction transaction) {}

        @Override
        public void detached() {}
      };

  @TempDir Path directory;
  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final CountDownLatch connects = new CountDownLatch(1);
  private AckedMark mark;
  private MysqldInstance instance;

  @BeforeEach
  void open() throws Exception {
    Path data = directory.resolve("dn-1").resolve("data");
    Files.createDirectories(data);
    Files.writeString(data.resolve("auto.cnf"), "[auto]\nserver-uuid=" + new UUID(3, 4) + "\n");
    MysqlInstallation none =
        new MysqlInstallation(Path.of("/none"), Optional.empty(), MysqlVersion.OLDEST, false);
    instance =
        MysqldInstance.create(
            new DataDirectoryTemplate(none, directory, InstallProgress.silent()),
            MysqldConfig.of(directory.resolve("dn-1"), 1).withSemiSync());
    mark = AckedMark.open(directory.resolve("acked"));
  }

  @AfterEach
  void close() throws Exception {
    mark.close();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void aStartGoesOnWhenItsLeaderLeaves() throws Exception {
    MemberAttendant attendant = new MemberAttendant(DN, mark);
    LeaderStream stream =
        new LeaderStream(
            DN,
            (on, account, home, taker) -> connects.countDown(),
            loop,
            LongEvents.NONE,
            GATE,
            mark,
            () -> {});
    attendant.lead(instance, stream);
    FutureTask<Void> starting =
        new FutureTask<>(() -> {
          attendant.attach(instance, () -> true);
          return null;
        });
    Thread.ofVirtual().start(starting);
    assertTrue(connects.await(BOUND_SECONDS, TimeUnit.SECONDS));

    attendant.leave(stream);
    assertNull(starting.get(BOUND_SECONDS, TimeUnit.SECONDS), "it runs, and nobody leads");
  }
}
