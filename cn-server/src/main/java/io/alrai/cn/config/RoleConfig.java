package io.alrai.cn.config;

import io.alrai.cn.snapshot.TimestampMode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.metrics.MetricsPort;
import io.alrai.common.metrics.ProcessMetrics;
import io.alrai.common.metrics.Readiness;
import io.alrai.common.net.HostPort;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.Membership;
import io.alrai.dn.learner.LearnerMark;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.LostMark;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.member.KnownGms;
import io.alrai.gms.server.GmsConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a role's process is started with; {@link RoleFile} says how it is written.
 *
 * @param node this process
 * @param data its directory
 * @param listen where it serves
 * @param gms nodes of the GMS to begin with
 * @param secret the same on every node, and how it speaks with them
 * @param clock its clock
 * @param metricsPort where Prometheus finds the metrics, on the host of {@code listen}; 0 for none
 * @param timestamps where a CN takes timestamps from
 * @param columnsMegabytes what the column indexes of a CN or a column node may take in MiB; 0: the
 *     CN keeps none
 * @param endpoint what a CN's clients find
 * @param groups those that an agent, or a logger, is a member of
 * @param bears where a member of groups is, and what it bears with of others
 */
public record RoleConfig(
    String node,
    Path data,
    InetSocketAddress listen,
    List<GmsPeer> gms,
    Membership secret,
    ClockChoice clock,
    int metricsPort,
    TimestampMode timestamps,
    long columnsMegabytes,
    EndpointChoice endpoint,
    List<DnGroup> groups,
    GroupChoice bears) {
  public RoleConfig {
    gms = List.copyOf(gms);
    groups = List.copyOf(groups);
  }

  /** A role with all else as usual: by HLC, without metrics and column indexes, in no group. */
  public static RoleConfig usual(
      String node, Path data, InetSocketAddress listen, List<GmsPeer> gms, Membership secret) {
    return new RoleConfig(
        node,
        data,
        listen,
        gms,
        secret,
        ClockChoice.USUAL,
        0,
        TimestampMode.HLC,
        0,
        EndpointChoice.USUAL,
        List.of(),
        GroupChoice.USUAL);
  }

  /** What copies differ in. */
  private static final class Draft {
    private String node;
    private InetSocketAddress listen;
    private int metricsPort;
    private TimestampMode timestamps;
    private long columnsMegabytes;
    private EndpointChoice endpoint;
    private List<DnGroup> groups;
    private List<GmsPeer> gms;
    private Membership secret;

    Draft(RoleConfig of) {
      node = of.node;
      listen = of.listen;
      metricsPort = of.metricsPort;
      timestamps = of.timestamps;
      columnsMegabytes = of.columnsMegabytes;
      endpoint = of.endpoint;
      groups = of.groups;
      gms = of.gms;
      secret = of.secret;
    }
  }

  private RoleConfig with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new RoleConfig(
        draft.node,
        data,
        draft.listen,
        draft.gms,
        draft.secret,
        clock,
        draft.metricsPort,
        draft.timestamps,
        draft.columnsMegabytes,
        draft.endpoint,
        draft.groups,
        bears);
  }

  /** Another role of the same process; an agent is in the group that it has founded, if any. */
  public RoleConfig as(String name, InetSocketAddress at) {
    return with(draft -> {
      draft.node = name;
      draft.listen = at;
      draft.groups = groups.isEmpty() ? FoundedGroup.read(data, name).stream().toList() : groups;
    });
  }

  /** A copy with another port for the metrics. */
  public RoleConfig withMetricsPort(int port) {
    return with(draft -> draft.metricsPort = port);
  }

  /** A copy with another source of timestamps. */
  public RoleConfig withTimestamps(TimestampMode source) {
    return with(draft -> draft.timestamps = source);
  }

  /** A copy with other memory for column indexes. */
  public RoleConfig withColumnsMegabytes(long most) {
    return with(draft -> draft.columnsMegabytes = most);
  }

  /** A copy with another endpoint for clients. */
  public RoleConfig withEndpoint(EndpointChoice choice) {
    return with(draft -> draft.endpoint = choice);
  }

  /** A copy as a member of groups. */
  public RoleConfig withGroups(List<DnGroup> of) {
    return with(draft -> draft.groups = of);
  }

  /** A copy that begins with other nodes of the GMS. */
  public RoleConfig withGms(List<GmsPeer> nodes) {
    return with(draft -> draft.gms = nodes);
  }

  /** A copy that has come so far with TLS between nodes. */
  public RoleConfig withMemberTls(MemberTls.Mode mode) {
    return with(draft -> draft.secret = secret.in(mode));
  }

  /** What this process knows of the nodes of the GMS. */
  public KnownGms knownGms() {
    return new KnownGms(gms, Optional.of(data.resolve("gms-of").resolve(node)));
  }

  /** This process as a node of the GMS. */
  public GmsConfig gmsNode() {
    NodeId self = new NodeId(node);
    Path directory = data.resolve(node);
    ClusterSecret members = secret.open();
    if (gms.stream().anyMatch(peer -> peer.id().equals(self))) {
      return GmsConfig.of(self, gms, directory, members);
    }
    List<GmsPeer> all = new ArrayList<>(gms);
    all.add(new GmsPeer(self, HostPort.of(listen).toString()));
    return GmsConfig.joining(self, all, directory, members);
  }

  /** How this process takes part in a group that it names. */
  public GroupConfig inGroup(DnGroup group) {
    return group.config(node, data, secret.open(), bears.bounds());
  }

  /** Whether this process is a learner of a DN. */
  public boolean learns() {
    return groups.stream().anyMatch(DnGroup::learns);
  }

  /** What it has heard of its DN, if it is a learner. */
  public LearnerMark learnerMark() {
    return new LearnerMark(data.resolve(node));
  }

  /** Whether this process was in groups, and all of them go on without it. */
  public boolean isDropped() {
    return learns()
        ? learnerMark().isDropped()
        : !groups.isEmpty()
            && groups.stream().allMatch(group -> GroupLog.isDropped(inGroup(group)));
  }

  /** Whether this process has something of a log of one of its groups. */
  public boolean hasLog() {
    return !learns() && groups.stream().anyMatch(group -> GroupLog.isThere(inGroup(group)));
  }

  /** Whether this process was refused in all of its groups, as its logs are not there any more. */
  public boolean hasLostItsLog() {
    return !learns()
        && !groups.isEmpty()
        && groups.stream().allMatch(group -> LostMark.is(inGroup(group)));
  }

  /**
   * Serves the metrics of this process, if that is wanted, and whether it is ready.
   *
   * @param parts takes what is to be closed with it
   */
  public Readiness openMetrics(Metrics metrics, Consumer<AutoCloseable> parts) {
    ProcessMetrics.disk(metrics, data, node);
    secret.open().files().ifPresent(files -> files.measure(metrics));
    return MetricsPort.openIfWanted(metrics, listen.getHostString(), metricsPort, parts::accept);
  }

  /** The content of its file. */
  public String text() {
    return RoleFile.text(this);
  }
}
