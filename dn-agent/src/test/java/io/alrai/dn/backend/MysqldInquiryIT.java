package io.alrai.dn.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqldAttendant;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.mysqld.SupervisorBounds;
import io.alrai.dn.mysqld.TestAccounts;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a real server says of connections with a reply due, and of those that were closed so. */
@Timeout(120)
final class MysqldInquiryIT {
  private static final long NOBODYS = 4_000_000_000L;

  @TempDir Path temporary;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final EventLoop loop = loops.next();

  private static final PipelinedBranch.Home NOWHERE =
      new PipelinedBranch.Home() {
        @Override
        public void returned(PipelinedBranch branch) {
          branch.close();
        }

        @Override
        public void lost(PipelinedBranch branch) {}
      };

  private Branch open(MysqldConnector connector) {
    CompletableFuture<Branch> opened = new CompletableFuture<>();
    connector.open(
        loop,
        BackendAccount.DATA,
        NOWHERE,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            opened.complete(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            opened.completeExceptionally(reason);
          }
        });
    return opened.join();
  }

  private static void signal(MysqldSupervisor supervisor, String name) throws Exception {
    String pid = String.valueOf(supervisor.pid().orElseThrow());
    assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
  }

  @Test
  void whatItDoesForConnections() throws Exception {
    MysqldInstance instance =
        MysqldInstance.create(
            TestAccounts.template(InstallProgress.silent()),
            MysqldConfig.of(temporary.resolve("one"), 7)
                .withMemory(new MysqldMemory(64L << 20, 64L << 20, 50)));
    MysqldSupervisor supervisor =
        new MysqldSupervisor(
            instance, MysqldListener.none(), MysqldAttendant.none(), SupervisorBounds.standard());
    supervisor.start();
    try {
      MysqldConnector connector =
          new MysqldConnector(
              new DnId("dn-1"),
              instance.socketPath(),
              account ->
                  new Credentials(
                      switch (account) {
                        case AGENT -> MysqldInstance.AGENT_ACCOUNT;
                        case KILL -> MysqldInstance.KILL_ACCOUNT;
                        default -> MysqldInstance.DATA_ACCOUNT;
                      },
                      instance.password()));
      LongAdder ended = new LongAdder();
      connector.endsLeftStatements(ended);
      Branch idle = open(connector);
      Branch busy = open(connector);
      loop.execute(() -> Answer.of(busy, Sql.of("SELECT BENCHMARK(100000000000, SHA2('a', 512))")));
      List<Long> ids = List.of(idle.serverConnectionId(), busy.serverConnectionId(), NOBODYS);
      Inquiries inquiries = new Inquiries(loop, connector);
      assertEquals(Map.of(ids.get(0), "IDLE", ids.get(1), "AT_WORK"), awaitWork(inquiries, ids));
      signal(supervisor, "STOP");
      try {
        // it may answer once more before the signal takes effect
        while (inquiries.ask(ids).isPresent()) {
          Thread.onSpinWait();
        }
      } finally {
        signal(supervisor, "CONT");
      }
      loop.execute(busy::close);
      loop.execute(idle::close);
      // BENCHMARK would take hours
      while (!inquiries.ask(ids).equals(Optional.of(Map.of()))) {
        Thread.onSpinWait();
      }
      assertEquals(1, ended.sum());
    } finally {
      supervisor.stop();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  private static Map<Long, String> awaitWork(Inquiries inquiries, List<Long> ids) throws Exception {
    while (true) {
      Map<Long, String> seen = inquiries.ask(ids).orElseThrow();
      if (seen.containsValue("AT_WORK")) {
        return seen;
      }
    }
  }
}
