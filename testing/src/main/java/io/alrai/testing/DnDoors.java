package io.alrai.testing;

import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Credentials;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.backend.PooledDnLink;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.live.GateCounts;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.gate.live.LiveGate.GateContext;
import io.alrai.dn.gate.live.OwnLog;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.xa.DecisionLog;
import io.alrai.dn.xa.XaParticipant;
import io.alrai.dn.xa.XaTimes;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Straight ways to the mysqlds of a cluster in another process, past all that is Alrai. */
public final class DnDoors implements AutoCloseable {
  private static final LiveGate.Passed NOTHING =
      new LiveGate.Passed() {
        @Override
        public void begin(GtidSet visible, BinlogPosition start) {}

        @Override
        public void passed(BinlogTransaction transaction, HlcTimestamp stamp) {}

        @Override
        public GtidSet visible() {
          return new GtidSet();
        }
      };

  private static final long HOLD_SECONDS = 30;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final DnLinks links = new DnLinks();
  private final ShardQueries queries;

  /** Doors to the mysqlds in {@code directory/NAME}. */
  public DnDoors(Path directory, List<String> names) {
    EventLoop loop = loops.next();
    for (String name : names) {
      DnId dn = new DnId(name);
      MysqldConnector connector =
          new MysqldConnector(
              dn,
              directory.resolve(name).resolve("mysqld.sock"),
              account ->
                  new Credentials(
                      switch (account) {
                        case DDL -> MysqldInstance.DDL_ACCOUNT;
                        case KILL -> MysqldInstance.KILL_ACCOUNT;
                        case ADMIN -> MysqldInstance.ADMIN_ACCOUNT;
                        default -> MysqldInstance.DATA_ACCOUNT;
                      },
                      password(directory.resolve(name))));
      NodeClock clock = NodeClock.inMemory(new HybridLogicalClock(System::currentTimeMillis, 500));
      LiveGate nobodys =
          new LiveGate(
              dn,
              loop,
              new GateContext(
                  clock,
                  id -> 0,
                  other -> {
                    throw new IllegalStateException("nothing is committed through a door");
                  },
                  NOTHING,
                  () -> {},
                  GateCounts.of(new Metrics(), dn),
                  new OwnLog()));
      links.put(
          new PooledDnLink(
              dn,
              connector,
              new PoolLimits(4, 4, TimeUnit.SECONDS.toNanos(10)),
              nobodys,
              nobodys,
              link ->
                  new XaParticipant(
                      link,
                      List.of(loop),
                      clock,
                      nobodys,
                      XaTimes.defaults(),
                      CoordinatorPulse.OF_THIS_PROCESS,
                      DecisionLog.of(
                          (from, bound) -> {
                            throw new IllegalStateException("nothing is decided through a door");
                          },
                          directory.resolve(name).resolve("no-mark")),
                      System::nanoTime)));
    }
    queries = new ShardQueries(links, loop, new SettingsRegistry().defaults());
  }

  private static String password(Path instance) {
    try {
      return Files.readString(instance.resolve("agent.password")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rows of a query on one mysqld. */
  public List<List<String>> query(String dn, String sql) {
    try (ShardCall call = queries.start(new DnId(dn), account(sql), "", Sql.client(sql))) {
      return List.copyOf(ShardQueries.rows(call));
    }
  }

  /** The account that may do it. */
  private static BackendAccount account(String sql) {
    if (sql.matches("(?s)(CREATE|DROP|ALTER|GRANT|REVOKE) .*")) {
      return BackendAccount.DDL;
    }
    if (sql.startsWith("SET GLOBAL ") || sql.equals("SHOW FULL PROCESSLIST")) {
      return BackendAccount.ADMIN;
    }
    return sql.startsWith("KILL ") ? BackendAccount.KILL : BackendAccount.DATA;
  }

  /** Prepared transactions of all mysqlds, each with its DN. */
  public List<String> prepared() {
    return links.dns().stream()
        .flatMap(dn ->
            queries.query(dn, "", Sql.of("XA RECOVER CONVERT XID")).stream()
                .map(row -> dn + " " + row))
        .toList();
  }

  /** A connection to a mysqld that keeps what was run on it, such as locks. */
  public record Held(Branch branch) implements AutoCloseable {
    /** Ends the connection, and with it what it keeps; the second time nothing. */
    public void release() {
      branch.eventLoop().execute(branch::close);
    }

    @Override
    public void close() {
      release();
    }
  }

  /** Runs statements on a connection of their own. */
  public Held hold(String dn, String sql) {
    CompletableFuture<Held> held = new CompletableFuture<>();
    queries.take(
        new DnId(dn),
        account(sql),
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            Answer.ofText(branch, Sql.client(sql))
                .whenComplete((done, error) -> {
                  if (error == null) {
                    held.complete(new Held(branch));
                  } else {
                    branch.close();
                    held.completeExceptionally(error);
                  }
                });
          }

          @Override
          public void refused(AlraiException reason) {
            held.completeExceptionally(reason);
          }
        });
    return held.orTimeout(HOLD_SECONDS, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    links.all().forEach(DnLink::close);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
