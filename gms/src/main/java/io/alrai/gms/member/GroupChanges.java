package io.alrai.gms.member;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.thread.Pause;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsNodes;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.raft.GmsGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the group of the GMS' nodes through its leader. What the leader says is looked at before
 * each attempt, so that an attempt whose answer is lost, or whose leader has gone, is found done or
 * is made again. Blocking; thread-safe.
 */
public final class GroupChanges implements GmsNodes {
  private static final Logger log = LoggerFactory.getLogger(GroupChanges.class);

  /** Longer than a leader waits for a joiner that does not answer. */
  private static final long CHANGE_MILLIS = 10_000;

  private static final long HANDOVER_MILLIS = 3_000;
  private static final long PAUSE_MILLIS = 100;

  private final String cluster;
  private final ClusterSecret secret;
  private final KnownGms known;
  private final MembersLook look;
  private final Duration patience;
  private final LongSupplier nanoTime;

  /**
   * Changes of a group.
   *
   * @param patience how long one may take
   * @param nanoTime as {@link System#nanoTime}
   */
  public GroupChanges(
      String cluster,
      ClusterSecret secret,
      KnownGms known,
      MembersLook look,
      Duration patience,
      LongSupplier nanoTime) {
    this.cluster = cluster;
    this.secret = secret;
    this.known = known;
    this.look = look;
    this.patience = patience;
    this.nanoTime = nanoTime;
  }

  @Override
  public GmsMembers members() {
    return known.latest();
  }

  @Override
  public void add(GmsPeer joiner) {
    change(
        "adding " + joiner,
        (leader, _) -> {
          List<GmsPeer> present = present(leader);
          if (present.contains(joiner)) {
            return new Goal.Reached();
          }
          for (GmsPeer other : present) {
            if (other.id().equals(joiner.id()) || other.address().equals(joiner.address())) {
              throw refusal(
                  joiner
                      + " cannot be added: the GMS has "
                      + other
                      + "; give it another name and address, or drop that one first");
            }
          }
          List<GmsPeer> next = new ArrayList<>(present);
          next.add(joiner);
          return new Goal.Nodes(next);
        },
        Optional.empty());
  }

  @Override
  public void drop(String name) {
    Survivors survivors = new Survivors(nanoTime);
    change(
        "dropping " + name,
        (leader, asked) -> {
          List<GmsPeer> present = present(leader);
          List<GmsPeer> left =
              present.stream().filter(peer -> !peer.id().name().equals(name)).toList();
          if (left.size() == present.size()) {
            return new Goal.Reached();
          }
          if (left.isEmpty()) {
            throw refusal(name + " cannot be dropped: it is the only node of the GMS");
          }
          Optional<List<String>> living = survivors.living(leader, left, asked);
          if (living.isEmpty()) {
            return new Goal.Open("it is not known yet which of " + left + " answer");
          }
          if (living.get().size() * 2 <= left.size()) {
            throw refusal(
                name
                    + " cannot be dropped: of those that would be left, "
                    + left
                    + ", only "
                    + living.get()
                    + " answer, which is no majority; start the others, or add a node, first");
          }
          return new Goal.Nodes(left);
        },
        Optional.of(name));
  }

  /** Where this process reaches the leader is its own affair: the log keeps what it has. */
  private static List<GmsPeer> present(SeenNode leader) {
    return leader.lead().orElseThrow().logged();
  }

  /** What the group shall be. */
  private sealed interface Goal {
    /** What it is. */
    record Reached() implements Goal {}

    /** These nodes. */
    record Nodes(List<GmsPeer> peers) implements Goal {
      public Nodes {
        peers = List.copyOf(peers);
      }
    }

    /** What a later look tells. */
    record Open(String why) implements Goal {}
  }

  private interface Next {
    /** By what a leader says, and when it was asked. */
    Goal after(SeenNode leader, long askedNanos);
  }

  private void change(String what, Next next, Optional<String> dropped) {
    Deadline deadline = Deadline.in(patience);
    String last = "nobody leads the GMS";
    while (true) {
      long asked = nanoTime.getAsLong();
      Optional<SeenNode> leader = known.hear(look.ask(known.everybody()));
      if (leader.isPresent()) {
        Optional<String> missing = attempt(what, next, dropped, leader.get(), asked);
        if (missing.isEmpty()) {
          return;
        }
        last = missing.get();
      }
      if (deadline.isOver()) {
        throw refusal(
            what
                + ": not done within "
                + patience.toSeconds()
                + " s: "
                + last
                + "; it may be done later, and can be repeated");
      }
      Pause.ofMillis(PAUSE_MILLIS);
    }
  }

  /** Why the group is not yet what it shall be; empty where it is. */
  private Optional<String> attempt(
      String what, Next next, Optional<String> dropped, SeenNode leader, long asked) {
    SeenNode.Lead lead = leader.lead().orElseThrow();
    if (lead.changing()) {
      return Optional.of("another change of its group is at work");
    }
    return switch (next.after(leader, asked)) {
      case Goal.Reached _ -> Optional.empty();
      case Goal.Open open -> Optional.of(open.why());
      case Goal.Nodes nodes ->
          Optional.of(
              dropped.filter(leader.name()::equals).isPresent()
                  ? handOver(leader.name(), lead)
                  : send(what, leader.name(), lead, nodes.peers()));
    };
  }

  /** A leader is dropped by the next one. */
  private String handOver(String leads, SeenNode.Lead lead) {
    Optional<String> to =
        lead.silences().entrySet().stream()
            .filter(other ->
                lead.members().peers().stream()
                    .anyMatch(peer -> peer.id().name().equals(other.getKey())))
            .min(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey);
    if (to.isEmpty()) {
      return leads + " leads, and no other node is heard of";
    }
    log.info("{} leads the GMS and shall be dropped: {} shall lead", leads, to.get());
    return ask(
        leads,
        lead.members(),
        client -> client.admin().transferLeadership(RaftPeerId.valueOf(to.get()), HANDOVER_MILLIS));
  }

  private String send(String what, String leads, SeenNode.Lead lead, List<GmsPeer> next) {
    log.info("{}: the GMS shall be {}", what, next);
    SetConfigurationRequest.Arguments arguments =
        SetConfigurationRequest.Arguments.newBuilder()
            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
            .setServersInCurrentConf(lead.logged().stream().map(GmsGroup::peer).toList())
            .setServersInNewConf(next.stream().map(GmsGroup::peer).toList())
            .build();
    return ask(leads, lead.members(), client -> client.admin().setConfiguration(arguments));
  }

  private interface Request {
    RaftClientReply to(RaftClient client) throws IOException;
  }

  /** Sends a request to the leader; what came of it. */
  private String ask(String leads, GmsMembers members, Request request) {
    try (RaftClient client =
        MemberClients.of(
            GmsGroup.of(cluster, members.generation(), members.peers()),
            Optional.of(RaftPeerId.valueOf(leads)),
            secret,
            CHANGE_MILLIS,
            sentence -> log.warn("GMS: {}", sentence))) {
      RaftClientReply reply = request.to(client);
      return reply.isSuccess() ? "it is done" : failed(reply.getException());
    } catch (IOException e) {
      return failed(e);
    }
  }

  private static String failed(Exception why) {
    if (why instanceof ReconfigurationTimeoutException) {
      throw refusal(
          "the node that shall join does not answer the leader of the GMS: does its process run, and"
              + " is this its address?");
    }
    log.info("the group of the GMS was not changed: {}", why.toString());
    return String.valueOf(why.getMessage());
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
