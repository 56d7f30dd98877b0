package io.alrai.gms.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.raft.GmsGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.proto.RaftProtos.LeaderInfoProto;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.GroupListReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all nodes of the GMS at once in which generation they are and who leads, whatever the group
 * is by now. A name may be asked at several addresses. Blocking, at most two seconds; thread-safe.
 */
public final class MembersLook implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MembersLook.class);
  private static final long REQUEST_MILLIS = 1_000;
  private static final long ALL_MILLIS = 2_000;

  private final String cluster;
  private final ClusterSecret secret;

  /** One for each node: to Ratis' clients a name has one address. */
  @GuardedBy("this")
  private Map<GmsPeer, RaftClient> clients = Map.of();

  /** Nobody is asked yet. */
  public MembersLook(String cluster, ClusterSecret secret) {
    this.cluster = cluster;
    this.secret = secret;
  }

  /** What those say who answer, in the order in which they are given. */
  public List<SeenNode> ask(List<GmsPeer> nodes) {
    List<CompletableFuture<Optional<SeenNode>>> asked =
        clients(nodes).entrySet().stream()
            .map(each ->
                CompletableFuture.supplyAsync(
                        () -> ask(each.getValue(), each.getKey()), Thread::startVirtualThread)
                    .completeOnTimeout(Optional.empty(), ALL_MILLIS, TimeUnit.MILLISECONDS))
            .toList();
    return asked.stream().flatMap(each -> each.join().stream()).toList();
  }

  /** The latest that somebody has said who leads; of one at two addresses what came first. */
  public static Optional<SeenNode> leader(List<SeenNode> seen) {
    return seen.stream()
        .filter(node -> node.lead().isPresent())
        .max(
            Comparator.comparingLong(SeenNode::generation)
                .thenComparing(node -> node.lead().map(lead -> lead.members().term()).orElse(0L)));
  }

  /**
   * Who the nodes are, by the latest generation that is seen, also where nobody leads in it yet.
   */
  public static Optional<GmsMembers> newest(List<SeenNode> seen) {
    long generation = seen.stream().mapToLong(SeenNode::generation).max().orElse(-1);
    Optional<SeenNode.Lead> lead =
        leader(seen)
            .flatMap(SeenNode::lead)
            .filter(found -> found.members().generation() == generation);
    if (lead.isPresent() || generation < 1) {
      return lead.map(SeenNode.Lead::members);
    }
    Map<String, GmsPeer> peers = new TreeMap<>();
    for (SeenNode node : seen) {
      if (node.generation() == generation) {
        peers.putIfAbsent(node.name(), node.node());
      }
    }
    return Optional.of(new GmsMembers(generation, 0, List.copyOf(peers.values())));
  }

  private Optional<SeenNode> ask(RaftClient asking, GmsPeer node) {
    RaftPeerId id = RaftPeerId.valueOf(node.id().name());
    try {
      GroupListReply list = asking.getGroupManagementApi(id).list();
      long generation =
          list.getGroupIds().stream()
              .flatMapToLong(group -> GmsGroup.generation(cluster, group.getUuid()).stream())
              .max()
              .orElse(-1);
      return Optional.of(
          generation < 0
              ? new SeenNode(node, generation, Optional.empty())
              : inGroup(asking, node, generation));
    } catch (IOException | RuntimeException e) {
      log.debug("{} does not say how it is", node, e);
      return Optional.empty();
    }
  }

  private SeenNode inGroup(RaftClient asking, GmsPeer asked, long generation) throws IOException {
    GroupInfoReply info =
        asking
            .getGroupManagementApi(RaftPeerId.valueOf(asked.id().name()))
            .info(GmsGroup.id(cluster, generation));
    String name = info.getRoleInfoProto().getSelf().getId().toStringUtf8();
    GmsPeer node = new GmsPeer(new NodeId(name), asked.address());
    return new SeenNode(node, generation, lead(info, node, generation));
  }

  private static Optional<SeenNode.Lead> lead(GroupInfoReply info, GmsPeer node, long generation) {
    if (!info.getRoleInfoProto().hasLeaderInfo()) {
      return Optional.empty();
    }
    LeaderInfoProto leader = info.getRoleInfoProto().getLeaderInfo();
    List<GmsPeer> logged =
        info.getGroup().getPeers().stream()
            .map(GmsGroup::peer)
            .map(voter -> voter.id().equals(node.id()) && voter.address().isEmpty() ? node : voter)
            .sorted(Comparator.comparing(peer -> peer.id().name()))
            .toList();
    // the log has the address that it had when that was begun
    List<GmsPeer> voters =
        logged.stream().map(voter -> voter.id().equals(node.id()) ? node : voter).toList();
    Map<String, Duration> silences =
        leader.getFollowerInfoList().stream()
            .collect(
                Collectors.toMap(
                    other -> other.getId().getId().toStringUtf8(),
                    other -> Duration.ofMillis(other.getLastRpcElapsedTimeMs())));
    return Optional.of(
        new SeenNode.Lead(
            new GmsMembers(generation, leader.getTerm(), voters),
            logged,
            info.getConf().filter(conf -> conf.getOldPeersCount() > 0).isPresent(),
            silences));
  }

  private synchronized Map<GmsPeer, RaftClient> clients(List<GmsPeer> nodes) {
    Map<GmsPeer, RaftClient> asked = new LinkedHashMap<>();
    for (GmsPeer node : nodes) {
      if (!asked.containsKey(node)) {
        RaftClient present = clients.get(node);
        asked.put(node, present == null ? client(node) : present);
      }
    }
    for (Map.Entry<GmsPeer, RaftClient> before : clients.entrySet()) {
      if (!asked.containsKey(before.getKey())) {
        end(before.getValue());
      }
    }
    clients = asked;
    return asked;
  }

  private RaftClient client(GmsPeer node) {
    return MemberClients.of(
        GmsGroup.of(cluster, 0, List.of(node)),
        Optional.empty(),
        secret,
        REQUEST_MILLIS,
        sentence -> log.warn("GMS: {}", sentence));
  }

  @Override
  public synchronized void close() {
    clients.values().forEach(MembersLook::end);
    clients = Map.of();
  }

  private static void end(RaftClient last) {
    try {
      last.close();
    } catch (IOException e) {
      log.debug("the links to the GMS did not close in order", e);
    }
  }
}
