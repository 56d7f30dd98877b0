package io.alrai.cn.process;

import io.alrai.cn.config.DnGroup;
import io.alrai.cn.config.FoundedGroup;
import io.alrai.cn.config.GroupChoice;
import io.alrai.cn.config.Limits;
import io.alrai.cn.config.RoleConfig;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.metrics.Readiness;
import io.alrai.common.net.HostPort;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.link.GroupLimit;
import io.alrai.dn.link.GroupLimits;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.mysqld.MysqldState;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.dn.role.AgentMembership;
import io.alrai.dn.role.DnAgent;
import io.alrai.dn.role.GroupAgent;
import io.alrai.dn.role.LeaderContext;
import io.alrai.dn.role.MemberContext;
import io.alrai.dn.role.Role;
import io.alrai.dn.rpc.AgentServer;
import io.alrai.dn.rpc.Peers;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.client.RaftGmsClient;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wires an agent as a process of its own: the only one of its DN, a member of its group, or a
 * learner.
 */
public final class DnProcess {
  private static final Logger log = LoggerFactory.getLogger(DnProcess.class);

  /** Server ids of groups' members begin above those of DNs of one replica. */
  private static final int FIRST_OF_GROUPS = 1_000;

  private static final int FIRST_JOINED = 100;

  /** How long a start waits for a leader of its group, if that is another one. */
  private static final Duration GROUP_WAIT = Duration.ofSeconds(30);

  private static final long LOOK_MILLIS = 50;
  private static final long HEARD_MILLIS = 2_000;

  private final RoleConfig role;
  private final DnId dn;
  private final GroupLimits limits;

  /** The agent of the DN that has the node's name, or of the one whose group the node is in. */
  public DnProcess(RoleConfig role) {
    this.role = role;
    this.limits = role.bears().limits();
    this.dn = role.groups().isEmpty() ? new DnId(role.node()) : role.groups().getFirst().dn();
  }

  /**
   * Starts it; returns when the DN serves, by this agent or by another of its group.
   *
   * @throws AlraiException why it does not start
   */
  public Service.Started start() throws InterruptedException {
    EventLoops.requireMachine();
    return Service.Started.of(parts -> {
      InetSocketAddress address = start(parts);
      return "ready dn " + role.node() + " " + HostPort.of(address);
    });
  }

  private InetSocketAddress start(Closers parts) throws InterruptedException {
    Metrics metrics = new Metrics();
    Readiness readiness = role.openMetrics(metrics, parts::add);
    DataDirectoryTemplate template = findMysqld();
    EventLoops loops = parts.add(EventLoops.besideMysqlds());
    NodeId self = new NodeId(role.node());
    SharedParts shared = SharedParts.withoutCn(role, self, metrics, loops, parts);
    InetSocketAddress address =
        startIn(shared, readiness, new OwnLead(dn), template, Optional.empty(), parts);
    parts.add(readiness.serves());
    return address;
  }

  /** Its DN. */
  public DnId dn() {
    return dn;
  }

  /**
   * The MySQL server that it starts; it is fetched where there is none.
   *
   * @throws io.alrai.dn.mysqld.MysqldException why there is none
   */
  public static DataDirectoryTemplate findMysqld() {
    ConsoleProgress progress = new ConsoleProgress(System.err);
    MysqlSearch search = MysqlSearch.fromEnvironment(System.getenv());
    MysqlInstallation installation = MysqlInstallations.find(search, progress);
    return new DataDirectoryTemplate(installation, search.cacheDirectory(), progress);
  }

  /**
   * As {@link #start}, in a process that serves metrics itself.
   *
   * @param readiness learns what it needs
   * @param own hears of its leads
   * @param cn the coordinator that lives as this process does, if there is one
   * @return where it listens
   */
  public InetSocketAddress startIn(
      SharedParts shared,
      Readiness readiness,
      OwnLead own,
      DataDirectoryTemplate template,
      Optional<NodeId> cn,
      Closers parts)
      throws InterruptedException {
    RaftGmsClient gms = shared.gms();
    HybridLogicalClock clock = shared.hybrid();
    MysqldConfig mysqld = mysqld();
    GroupChoice.follow(gms, limits);
    Optional<GroupConfig> group =
        role.groups().stream().filter(each -> !each.learns()).findFirst().map(this::config);
    if (role.learns()) {
      LearnerProcess.check(gms.catalog(), dn, role);
    } else {
      group.ifPresentOrElse(
          config -> DnAdmission.check(gms.catalog(), dn, config),
          () -> DnAdmission.check(gms.catalog(), dn, mysqld));
    }
    group = group.map(config -> ForcedMember.begin(gms.catalog(), dn, config));
    role.bears().tellZone(gms, role.node());
    // a group that was forced begins above all that those before it may have promised
    gms.catalog()
        .dataNode(dn)
        .map(node -> HlcTimestamp.ofMillis(node.forced().atMillis()))
        .ifPresent(clock::update);
    RemoteLinks others = shared.links();
    LinkedLease lease = parts.add(new LinkedLease(new NodeId(role.node()), gms));
    lease.keep();
    MysqldInstance instance = MysqldInstance.create(template, mysqld);
    Peers peers = new Peers(System::nanoTime);
    List<EventLoop> loops = shared.loops().each();
    MemberContext member =
        new MemberContext(loops, clock, shared.wall(), System::nanoTime, shared.metrics());
    LeaderContext leading =
        new LeaderContext(
                Limits.pool(loops.size()),
                other -> own.participant(other, others.links()),
                (coordinator, within) ->
                    cn.filter(coordinator::equals).isPresent() || peers.heard(coordinator, within))
            .bounded(limits);
    Wiring wiring = new Wiring(parts, shared, readiness, peers, own, lease, cn.isPresent());
    if (role.learns()) {
      return new LearnerProcess(dn, role, gms, others, readiness)
          .start(parts, server(wiring, shared.clock()), role.listen(), instance, member, limits);
    }
    return group.isEmpty()
        ? alone(wiring, DnAgent.start(dn, instance, member, leading))
        : inGroup(
            wiring,
            GroupAgent.join(dn, instance, member, leading, group.get(), () -> others.donors(dn)));
  }

  /** What both kinds of agent are wired with. */
  private record Wiring(
      Closers parts,
      SharedParts shared,
      Readiness readiness,
      Peers peers,
      OwnLead own,
      LinkedLease lease,
      boolean inNode) {
    RaftGmsClient gms() {
      return shared.gms();
    }

    RemoteLinks others() {
      return shared.links();
    }
  }

  private MysqldConfig mysqld() {
    int number = Math.max(1, Integer.parseInt("0" + dn.name().replaceAll("\\D", "")));
    Path directory = role.data().resolve(role.node());
    if (role.groups().isEmpty()) {
      return MysqldConfig.of(directory, number)
          .withMemory(MysqldMemory.shareOfThisMachine(2))
          .withSemiSync();
    }
    return MysqldConfig.of(directory, FIRST_OF_GROUPS * number + place(role.groups().getFirst()))
        .withMemory(MysqldMemory.shareOfThisMachine(4))
        .withGroup();
  }

  private GroupConfig config(DnGroup group) {
    return role.inGroup(group).retaining(() -> limits.of(GroupLimit.LOG_RETENTION));
  }

  private boolean joins() {
    return role.groups().stream().anyMatch(DnGroup::joins);
  }

  /** A number below 1,000 that others of the group hardly have. */
  private int place(DnGroup group) {
    return group.joins()
        ? FIRST_JOINED + Math.floorMod(role.node().hashCode(), FIRST_OF_GROUPS - FIRST_JOINED)
        : group.members().indexOf(group.own(role.node()));
  }

  private InetSocketAddress alone(Wiring wiring, DnAgent agent) {
    wiring.parts.add(agent);
    wiring.readiness.needs(() -> withoutMysqld(agent.supervisor()));
    AgentServer server = server(wiring, agent.clock());
    InetSocketAddress address = server.start(role.listen());
    String text = HostPort.of(address).toString();
    GroupLeads leads = new GroupLeads(dn, wiring.gms(), server, wiring.own, text);
    leads.leads(0, agent.lead(), Reservation.NONE);
    ForcedMember watch = watch(wiring);
    server.member(
        new SoleMember(dn, () -> found(wiring, agent, server, leads, text, watch), agent::amiss));
    wiring.gms().submit(new CatalogCommand.RegisterDataNode(new DataNode(dn, text)));
    wiring.parts.add((AutoCloseable) agent::leave); // while the server can still answer
    return address;
  }

  /** The DN of one replica is a group from now on, of which this is the only member. */
  private void found(
      Wiring wiring,
      DnAgent agent,
      AgentServer server,
      GroupLeads leads,
      String address,
      ForcedMember watch)
      throws InterruptedException, IOException {
    if (wiring.inNode) {
      // the sessions of the node's CN would not end in order: they need no server to reach it
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          dn
              + " is in one process with a CN and has one replica: nobody can join it; make a cluster"
              + " of nodes with three replicas");
    }
    GroupMember self =
        new GroupMember(
            role.node(), role.listen().getHostString() + ":" + ListenPorts.free(), Keeps.ROWS);
    DnGroup group = new DnGroup(dn, List.of(self), false);
    GroupAgent member =
        agent.found(
            config(group),
            () -> wiring.others().donors(dn),
            leads,
            () -> FoundedGroup.write(role.data(), role.node(), group));
    // who asks for the group's member by its name should find it; else the next start tells of it
    leads
        .tell(
            new CatalogCommand.PutDnMember(
                dn, new DnMember(role.node(), address, DnMember.Keeps.ROWS)))
        .completeOnTimeout(null, HEARD_MILLIS, TimeUnit.MILLISECONDS)
        .join();
    follow(wiring, member, leads, address, watch);
    server.member(membership(member, wiring));
  }

  /** Hears whether a member was made the group, as soon as there is one. */
  private ForcedMember watch(Wiring wiring) {
    return wiring.parts.add(ForcedMember.watch(dn, wiring.gms(), role.node()));
  }

  private void follow(
      Wiring wiring, GroupAgent agent, GroupLeads leads, String address, ForcedMember watch) {
    watch.of(
        agent.groupLog(),
        () -> {
          register(wiring.gms(), address, agent);
          leads.leadsStill();
        });
    wiring.readiness.needs(() -> notServing(agent));
    wiring.lease.endsWhen(() -> agent.role() == Role.DROPPED);
  }

  private static Optional<String> withoutMysqld(MysqldSupervisor mysqld) {
    return mysqld.state() == MysqldState.UP
        ? Optional.empty()
        : Optional.of("its mysqld does not run");
  }

  /** Also a member that follows serves: reads. */
  private static Optional<String> notServing(GroupAgent agent) {
    Role role = agent.role();
    if (role != Role.FOLLOWING && role != Role.LEADING && role != Role.HANDING_OVER) {
      return Optional.of("as a member of its group it is " + role);
    }
    return agent.groupLog().leader().isPresent()
        ? Optional.empty()
        : Optional.of("its group has no leader that it knows of");
  }

  private InetSocketAddress inGroup(Wiring wiring, GroupAgent agent) throws InterruptedException {
    wiring.parts.add(agent);
    wiring.readiness.needs(() -> withoutMysqld(agent.supervisor()));
    AgentServer server = server(wiring, agent.clock());
    InetSocketAddress address = server.start(role.listen());
    String text = HostPort.of(address).toString();
    register(wiring.gms(), text, agent);
    GroupLeads leads = new GroupLeads(dn, wiring.gms(), server, wiring.own, text);
    follow(wiring, agent, leads, text, watch(wiring));
    server.member(membership(agent, wiring));
    agent.start(leads);
    wiring.parts.add((AutoCloseable) agent::leave); // while the server can still answer
    long since = System.nanoTime();
    while (!joins() && agent.role() != Role.LEADING && !isLedByAnother(agent)) {
      if (System.nanoTime() - since > GROUP_WAIT.toNanos()) {
        log.warn("{} waits for a majority of its group; it goes on without", role.node());
        break;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return address;
  }

  /** One that was dropped does not put itself into the catalog any more. */
  private void register(RaftGmsClient gms, String address, GroupAgent agent) {
    if (agent.role() != Role.DROPPED) {
      ForcedMember.register(
          gms,
          dn,
          new DnMember(role.node(), address, DnMember.Keeps.ROWS),
          agent.groupLog().generation(),
          agent.groupLog().forced().isPresent());
    }
  }

  private AgentMembership membership(GroupAgent agent, Wiring wiring) {
    return new AgentMembership(agent, role.node(), agent.reads(() -> wiring.others().log(dn)));
  }

  /** A logger that has been elected gives that away. */
  private static boolean isLedByAnother(GroupAgent agent) {
    GroupLog group = agent.groupLog();
    return group.leader().filter(group.othersWithRows()::contains).isPresent();
  }

  private AgentServer server(Wiring wiring, NodeClock clock) {
    AgentServer server =
        wiring.parts.add(
            new AgentServer(
                dn,
                wiring.shared.secret(),
                clock,
                wiring.peers,
                wiring.shared.loops().group(),
                ServerCounts.of(wiring.shared.metrics(), dn)));
    server.follows(wiring.gms()::generation);
    return server;
  }
}
