package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Latency;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.ask.AskLine;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.backend.PooledDnLink;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.group.VoterLogs;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.Donors;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.Unfit;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.xa.XaTimes;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A DN behind an agent in another process: branches by connections of the envelope, pooled as those
 * to a mysqld are, and opened when they are needed; one for calls is open from the start. They
 * follow the DN's leader. Thread-safe.
 */
public final class RemoteDnLink implements DnLink {
  private static final long ASK_MILLIS = 5_000;

  /** Longer than a member needs that is alive. */
  private static final long VIEW_MILLIS = 1_500;

  private final AgentConnector connector;
  private final PooledDnLink branches;
  private final RemoteReplies rows;
  private final ReplicaConnector followers;
  private final FollowerDelays delays;
  private final PooledDnLink replicas;
  private final ControlConnection control;
  private final RemoteParticipant participant;
  private final RemoteLog log;
  private final RemoteMembers members;
  private final RemoteVoterLogs voterLogs;
  private final AgentPulse pulse;

  /**
   * A link.
   *
   * @param members of the DN; asked for each new connection
   * @param self this node's name
   * @param clock this node's; it follows the agent's and is followed by it
   * @param loops epoll loops
   * @param onSilence counts how often the agent was given up as it did not answer
   */
  public RemoteDnLink(
      DnId dn,
      Supplier<KnownMembers> members,
      ClusterSecret secret,
      NodeId self,
      NodeClock clock,
      EventLoopGroup loops,
      PoolLimits limits,
      Runnable onSilence) {
    this(dn, members, secret, self, clock, loops, limits, onSilence, ASK_MILLIS);
  }

  /** With another bound for questions and for the opening of a view. */
  RemoteDnLink(
      DnId dn,
      Supplier<KnownMembers> members,
      ClusterSecret secret,
      NodeId self,
      NodeClock clock,
      EventLoopGroup loops,
      PoolLimits limits,
      long askMillis) {
    this(dn, members, secret, self, clock, loops, limits, () -> {}, askMillis);
  }

  private RemoteDnLink(
      DnId dn,
      Supplier<KnownMembers> members,
      ClusterSecret secret,
      NodeId self,
      NodeClock clock,
      EventLoopGroup loops,
      PoolLimits limits,
      Runnable onSilence,
      long askMillis) {
    LeaderSeeker seeker =
        new LeaderSeeker(dn, members, limits.failoverWait(), Duration.ofNanos(limits.waitNanos()));
    this.connector = new AgentConnector(seeker, dn, secret, self, clock);
    this.control = new ControlConnection(connector, loops.next());
    this.participant = new RemoteParticipant(dn, connector, control, XaTimes.defaults(), askMillis);
    this.members = new RemoteMembers(dn, members, connector, loops);
    this.delays = new FollowerDelays(this.members, System::nanoTime);
    this.voterLogs = new RemoteVoterLogs(members, connector, loops, System::nanoTime);
    this.log = new RemoteLog(dn, connector, control, askMillis);
    this.pulse = new AgentPulse(dn, control, connector.peer(), askMillis, onSilence);
    this.rows = new RemoteReplies(connector, askMillis);
    this.branches =
        new PooledDnLink(
            dn,
            connector,
            limits,
            new RemoteViews(connector, askMillis),
            rows,
            link -> participant);
    this.followers = new ReplicaConnector(dn, connector, VIEW_MILLIS, System::nanoTime);
    this.replicas =
        new PooledDnLink(dn, followers, limits, followers, KeptReplies.NONE, link -> participant);
  }

  @Override
  public KeptReplies rows() {
    return rows;
  }

  @Override
  public DnId dn() {
    return branches.dn();
  }

  @Override
  public void take(
      EventLoop loop,
      BackendAccount account,
      String schema,
      @Nullable Object settings,
      BranchTaker taker) {
    branches.take(loop, account, schema, settings, taker);
  }

  @Override
  public ViewOpener views() {
    return branches.views();
  }

  @Override
  public Optional<DnLink> replicas() {
    return followers.isPromising() ? Optional.of(replicas) : Optional.empty();
  }

  @Override
  public boolean answers() {
    return pulse.answers();
  }

  @Override
  public boolean mysqldAnswers() {
    return pulse.mysqldAnswers();
  }

  @Override
  public OptionalLong delayMillis() {
    return delays.millis();
  }

  @Override
  public CommitParticipant participant() {
    return participant;
  }

  @Override
  public DnMembers members() {
    return members;
  }

  /** The DN's members, for one of them that needs rows. */
  public Donors donors() {
    return members;
  }

  /** The logs of the DN's voters, for one who learns from them. */
  public VoterLogs voterLogs() {
    return voterLogs;
  }

  /** What the node knows of the DN's members has changed. */
  public void membersChanged() {
    control.look();
  }

  /** Connections to the leader's agent for questions to other nodes. */
  public AskLine.Opener asking() {
    return connector::openAsk;
  }

  /** The DN's log. */
  public DnLog log() {
    return log;
  }

  @Override
  public void forgetSchemas() {
    branches.forgetSchemas();
    replicas.forgetSchemas();
  }

  @Override
  public int openBranches() {
    return branches.openBranches();
  }

  @Override
  public LongAdder unfit(Unfit reason) {
    return branches.unfit(reason);
  }

  @Override
  public LongAdder lostReplies() {
    return branches.lostReplies();
  }

  @Override
  public Latency waits() {
    return branches.waits();
  }

  @Override
  public void close() {
    pulse.close();
    rows.close();
    branches.close();
    replicas.close();
    participant.close();
  }
}
