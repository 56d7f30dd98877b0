package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Credentials;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.backend.PooledDnLink;
import io.alrai.dn.binlog.MysqldLog;
import io.alrai.dn.clock.PersistentClock;
import io.alrai.dn.gate.Gate;
import io.alrai.dn.gate.live.GateCounts;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.gate.live.LiveGate.GateSurroundings;
import io.alrai.dn.gate.live.Resolved;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.mysqld.SupervisorBounds;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.Feed;
import io.alrai.dn.ship.FeedBounds;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.xa.CommitWatch;
import io.alrai.dn.xa.Resolver;
import io.alrai.dn.xa.XaParticipant;
import io.alrai.dn.xa.XaTimes;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One DN at work: its mysqld under supervision, its clock, the link to it, its part in commits and
 * their recovery. Started and closed by any one thread; blocking.
 */
public final class DnAgent implements DnLog, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DnAgent.class);

  private final DnId dn;
  private final MysqldSupervisor supervisor;
  private final DnStream stream;
  private final Feed feed;
  private final LiveGate gate;
  private final BinlogPurge purge;
  private final PersistentClock clock;
  private final MysqldConnector connector;
  private final PooledDnLink link;
  private final XaParticipant participant;
  private final Resolver resolver;
  private final Future<?> watching;

  /**
   * What an agent finds in its process.
   *
   * @param loops event loops of its connections; one of them is the gate's
   * @param limits of its connections
   * @param participants the participants of all DNs, asked by the gate and the resolver
   * @param clock the clock of this process
   * @param wallMillis the wall time that it uses
   * @param pulse of the CNs
   * @param metrics of this process
   */
  public record Surroundings(
      List<EventLoop> loops,
      PoolLimits limits,
      Function<DnId, CommitParticipant> participants,
      HybridLogicalClock clock,
      LongSupplier wallMillis,
      CoordinatorPulse pulse,
      Metrics metrics) {
    public Surroundings {
      loops = List.copyOf(loops);
    }
  }

  private DnAgent(
      MysqldInstance instance,
      PersistentClock clock,
      MysqldConnector connector,
      Surroundings around) {
    this.dn = connector.dn();
    List<EventLoop> loops = around.loops();
    Function<DnId, CommitParticipant> participants = around.participants();
    Metrics metrics = around.metrics();
    this.clock = clock;
    this.connector = connector;
    EventLoop loop = loops.get(Math.floorMod(dn.hashCode(), loops.size()));
    MysqldLog mysqldLog = new MysqldLog(connector, loop);
    this.feed = new Feed(FeedBounds.standard(), mysqldLog);
    this.gate =
        new LiveGate(
            dn,
            loop,
            new GateSurroundings(
                clock,
                connector::dependencyOf,
                participants,
                new FedOn(feed),
                this::killMysqld,
                GateCounts.of(metrics, dn)));
    XaTimes times = XaTimes.defaults();
    XaParticipant[] made = new XaParticipant[1];
    this.link =
        new PooledDnLink(
            dn,
            connector,
            around.limits(),
            gate,
            gate,
            self ->
                made[0] =
                    new XaParticipant(
                        self,
                        loops,
                        clock,
                        gate,
                        times,
                        around.pulse(),
                        mysqldLog,
                        instance.dataDirectory().resolveSibling("settled")));
    this.participant = made[0];
    metrics.now(Metric.IN_DOUBT_BRANCHES, dn, () -> participant.inDoubt());
    metrics.now(Metric.IN_DOUBT_AGE, dn, () -> participant.inDoubtSeconds());
    CommitWatch commits = new CommitWatch(participant);
    metrics.now(Metric.COMMIT_STALL, dn, commits::seconds);
    // on another loop than the gate's, which may be what stands still
    this.watching =
        loops
            .get(Math.floorMod(dn.hashCode() + 1, loops.size()))
            .scheduleWithFixedDelay(commits::look, 1, 1, TimeUnit.SECONDS);
    connector.watchedBy(gate);
    connector.endsLeftStatements(metrics.adder(Metric.LEFT_STATEMENTS, dn));
    this.stream = DnStream.open(dn, instance, connector, gate, loop, this::killMysqld);
    this.supervisor =
        new MysqldSupervisor(
            instance, MysqldListener.none(), stream.attendant(), SupervisorBounds.standard());
    this.purge = new BinlogPurge(dn, feed, participant::neededFile, connector, loop);
    this.resolver = new Resolver(participant, participants, times);
  }

  /**
   * For a gate that is broken, and a mysqld that lets no stream in: it is started again, and what
   * was not let through is cut off.
   */
  private void killMysqld() {
    Thread.ofVirtual().start(supervisor::crash);
  }

  /**
   * Starts the mysqld and all around it; returns when it serves.
   *
   * @param instance its mysqld, with {@link io.alrai.dn.mysqld.MysqldConfig#withSemiSync}: its
   *     commits become visible only when this agent's gate lets them
   */
  public static DnAgent start(DnId dn, MysqldInstance instance, Surroundings around) {
    if (!instance.config().semiSync()) {
      throw new IllegalArgumentException(instance + " would commit without its gate");
    }
    MysqldConnector connector =
        new MysqldConnector(
            dn,
            instance.socketPath(),
            account -> new Credentials(user(account), instance.password()));
    PersistentClock kept = openClock(instance, around.clock(), around.wallMillis());
    DnAgent agent = new DnAgent(instance, kept, connector, around);
    boolean started = false;
    try {
      agent.supervisor.start();
      agent.resolver.start();
      log.info(
          "{} serves: mysqld {} on {}",
          dn,
          agent.supervisor.pid().orElse(0),
          agent.supervisor.socketPath());
      started = true;
      return agent;
    } finally {
      if (!started) {
        agent.close();
      }
    }
  }

  private static String user(BackendAccount account) {
    return switch (account) {
      case AGENT -> MysqldInstance.AGENT_ACCOUNT;
      case DDL -> MysqldInstance.DDL_ACCOUNT;
      case ADMIN -> MysqldInstance.ADMIN_ACCOUNT;
      case SHADOW -> MysqldInstance.META_ACCOUNT;
      case KILL -> MysqldInstance.KILL_ACCOUNT;
      case DATA, DATA_FOUND_ROWS, NAMED_LOCKS, TEMPORARY, TEMPORARY_FOUND_ROWS ->
          MysqldInstance.DATA_ACCOUNT;
    };
  }

  private static PersistentClock openClock(
      MysqldInstance instance, HybridLogicalClock clock, LongSupplier wallMillis) {
    try {
      return PersistentClock.open(
          instance.dataDirectory().resolveSibling("clock"), clock, wallMillis);
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the clock's mark cannot be kept: " + e.getMessage(),
          e);
    }
  }

  @Override
  public DnId dn() {
    return dn;
  }

  /** The way to it. */
  public DnLink link() {
    return link;
  }

  /** Opens connections to its mysqld. */
  public MysqldConnector connector() {
    return connector;
  }

  /** Its mysqld. */
  public MysqldSupervisor supervisor() {
    return supervisor;
  }

  /** Every transaction that becomes visible there, for those who follow. */
  public Feed feed() {
    return feed;
  }

  @Override
  public LogSubscription follow() {
    return feed.subscribe();
  }

  @Override
  public CompletableFuture<Resolved> resolve(HlcTimestamp wanted) {
    return gate.resolve(wanted);
  }

  @Override
  public CompletableFuture<Collection<TransactionId>> preparedBranches() {
    return gate.with(Gate::preparedBranches);
  }

  /** Deletes what nobody wants of the binary log, as is done every few seconds: for tests. */
  CompletableFuture<Void> purgeLog() {
    return purge.purge();
  }

  /** Its clock. */
  public PersistentClock clock() {
    return clock;
  }

  /** Ends its work in order, the mysqld last. */
  @Override
  public void close() {
    watching.cancel(false);
    purge.close();
    resolver.close();
    participant.close();
    link.close();
    supervisor.stop();
    stream.close();
    try {
      clock.close();
    } catch (IOException e) {
      log.warn("{}: the clock's mark was not closed", dn, e);
    }
  }
}
