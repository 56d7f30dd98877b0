package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.net.ListenPorts;
import io.alrai.dn.backend.Credentials;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.backend.ServerConnections;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.learner.LearnerAgent;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.link.GroupLimits;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.raft.DeafEvents;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.dn.raft.LogBounds;
import io.alrai.dn.rpc.RemoteDnLink;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.watch.FakeDisk;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;

/** A DN of two agents with real mysqlds, and a logger, in one process. */
final class AgentGroup implements AutoCloseable {
  static final DnId DN = new DnId("dn-1");

  private static final String LOGGER = "l";
  private static final InetSocketAddress NOWHERE = new InetSocketAddress("127.0.0.1", 1);
  private static final List<String> NAMES = List.of("a", "b");
  private static final Duration ELECTION_MIN = Duration.ofMillis(1_500);
  private static final Duration ELECTION_MAX = Duration.ofMillis(3_000);

  private final Path directory;
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final List<GroupMember> members = new ArrayList<>();
  private final Map<String, GroupAgent> agents = new ConcurrentHashMap<>();
  private final Map<String, Metrics> metrics = new ConcurrentHashMap<>();
  private final Map<String, FakeDisk> disks = new ConcurrentHashMap<>();
  private final Map<String, Lead> leads = new ConcurrentHashMap<>();
  private final Map<String, MemberServer> servers = new ConcurrentHashMap<>();
  private final LogBounds bounds;
  private final AtomicBoolean losing = new AtomicBoolean();
  private volatile boolean atWork;
  private @Nullable GroupLog logger;

  AgentGroup(Path directory) throws IOException {
    this(directory, LogBounds.standard());
  }

  AgentGroup(Path directory, LogBounds bounds) throws IOException {
    this.directory = directory;
    this.bounds = bounds;
    for (String name : NAMES) {
      members.add(new GroupMember(name, "127.0.0.1:" + ListenPorts.free(), Keeps.ROWS));
    }
    members.add(new GroupMember(LOGGER, "127.0.0.1:" + ListenPorts.free(), Keeps.LOG));
  }

  private GroupConfig config(String name) {
    return new GroupConfig(
        "test/dn-1",
        members.stream().filter(member -> member.name().equals(name)).findFirst().orElseThrow(),
        members,
        directory.resolve(name + "-log"),
        Optional.empty(),
        ELECTION_MIN,
        ELECTION_MAX,
        bounds);
  }

  AgentGroup startLogger() {
    logger = GroupLog.start(config(LOGGER), new DeafEvents(Assertions::fail));
    return this;
  }

  void stopLogger() {
    GroupLog running = logger;
    logger = null;
    if (running != null) {
      running.close();
    }
  }

  /** Whether a member has a log. */
  boolean hasLog(String name) {
    return GroupLog.isThere(config(name));
  }

  AgentGroup start(String name) {
    MysqldInstance instance =
        TestMembers.mysqld(
            directory.resolve(name), 100 + NAMES.indexOf(name), MysqldConfig::withGroup);
    Metrics measured = new Metrics();
    metrics.put(name, measured);
    GroupAgent agent =
        GroupAgent.join(
            DN,
            instance,
            TestMembers.context(loops, measured, disk(name)),
            new LeaderContext(
                new PoolLimits(20, 4, Duration.ofSeconds(10).toNanos()),
                this::participant,
                CoordinatorPulse.OF_THIS_PROCESS),
            config(name),
            () -> Optional.of(MemberServer.donors(DN, servers, loops, this::loses)));
    agents.put(name, agent);
    serve(name);
    agent.start(new Listening(name));
    return this;
  }

  private CommitParticipant participant(DnId dn) {
    return leads.values().stream()
        .findFirst()
        .map(lead -> lead.link().participant())
        .orElseThrow(
            () -> new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "nobody leads " + dn));
  }

  GroupAgent agent(String name) {
    GroupAgent agent = agents.get(name);
    if (agent == null) {
      throw new IllegalArgumentException(name + " does not run");
    }
    return agent;
  }

  /** A member's agent answers others from now on. */
  void serve(String name) {
    servers.put(
        name,
        MemberServer.of(
            agent(name),
            name,
            DN,
            loops,
            metrics.getOrDefault(name, new Metrics()),
            () -> leads.values().stream().findFirst().map(lead -> (DnLog) lead)));
  }

  /** A learner of this group, which does not run yet. */
  LearnerAgent learner(String name) {
    RemoteDnLink voters = MemberServer.link(DN, servers, NOWHERE, loops);
    return LearnerAgent.open(
        DN,
        name,
        TestMembers.mysqld(directory.resolve(name), 200, MysqldConfig::withGroup),
        TestMembers.context(loops, new Metrics(), disk(name)),
        voters.voterLogs(),
        new GroupLimits(),
        () -> Optional.of(voters.donors()));
  }

  /** The agent of a member answers nobody any more; see {@link #serve}. */
  void silence(String name) {
    MemberServer server = servers.remove(name);
    if (server != null) {
      server.close();
    }
  }

  /** The agent of the next donor is gone as soon as it is cloned. */
  void loseNextDonor() {
    losing.set(true);
  }

  boolean donorIsLost() {
    return !losing.get();
  }

  private void loses(String donor) {
    if (losing.compareAndSet(true, false)) {
      MemberServer server = servers.remove(donor);
      if (server != null) {
        Thread.startVirtualThread(server::close);
      }
    }
  }

  void stop(String name) {
    MemberServer server = servers.remove(name);
    if (server != null) {
      server.close();
    }
    agent(name).close();
    agents.remove(name);
  }

  /** The data directory of a member's mysqld, which may run or not. */
  Path dataDirectory(String name) {
    return directory.resolve(name).resolve("data");
  }

  String other(String name) {
    return name.equals("a") ? "b" : "a";
  }

  /** What a member measures now. */
  double measured(String name, Metric metric) {
    Metrics of = metrics.get(name);
    if (of == null) {
      throw new IllegalArgumentException(name + " has never run");
    }
    return of.samples().stream()
        .filter(sample -> sample.metric() == metric && sample.dn().equals(DN.name()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(metric + " is not measured"))
        .value();
  }

  /** What a member writes to. */
  FakeDisk disk(String name) {
    return disks.computeIfAbsent(name, each -> new FakeDisk());
  }

  boolean leads(String name) {
    return leads.containsKey(name);
  }

  /** Waits until a member leads. */
  String leader() throws Exception {
    Eventually.await("a leader", () -> !leads.isEmpty());
    return leads.keySet().iterator().next();
  }

  /** The lead of a member that leads. */
  Lead lead(String name) {
    Lead lead = leads.get(name);
    if (lead == null) {
      throw new IllegalStateException(name + " does not lead");
    }
    return lead;
  }

  void awaitLeader(String name) throws Exception {
    try {
      Eventually.await(name + " leads", () -> leads.containsKey(name));
    } catch (AssertionError late) {
      throw new AssertionError(late.getMessage() + ": " + states(), late);
    }
  }

  private String states() {
    return agents.entrySet().stream()
        .map(each -> state(each.getKey(), each.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static String state(String name, GroupAgent agent) {
    return name
        + " is "
        + agent.role()
        + ", its mysqld "
        + agent.supervisor().state()
        + ", for it leads "
        + agent.groupLog().leader().orElse("nobody")
        + ", which is itself and ready: "
        + agent.groupLog().leads();
  }

  EventLoop loop() {
    return (EventLoop) loops.next();
  }

  /** A connection of the leader's pool. */
  Branch take(BackendAccount account) throws Exception {
    Lead lead = leads.get(leader());
    if (lead == null) {
      throw new IllegalStateException("the leader has changed");
    }
    return RealNode.take(lead.link(), loop(), account);
  }

  /** Runs statements at the leader. */
  List<List<String>> run(String sql) throws Exception {
    Branch branch = take(BackendAccount.ADMIN);
    try {
      return RealNode.run(branch, sql);
    } finally {
      branch.eventLoop().execute(branch::release);
    }
  }

  /** Runs statements at a member's mysqld, past its agent. */
  List<List<String>> past(String name, String sql) throws Exception {
    Branch branch = connect(name);
    try {
      return RealNode.run(branch, sql);
    } finally {
      branch.eventLoop().execute(branch::close);
    }
  }

  /** A connection to a member's mysqld, past its agent. */
  Branch connect(String name) throws Exception {
    return connect(agent(name).supervisor().instance());
  }

  /** A connection to a mysqld, past its agent. */
  Branch connect(MysqldInstance instance) throws Exception {
    MysqldConnector connector =
        new MysqldConnector(
            DN,
            instance.socketPath(),
            account -> new Credentials(MysqldInstance.ADMIN_ACCOUNT, instance.password()));
    return new ServerConnections(connector, loops).connect(BackendAccount.ADMIN);
  }

  /** A way to the members by their agents, of which one leads. */
  RemoteDnLink link(String leader) {
    return MemberServer.link(DN, servers, servers.get(leader).address(), loops);
  }

  @Override
  public void close() {
    servers.values().forEach(MemberServer::close);
    CompletableFuture.allOf(
            agents.values().stream()
                .map(agent -> CompletableFuture.runAsync(agent::close, Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new))
        .join();
    stopLogger();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2_000);
  }

  /** Whether statements are at work wherever a leader goes. */
  void atWork(boolean now) {
    atWork = now;
  }

  /** Who leads. */
  private final class Listening implements MemberListener {
    private final String name;

    Listening(String name) {
      this.name = name;
    }

    @Override
    public void leads(long term, Lead lead, Reservation reservation) {
      leads.put(name, lead);
    }

    @Override
    public void leaves(Duration bound) {
      leads.remove(name);
    }

    @Override
    public CompletableFuture<Boolean> left() {
      return CompletableFuture.completedFuture(!atWork);
    }

    @Override
    public void follows() {
      leads.remove(name);
    }

    @Override
    public void failed(Throwable reason) {
      throw new AssertionError(name, reason);
    }
  }
}
