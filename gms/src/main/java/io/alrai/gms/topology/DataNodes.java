package io.alrai.gms.topology;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import io.alrai.raft.GroupIds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The DNs of a cluster, ordered by name. Stateless. */
public final class DataNodes {
  private DataNodes() {}

  /**
   * The DNs after a command about one.
   *
   * @param version of the catalog with the command
   * @param holdsData whether the cluster has what a new DN does not
   * @throws AlraiException ER_NOT_SUPPORTED_YET for a new one that registers then
   */
  public static List<DataNode> after(
      List<DataNode> known, CatalogCommand.OnDataNode command, long version, boolean holdsData) {
    return switch (command) {
      case CatalogCommand.PutDataNode put -> put(known, put.node());
      case CatalogCommand.RegisterDataNode(DataNode node) -> {
        if (holdsData) {
          requireKnown(known, node.id());
        }
        yield put(known, node);
      }
      case CatalogCommand.PutDnMember(DnId dn, DnMember member, long generation) -> {
        if (holdsData) {
          requireKnown(known, dn);
        }
        find(known, dn).ifPresent(node -> requirePresent(node, member, generation));
        yield replace(
            known, with(find(known, dn).orElse(new DataNode(dn, member.address())), member));
      }
      case CatalogCommand.DropDnMember(DnId dn, String member) ->
          find(known, dn).map(node -> replace(known, without(node, member))).orElse(known);
      case CatalogCommand.HintLeader(DnId dn, String address, long term) ->
          find(known, dn)
              .filter(node -> term >= node.term())
              .map(node -> replace(known, node.led(address, term)))
              .orElse(known);
      case CatalogCommand.ForceGroup force -> replace(known, forced(known, force, version));
    };
  }

  private static Optional<DataNode> find(List<DataNode> known, DnId dn) {
    return known.stream().filter(node -> node.id().equals(dn)).findFirst();
  }

  private static DataNode with(DataNode node, DnMember member) {
    List<DnMember> members = new ArrayList<>(node.members());
    members.removeIf(other -> other.name().equals(member.name()));
    members.add(member);
    members.sort(Comparator.comparing(DnMember::name));
    return node.with(members);
  }

  private static DataNode without(DataNode node, String member) {
    List<DnMember> members =
        node.members().stream().filter(other -> !other.name().equals(member)).toList();
    return node.with(members);
  }

  /** One that a group was forced without does not come back; a learner is of no generation. */
  private static void requirePresent(DataNode node, DnMember member, long generation) {
    ForcedGroup forced = node.forced();
    boolean votes = member.keeps() != DnMember.Keeps.LEARNER;
    if (votes && generation < forced.generation() && !member.name().equals(forced.survivor())) {
      throw refusal(
          member.name()
              + " was dropped from the group of "
              + node.id()
              + ", of which "
              + forced.survivor()
              + " was made the whole by force");
    }
  }

  private static DataNode forced(
      List<DataNode> known, CatalogCommand.ForceGroup force, long version) {
    DataNode node =
        find(known, force.dn()).orElseThrow(() -> refusal("there is no DN '" + force.dn() + "'"));
    ForcedGroup before = node.forced();
    if (force.generation() == before.generation() && force.survivor().equals(before.survivor())) {
      return node.with(before.ended(force.ended()));
    }
    if (force.generation() <= before.generation()) {
      throw refusal(
          before.survivor()
              + " was made the group of "
              + node.id()
              + " in generation "
              + before.generation()
              + ", so "
              + force.survivor()
              + " cannot be");
    }
    DnMember survivor =
        node.members().stream()
            .filter(member -> member.name().equals(force.survivor()))
            .filter(member -> member.keeps() == DnMember.Keeps.ROWS)
            .findFirst()
            .orElseThrow(() ->
                refusal(force.survivor() + " is no member of " + node.id() + " that has rows"));
    List<DnMember> stay =
        node.members().stream()
            .filter(each -> each.equals(survivor) || each.keeps() == DnMember.Keeps.LEARNER)
            .toList();
    List<String> dropped =
        node.members().stream().filter(each -> !stay.contains(each)).map(DnMember::name).toList();
    return new DataNode(
        node.id(),
        survivor.address(),
        stay,
        GroupIds.firstTerm(force.generation()),
        new ForcedGroup(
                force.generation(),
                force.survivor(),
                version,
                force.after(),
                force.nowMillis(),
                dropped)
            .ended(force.ended()));
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }

  /** A new one, or a known one at a new address. */
  private static List<DataNode> put(List<DataNode> known, DataNode node) {
    return replace(
        known, find(known, node.id()).map(before -> before.at(node.address())).orElse(node));
  }

  private static List<DataNode> replace(List<DataNode> known, DataNode node) {
    if (known.contains(node)) {
      return known;
    }
    List<DataNode> next = new ArrayList<>(known);
    next.removeIf(other -> other.id().equals(node.id()));
    next.add(node);
    next.sort(Comparator.comparing(DataNode::id));
    return List.copyOf(next);
  }

  /**
   * That a DN is one of a cluster with data.
   *
   * @throws AlraiException ER_NOT_SUPPORTED_YET
   */
  public static void requireKnown(List<DataNode> known, DnId dn) {
    if (known.stream().noneMatch(node -> node.id().equals(dn))) {
      throw AlraiException.unsupported(
          "adding a DN to a cluster that has databases: "
              + dn
              + " is none of its DNs ("
              + known.stream().map(each -> each.id().name()).collect(Collectors.joining(", "))
              + "), start all DNs before the first CREATE DATABASE");
    }
  }
}
