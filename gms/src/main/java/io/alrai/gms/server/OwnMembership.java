package io.alrai.gms.server;

import io.alrai.common.id.NodeId;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.member.KnownGms;
import io.alrai.gms.member.MembersLook;
import io.alrai.gms.member.SeenNode;
import java.util.List;
import java.util.Optional;

/** Whether a node is one of its group, by what it and the others say. One thread. */
final class OwnMembership {
  private final NodeId self;
  private final long generation;
  private final KnownGms known;

  /** Whether it is a founder, or a leader has named it. */
  private boolean wasMember;

  /**
   * A node's, as far as its files tell.
   *
   * @param generation its own
   * @param joins whether it was started to be added
   * @param known what it knew when it ended; learns
   */
  OwnMembership(NodeId self, long generation, boolean joins, KnownGms known) {
    this.self = self;
    this.generation = generation;
    this.known = known;
    // leaders' terms are above 0: without one the members were those who answered, itself, too
    this.wasMember = !joins || (known.latest().term() > 0 && isIn(known.latest()));
  }

  /**
   * Takes note of what was seen.
   *
   * @return why the group goes on without this node
   */
  Optional<String> look(List<SeenNode> seen) {
    Optional<String> over = later(seen).or(() -> without(seen));
    if (over.isPresent()) {
      return over;
    }
    wasMember |= settled(seen).filter(this::isIn).isPresent();
    if (wasMember) {
      MembersLook.newest(seen)
          .filter(members -> members.generation() == generation)
          .filter(this::isIn)
          .ifPresent(known::learn);
    }
    return Optional.empty();
  }

  private Optional<String> later(List<SeenNode> seen) {
    return seen.stream()
        .filter(node -> node.generation() > generation)
        .findFirst()
        .map(node ->
            node.name()
                + " was made the group of the GMS by force and is in generation "
                + node.generation());
  }

  /**
   * A joiner waits until it is added: leaders do not name it before. One that leads no more, and
   * does not know it yet, may not have heard that it was: what it says is not later than what is
   * known.
   */
  private Optional<String> without(List<SeenNode> seen) {
    return settled(seen)
        .filter(members -> wasMember && members.isAfter(known.latest()) && !isIn(members))
        .map(_ -> GmsServer.GO_ON_WITHOUT_IT);
  }

  /** What a leader says while no change is at work: one that is may not come about. */
  private Optional<GmsMembers> settled(List<SeenNode> seen) {
    return MembersLook.leader(seen)
        .flatMap(SeenNode::lead)
        .filter(lead -> lead.members().generation() == generation && !lead.changing())
        .map(SeenNode.Lead::members);
  }

  private boolean isIn(GmsMembers members) {
    return members.peers().stream().anyMatch(peer -> peer.id().equals(self));
  }
}
