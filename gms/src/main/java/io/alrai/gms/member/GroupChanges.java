package io.alrai.gms.member;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.GmsMembers;
import io.alrai.gms.api.GmsNodes;
import io.alrai.gms.api.GmsPeer;
import io.alrai.gms.raft.GmsGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** A node that has not answered its leader for so long does not count as one that lives. */
  private static final Duration ALIVE = Duration.ofMillis(1_500);

  /** Longer than a leader waits for a joiner that does not answer. */
  private static final long CHANGE_MILLIS = 10_000;

  private static final long HANDOVER_MILLIS = 3_000;
  private static final long PAUSE_MILLIS = 100;

  private final String cluster;
  private final ClusterSecret secret;
  private final KnownMembers known;
  private final MembersLook look;
  private final Duration patience;

  /**
   * Changes of a group.
   *
   * @param patience how long one may take
   */
  public GroupChanges(
      String cluster,
      ClusterSecret secret,
      KnownMembers known,
      MembersLook look,
      Duration patience) {
    this.cluster = cluster;
    this.secret = secret;
    this.known = known;
    this.look = look;
    this.patience = patience;
  }

  @Override
  public GmsMembers members() {
    return known.latest();
  }

  @Override
  public void add(GmsPeer joiner) {
    change(
        "adding " + joiner,
        lead -> {
          List<GmsPeer> present = lead.members().peers();
          if (present.contains(joiner)) {
            return Optional.empty();
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
          return Optional.of(next);
        },
        Optional.empty());
  }

  @Override
  public void drop(String name) {
    change(
        "dropping " + name,
        lead -> {
          List<GmsPeer> present = lead.members().peers();
          List<GmsPeer> left =
              present.stream().filter(peer -> !peer.id().name().equals(name)).toList();
          if (left.size() == present.size()) {
            return Optional.empty();
          }
          if (left.isEmpty()) {
            throw refusal(name + " cannot be dropped: it is the only node of the GMS");
          }
          List<String> living =
              left.stream()
                  .map(peer -> peer.id().name())
                  .filter(each -> lives(lead, each))
                  .toList();
          if (living.size() * 2 <= left.size()) {
            throw refusal(
                name
                    + " cannot be dropped: of those that would be left, "
                    + left
                    + ", only "
                    + living
                    + " answer, which is no majority; start the others, or add a node, first");
          }
          return Optional.of(left);
        },
        Optional.of(name));
  }

  /** The leader itself is in none of its silences. */
  private static boolean lives(SeenNode.Lead lead, String name) {
    return lead.silences().getOrDefault(name, Duration.ZERO).compareTo(ALIVE) < 0;
  }

  /** What the group shall be; empty where it is so. */
  private interface Next {
    Optional<List<GmsPeer>> after(SeenNode.Lead lead);
  }

  private void change(String what, Next next, Optional<String> dropped) {
    Deadline deadline = Deadline.in(patience);
    String last = "nobody leads the GMS";
    while (true) {
      Optional<SeenNode> leader = MembersLook.leader(look.ask(known.everybody()));
      if (leader.isPresent() && leader.get().lead().isPresent()) {
        SeenNode.Lead lead = leader.get().lead().get();
        known.learn(lead.members());
        if (lead.changing()) {
          last = "another change of its group is at work";
        } else {
          Optional<List<GmsPeer>> wanted = next.after(lead);
          if (wanted.isEmpty()) {
            return;
          }
          last =
              dropped.filter(leader.get().name()::equals).isPresent()
                  ? handOver(leader.get().name(), lead)
                  : send(what, leader.get().name(), lead.members(), wanted.get());
        }
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
      pause();
    }
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

  private String send(String what, String leads, GmsMembers present, List<GmsPeer> next) {
    log.info("{}: the GMS shall be {}", what, next);
    SetConfigurationRequest.Arguments arguments =
        SetConfigurationRequest.Arguments.newBuilder()
            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
            .setServersInCurrentConf(present.peers().stream().map(GmsGroup::peer).toList())
            .setServersInNewConf(next.stream().map(GmsGroup::peer).toList())
            .build();
    return ask(leads, present, client -> client.admin().setConfiguration(arguments));
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

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
