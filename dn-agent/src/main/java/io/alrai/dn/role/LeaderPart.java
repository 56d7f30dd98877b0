package io.alrai.dn.role;

import io.alrai.dn.backend.LeaderConnector;
import io.alrai.dn.backend.PooledDnLink;
import io.alrai.dn.binlog.MysqldLog;
import io.alrai.dn.gate.live.GateCounts;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.gate.live.LiveGate.GateContext;
import io.alrai.dn.xa.CommitWatch;
import io.alrai.dn.xa.DecisionLog;
import io.alrai.dn.xa.Resolver;
import io.alrai.dn.xa.XaParticipant;
import io.alrai.dn.xa.XaTimes;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What an agent does for as long as it leads: lets commits through its gate, serves branches, takes
 * part in commits and recovers them, purges the log. Nothing of it is left when it is closed, and
 * another one may be opened on the same {@link Member}. Opened and closed by any one thread but an
 * event loop's; blocking.
 *
 * <pre>
 *  open -> LEADS -> rest -> RESTS (commits that are at work still pass) -> close -> CLOSED
 *            \------------------------- close: at once --------------------------^
 * </pre>
 */
final class LeaderPart implements AutoCloseable {
  /** The looks and writes under way when it is closed; without their connections they end. */
  private static final Duration END_BOUND = Duration.ofSeconds(10);

  private static final long COMMITS_LOOK_SECONDS = 1;
  private static final long PURGE_LOOK_SECONDS = 10;

  private final Member member;
  private final LiveGate gate;
  private final LeaderConnector connector;
  private final LeaderStream stream;
  private final PooledDnLink link;
  private final XaParticipant participant;
  private final CommitWatch commits;
  private final BinlogPurge purge;
  private final Resolver resolver;
  private final List<Future<?>> looks = new CopyOnWriteArrayList<>();

  /** Nothing of it is at work until {@link #begin}. */
  private LeaderPart(Member member, LeaderContext context) {
    this.member = member;
    List<EventLoop> loops = member.context().loops();
    EventLoop loop = member.loop();
    this.gate =
        new LiveGate(
            member.dn(),
            loop,
            new GateContext(
                member.clock(),
                member.connector()::dependencyOf,
                context.participants(),
                new FeedPublisher(member.feed()),
                member::killMysqld,
                GateCounts.of(member.context().metrics(), member.dn()),
                context.log().commits()));
    this.connector = new LeaderConnector(member.connector(), gate, loop);
    XaTimes times = XaTimes.defaults();
    XaParticipant[] made = new XaParticipant[1];
    this.link =
        new PooledDnLink(
            member.dn(),
            connector,
            context.limits(),
            gate,
            gate,
            self ->
                made[0] =
                    new XaParticipant(
                        self,
                        loops,
                        member.clock(),
                        gate,
                        times,
                        context.pulse(),
                        context
                            .log()
                            .decisions()
                            .orElseGet(() ->
                                DecisionLog.of(
                                    new MysqldLog(connector, loop), member.file("settled"))),
                        member.context().nanos()));
    this.participant = made[0];
    this.commits = new CommitWatch(participant, member.context().nanos());
    this.stream =
        new LeaderStream(
            member.dn(),
            connector,
            loop,
            context.log().longOnes(),
            gate,
            member.mark(),
            member::killMysqld);
    this.purge =
        new BinlogPurge(member.dn(), member.feed(), participant::neededFile, connector, loop);
    this.resolver =
        new Resolver(participant, context.participants(), times, member.context().nanos());
  }

  private void begin() {
    participant.start();
    // on another loop than the gate's, which may be what stands still
    look(member.loop(1), commits::look, COMMITS_LOOK_SECONDS);
    look(member.loop(), purge::look, PURGE_LOOK_SECONDS);
  }

  private void look(EventLoop on, Runnable look, long seconds) {
    looks.add(on.scheduleWithFixedDelay(look, seconds, seconds, TimeUnit.SECONDS));
  }

  /**
   * Leads from now on; a mysqld that runs is attached when this returns, one that does not run from
   * its next start on.
   *
   * @throws IllegalStateException when somebody leads the member already
   * @throws io.alrai.dn.mysqld.MysqldException when the mysqld ends meanwhile
   */
  static LeaderPart open(Member member, LeaderContext context) {
    LeaderPart opened = new LeaderPart(member, context);
    boolean leads = false;
    try {
      opened.begin();
      member.lead(opened, opened.stream);
      opened.resolver.start();
      leads = true;
      return opened;
    } finally {
      if (!leads) {
        opened.close();
      }
    }
  }

  LiveGate gate() {
    return gate;
  }

  PooledDnLink link() {
    return link;
  }

  /** Opens connections that end with this. */
  LeaderConnector connector() {
    return connector;
  }

  XaParticipant participant() {
    return participant;
  }

  /** Whether commits stand still. */
  CommitWatch commits() {
    return commits;
  }

  /** Deletes what nobody wants of the binary log. */
  CompletableFuture<Void> purgeLog() {
    return purge.purge();
  }

  /**
   * Begins nothing more, and ends its own connections. What others have at work goes on, and its
   * commits are let through: so the mysqld can be drained.
   */
  void rest() {
    looks.forEach(look -> look.cancel(false));
    resolver.close();
    participant.close();
    link.close();
  }

  /**
   * Leads no more, at once: commits that are not let through wait at the mysqld, all connections
   * end, and with them what is not prepared.
   */
  @Override
  public void close() {
    rest();
    member.leave(this, stream);
    connector.close();
    resolver.awaitEnd(END_BOUND);
    participant.awaitEnd(END_BOUND);
  }
}
