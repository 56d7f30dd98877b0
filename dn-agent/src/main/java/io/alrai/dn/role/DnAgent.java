package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Credentials;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.backend.PooledDnLink;
import io.alrai.dn.binlog.MysqldLog;
import io.alrai.dn.clock.PersistentClock;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.mysqld.SupervisorBounds;
import io.alrai.dn.ship.Feed;
import io.alrai.dn.ship.FeedBounds;
import io.alrai.dn.xa.Resolver;
import io.alrai.dn.xa.XaParticipant;
import io.alrai.dn.xa.XaTimes;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One DN at work: its mysqld under supervision, its clock, the link to it, its part in commits and
 * their recovery. Started and closed by any one thread; blocking.
 */
public final class DnAgent implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DnAgent.class);

  private final DnId dn;
  private final MysqldSupervisor supervisor;
  private final Stream stream;
  private final PersistentClock clock;
  private final MysqldConnector connector;
  private final PooledDnLink link;
  private final XaParticipant participant;
  private final Resolver resolver;

  private record Stream(DnStream received, Feed feed, BinlogPurge purge) {}

  private DnAgent(
      DnId dn,
      MysqldSupervisor supervisor,
      Stream stream,
      PersistentClock clock,
      MysqldConnector connector,
      PooledDnLink link,
      XaParticipant participant,
      Resolver resolver) {
    this.dn = dn;
    this.supervisor = supervisor;
    this.stream = stream;
    this.clock = clock;
    this.connector = connector;
    this.link = link;
    this.participant = participant;
    this.resolver = resolver;
  }

  /**
   * Starts the mysqld and all around it; returns when it serves.
   *
   * @param instance its mysqld, {@link io.alrai.dn.mysqld.MysqldConfig#withSemiSync}
   * @param loops event loops of its connections
   * @param participants the participants of all DNs, asked by the resolver
   * @param clock the clock of this process
   * @param wallMillis the wall time that it uses
   */
  public static DnAgent start(
      DnId dn,
      MysqldInstance instance,
      List<EventLoop> loops,
      PoolLimits limits,
      Function<DnId, CommitParticipant> participants,
      HybridLogicalClock clock,
      LongSupplier wallMillis) {
    if (!instance.config().semiSync()) {
      throw new IllegalArgumentException(instance + " is not set up for the stream");
    }
    Credentials data = new Credentials(MysqldInstance.AGENT_ACCOUNT, instance.password());
    Credentials shadow = new Credentials(MysqldInstance.META_ACCOUNT, instance.password());
    MysqldConnector connector =
        new MysqldConnector(
            dn, instance.socketPath(), account -> account == BackendAccount.SHADOW ? shadow : data);
    Feed feed = new Feed(FeedBounds.standard(), new MysqldLog(connector, loops.getFirst()));
    DnStream stream = DnStream.open(dn, instance, connector, new AckAtOnce(feed));
    MysqldSupervisor supervisor =
        new MysqldSupervisor(
            instance, MysqldListener.none(), stream.attendant(), SupervisorBounds.standard());
    boolean started = false;
    try {
      supervisor.start();
      PersistentClock kept = openClock(instance, clock, wallMillis);
      XaTimes times = XaTimes.defaults();
      XaParticipant[] made = new XaParticipant[1];
      PooledDnLink link =
          new PooledDnLink(
              dn, connector, limits, self -> made[0] = new XaParticipant(self, loops, kept, times));
      Resolver resolver = new Resolver(made[0], participants, times);
      resolver.start();
      log.info("{} serves: mysqld {} on {}", dn, supervisor.pid(), supervisor.socketPath());
      started = true;
      BinlogPurge purge = new BinlogPurge(dn, feed, connector, loops.getFirst());
      Stream shipped = new Stream(stream, feed, purge);
      return new DnAgent(dn, supervisor, shipped, kept, connector, link, made[0], resolver);
    } finally {
      if (!started) {
        supervisor.stop();
        stream.close();
      }
    }
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

  /** Its name. */
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

  /** Every transaction that becomes visible there, for who wants to follow. */
  public Feed feed() {
    return stream.feed;
  }

  /** Deletes what nobody wants of the binary log, as is done every few seconds: for tests. */
  CompletableFuture<Void> purgeLog() {
    return stream.purge.purge();
  }

  /** Its clock. */
  public PersistentClock clock() {
    return clock;
  }

  /** Ends its work in order, the mysqld last. */
  @Override
  public void close() {
    stream.purge.close();
    resolver.close();
    participant.close();
    link.close();
    supervisor.stop();
    stream.received.close();
    try {
      clock.close();
    } catch (IOException e) {
      log.warn("{}: the clock's mark was not closed", dn, e);
    }
  }
}
