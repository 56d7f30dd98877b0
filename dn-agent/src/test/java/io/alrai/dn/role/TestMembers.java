package io.alrai.dn.role;

import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.mysqld.TestAccounts;
import io.alrai.dn.watch.Disk;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What members of tests are made of. */
final class TestMembers {
  private TestMembers() {}

  /**
   * A small mysqld that does not run yet.
   *
   * @param kind {@link MysqldConfig#withSemiSync} or {@link MysqldConfig#withGroup}
   */
  static MysqldInstance mysqld(Path directory, int serverId, UnaryOperator<MysqldConfig> kind) {
    return MysqldInstance.create(
        TestAccounts.template(InstallProgress.silent()),
        kind.apply(
            MysqldConfig.of(directory, serverId)
                .withMemory(new MysqldMemory(64L << 20, 64L << 20, 60))));
  }

  /** With the system's time. */
  static MemberContext context(EventLoopGroup loops, Metrics metrics) {
    return context(loops, metrics, Disk.REAL);
  }

  static MemberContext context(EventLoopGroup loops, Metrics metrics, Disk disk) {
    List<EventLoop> all = new ArrayList<>();
    loops.forEach(loop -> all.add((EventLoop) loop));
    return new MemberContext(
        all,
        new HybridLogicalClock(System::currentTimeMillis),
        System::currentTimeMillis,
        System::nanoTime,
        metrics,
        disk);
  }
}
