package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Credentials;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.backend.OpenAtOnce;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.backend.PooledDnLink;
import io.alrai.dn.binlog.MysqldLog;
import io.alrai.dn.clock.PersistentClock;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.mysqld.MysqldAttendant;
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
import java.util.Optional;
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
  private final Optional<Stream> stream;
  private final PersistentClock clock;
  private final MysqldConnector connector;
  private final PooledDnLink link;
  private final XaParticipant participant;
  private final Resolver resolver;

  /** What follows the mysqld's log, where its commits wait for that. */
  private record Stream(DnStream received, Feed feed, BinlogPurge purge) {
    void end() {
      purge.close();
    }
  }

  private DnAgent(
      DnId dn,
      MysqldSupervisor supervisor,
      Optional<Stream> stream,
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
   * @param instance its mysqld; if {@link io.alrai.dn.mysqld.MysqldConfig#withSemiSync}, its
   *     commits become visible only when this agent has received them
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
    Credentials data = new Credentials(MysqldInstance.AGENT_ACCOUNT, instance.password());
    Credentials shadow = new Credentials(MysqldInstance.META_ACCOUNT, instance.password());
    MysqldConnector connector =
        new MysqldConnector(
            dn, instance.socketPath(), account -> account == BackendAccount.SHADOW ? shadow : data);
    Optional<Stream> stream =
        instance.config().semiSync()
            ? Optional.of(openStream(dn, instance, connector, loops.getFirst()))
            : Optional.empty();
    if (stream.isEmpty()) {
      DnStream.forgetMark(instance);
    }
    MysqldSupervisor supervisor =
        new MysqldSupervisor(
            instance,
            MysqldListener.none(),
            stream.map(s -> s.received.attendant()).orElseGet(MysqldAttendant::none),
            SupervisorBounds.standard());
    boolean started = false;
    try {
      supervisor.start();
      PersistentClock kept = openClock(instance, clock, wallMillis);
      XaTimes times = XaTimes.defaults();
      XaParticipant[] made = new XaParticipant[1];
      PooledDnLink link =
          new PooledDnLink(
              dn,
              connector,
              limits,
              new OpenAtOnce(),
              self -> made[0] = new XaParticipant(self, loops, kept, times));
      Resolver resolver = new Resolver(made[0], participants, times);
      resolver.start();
      log.info("{} serves: mysqld {} on {}", dn, supervisor.pid(), supervisor.socketPath());
      started = true;
      return new DnAgent(dn, supervisor, stream, kept, connector, link, made[0], resolver);
    } finally {
      if (!started) {
        stream.ifPresent(Stream::end);
        supervisor.stop();
        stream.ifPresent(s -> s.received.close());
      }
    }
  }

  private static Stream openStream(
      DnId dn, MysqldInstance instance, MysqldConnector connector, EventLoop loop) {
    Feed feed = new Feed(FeedBounds.standard(), new MysqldLog(connector, loop));
    DnStream received = DnStream.open(dn, instance, connector, new AckAtOnce(feed));
    return new Stream(received, feed, new BinlogPurge(dn, feed, connector, loop));
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

  /** Every transaction that becomes visible there, for who wants to follow; with a stream only. */
  public Feed feed() {
    return stream.orElseThrow().feed;
  }

  /** Deletes what nobody wants of the binary log, as is done every few seconds: for tests. */
  CompletableFuture<Void> purgeLog() {
    return stream.orElseThrow().purge.purge();
  }

  /** Its clock. */
  public PersistentClock clock() {
    return clock;
  }

  /** Ends its work in order, the mysqld last. */
  @Override
  public void close() {
    stream.ifPresent(Stream::end);
    resolver.close();
    participant.close();
    link.close();
    supervisor.stop();
    stream.ifPresent(s -> s.received.close());
    try {
      clock.close();
    } catch (IOException e) {
      log.warn("{}: the clock's mark was not closed", dn, e);
    }
  }
}
