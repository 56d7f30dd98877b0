package io.alrai.gms.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.GmsMembers;
import io.alrai.gms.api.GmsPeer;
import io.alrai.gms.raft.GmsGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.proto.RaftProtos.LeaderInfoProto;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.GroupListReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all nodes of the GMS at once in which generation they are and who leads, whatever the group
 * is by now. Blocking, at most two seconds; thread-safe.
 */
public final class MembersLook implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MembersLook.class);
  private static final long REQUEST_MILLIS = 1_000;
  private static final long ALL_MILLIS = 2_000;

  private final String cluster;
  private final ClusterSecret secret;

  @GuardedBy("this")
  private @Nullable RaftClient client;

  @GuardedBy("this")
  private List<GmsPeer> peers = List.of();

  /** Nobody is asked yet. */
  public MembersLook(String cluster, ClusterSecret secret) {
    this.cluster = cluster;
    this.secret = secret;
  }

  /** What those say who answer. */
  public List<SeenNode> ask(List<GmsPeer> nodes) {
    RaftClient asking = client(nodes);
    List<CompletableFuture<Optional<SeenNode>>> asked =
        nodes.stream()
            .map(node ->
                CompletableFuture.supplyAsync(() -> ask(asking, node), Thread::startVirtualThread)
                    .completeOnTimeout(Optional.empty(), ALL_MILLIS, TimeUnit.MILLISECONDS))
            .toList();
    return asked.stream().flatMap(each -> each.join().stream()).toList();
  }

  /** The latest that somebody has said who leads. */
  public static Optional<SeenNode> leader(List<SeenNode> seen) {
    return seen.stream()
        .filter(node -> node.lead().isPresent())
        .max(
            Comparator.comparingLong(SeenNode::generation)
                .thenComparing(node -> node.lead().map(lead -> lead.members().term()).orElse(0L)));
  }

  /**
   * Who the nodes are, by the latest generation that is seen, also where nobody leads in it yet.
   *
   * @param asked those who were
   */
  public static Optional<GmsMembers> newest(List<SeenNode> seen, List<GmsPeer> asked) {
    long generation = seen.stream().mapToLong(SeenNode::generation).max().orElse(-1);
    Optional<SeenNode.Lead> lead =
        leader(seen)
            .flatMap(SeenNode::lead)
            .filter(found -> found.members().generation() == generation);
    if (lead.isPresent() || generation < 1) {
      return lead.map(SeenNode.Lead::members);
    }
    List<String> names =
        seen.stream().filter(node -> node.generation() == generation).map(SeenNode::name).toList();
    return Optional.of(
        new GmsMembers(
            generation,
            0,
            asked.stream().filter(peer -> names.contains(peer.id().name())).toList()));
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
          new SeenNode(
              node.id().name(),
              generation,
              generation < 0 ? Optional.empty() : lead(asking, node, generation)));
    } catch (IOException | RuntimeException e) {
      log.debug("{} does not say how it is", node, e);
      return Optional.empty();
    }
  }

  private Optional<SeenNode.Lead> lead(RaftClient asking, GmsPeer node, long generation)
      throws IOException {
    GroupInfoReply info =
        asking
            .getGroupManagementApi(RaftPeerId.valueOf(node.id().name()))
            .info(GmsGroup.id(cluster, generation));
    if (!info.getRoleInfoProto().hasLeaderInfo()) {
      return Optional.empty();
    }
    LeaderInfoProto leader = info.getRoleInfoProto().getLeaderInfo();
    // one that was part of the cluster's only process once has no address in its log
    List<GmsPeer> voters =
        info.getGroup().getPeers().stream()
            .map(GmsGroup::peer)
            .map(voter ->
                voter.address().isEmpty() ? new GmsPeer(voter.id(), node.address()) : voter)
            .sorted(Comparator.comparing(peer -> peer.id().name()))
            .toList();
    Map<String, Duration> silences =
        leader.getFollowerInfoList().stream()
            .collect(
                Collectors.toMap(
                    other -> other.getId().getId().toStringUtf8(),
                    other -> Duration.ofMillis(other.getLastRpcElapsedTimeMs())));
    return Optional.of(
        new SeenNode.Lead(
            new GmsMembers(generation, leader.getTerm(), voters),
            info.getConf().filter(conf -> conf.getOldPeersCount() > 0).isPresent(),
            silences));
  }

  private synchronized RaftClient client(List<GmsPeer> nodes) {
    RaftClient present = client;
    if (present != null && peers.equals(nodes)) {
      return present;
    }
    close();
    RaftClient made =
        MemberClients.of(
            GmsGroup.of(cluster, 0, nodes),
            Optional.empty(),
            secret,
            REQUEST_MILLIS,
            sentence -> log.warn("GMS: {}", sentence));
    client = made;
    peers = List.copyOf(nodes);
    return made;
  }

  @Override
  public synchronized void close() {
    RaftClient last = client;
    client = null;
    try {
      if (last != null) {
        last.close();
      }
    } catch (IOException e) {
      log.debug("the links to the GMS did not close in order", e);
    }
  }
}
