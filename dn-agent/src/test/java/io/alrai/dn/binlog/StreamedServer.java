package io.alrai.dn.binlog;

import io.alrai.common.id.DnId;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Credentials;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.backend.ServerConnections;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.mysqld.TestAccounts;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A real mysqld whose commits wait for a stream. */
final class StreamedServer {
  static final int KEPT_BYTES = 1 << 20;

  private static final Duration LOCKED_OUT = Duration.ofSeconds(3);

  /** Counted down when the stream wants its mysqld killed. */
  final CountDownLatch lockedOut = new CountDownLatch(1);

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final MysqldInstance instance;
  private final AckedMark mark;
  private final SemiSyncStream stream;
  private final MysqldConnector connector;
  private MysqldSupervisor supervisor;

  StreamedServer(Path directory, CommitGate gate) throws IOException {
    instance =
        MysqldInstance.create(
            TestAccounts.template(InstallProgress.silent()),
            MysqldConfig.of(directory, 7)
                .withMemory(new MysqldMemory(64L << 20, 64L << 20, 60))
                .withSemiSync());
    mark = AckedMark.open(directory.resolve("acked"));
    DnId dn = new DnId("dn-1");
    connector =
        new MysqldConnector(
            dn,
            instance.socketPath(),
            account ->
                new Credentials(
                    switch (account) {
                      case AGENT -> MysqldInstance.AGENT_ACCOUNT;
                      case DATA -> MysqldInstance.DATA_ACCOUNT;
                      default -> MysqldInstance.ADMIN_ACCOUNT;
                    },
                    instance.password()));

    stream =
        new SemiSyncStream(
            dn,
            connector,
            loops.next(),
            KEPT_BYTES,
            LongEvents.NONE,
            gate,
            mark,
            new WayOut(Duration.ofSeconds(2), LOCKED_OUT, lockedOut::countDown));
    supervisor = new MysqldSupervisor(instance, MysqldListener.none());
    supervisor.start();
  }

  SemiSyncStream stream() {
    return stream;
  }

  /** Reads its log. */
  MysqldLog log() {
    return new MysqldLog(connector, loops.next());
  }

  void attach() throws Exception {
    get(stream.attach(instance.serverUuid().orElseThrow()));
  }

  /** kill -9; gives how many bytes were cut off its log. */
  long killAndCut() throws Exception {
    supervisor.stopNow();
    get(stream.detach());
    return DirtyTail.cut(instance, mark);
  }

  void startAgain() {
    supervisor = new MysqldSupervisor(instance, MysqldListener.none());
    supervisor.start();
  }

  private ServerConnections connections() {
    return new ServerConnections(connector, loops);
  }

  /** A connection of its own. */
  Branch connect() throws Exception {
    return connect(BackendAccount.ADMIN);
  }

  /** A connection under an account. */
  Branch connect(BackendAccount account) throws Exception {
    return connections().connect(account);
  }

  /** A connection that may come later. */
  CompletableFuture<Branch> connecting() {
    return connections().connecting(BackendAccount.ADMIN);
  }

  /** Sends statements; the answer comes later. */
  static CompletableFuture<Answer> send(Branch branch, String sql) {
    return ServerConnections.send(branch, sql);
  }

  /** Runs statements on a connection of their own; gives their rows. */
  List<List<String>> query(String sql) throws Exception {
    return connections().query(sql);
  }

  /** The only field of the only row. */
  String value(String sql) throws Exception {
    return query(sql).getFirst().getFirst();
  }

  static <T> T get(CompletableFuture<T> future) throws Exception {
    return ServerConnections.get(future);
  }

  void close() throws Exception {
    supervisor.stopNow();
    get(stream.detach());
    mark.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(2_000);
  }
}
