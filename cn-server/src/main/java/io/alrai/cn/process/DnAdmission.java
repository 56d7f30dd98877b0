package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.dn.raft.LostMark;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.topology.DataNodes;
import java.util.Optional;

/**
 * Which DNs may start in a cluster that has data: those that have their part of it. Asked before
 * anything of a DN is made; the GMS asks again when it registers. Stateless.
 */
final class DnAdmission {
  private DnAdmission() {}

  /**
   * Checks a DN.
   *
   * @param mysqld where its data is, or would be made
   * @throws AlraiException with a sentence that says why it may not start
   */
  static void check(Catalog catalog, DnId dn, MysqldConfig mysqld) {
    requireKnown(catalog, dn);
    if (isMember(catalog, dn, dn.name())) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          dn
              + " is a group, of which this agent is a member, and the file that says so is not in "
              + mysqld.directory()
              + ": it would write without the others; bring that directory back as it was");
    }
    if (catalog.holdsData() && !MysqldInstance.isThere(mysqld)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the data of "
              + dn
              + " is not in "
              + mysqld.directory()
              + ": it would start empty in the place of a DN that has rows; start it with the"
              + " directory that it had, or bring that back");
    }
  }

  private static boolean isMember(Catalog catalog, DnId dn, String name) {
    return catalog.dataNode(dn).stream()
        .flatMap(node -> node.members().stream())
        .anyMatch(member -> member.name().equals(name));
  }

  /** One whose log would be new, in a cluster where nobody has ever led a group of that DN. */
  private static boolean hasOneReplica(Catalog catalog, DnId dn, GroupConfig group) {
    return catalog.holdsData()
        && !group.founders().isEmpty()
        && !GroupLog.isThere(group)
        && catalog.dataNode(dn).filter(node -> node.term() == 0).isPresent();
  }

  private static void requireKnown(Catalog catalog, DnId dn) {
    if (catalog.holdsData()) {
      DataNodes.requireKnown(catalog.dataNodes(), dn);
    }
  }

  /**
   * Checks a member of a DN of several, an agent or a logger. Its rows may be lost, as others have
   * them. Its part of the group's log may not: it might vote once more, for somebody who lacks what
   * it has acknowledged. The catalog knows of members that have begun a log only, also of those
   * that join a group later. A loss is written down in the member's directory, as DROP makes the
   * catalog forget the name.
   *
   * @param group how it takes part
   * @throws AlraiException with a sentence that says why it may not start
   */
  static void check(Catalog catalog, DnId dn, GroupConfig group) {
    requireKnown(catalog, dn);
    boolean took = isMember(catalog, dn, group.name());
    Optional<DataNode> forced = ForcedMember.later(catalog, dn, 0);
    if (!took && forced.isPresent() && !group.founders().isEmpty() && !GroupLog.isThere(group)) {
      LostMark.write(group);
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          group.name()
              + " was dropped: "
              + ForcedMember.why(dn, forced.get().forced())
              + "; members of other names are added with ./alrai member add");
    }
    if (!took && hasOneReplica(catalog, dn, group)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          dn
              + " has one replica, whose rows no group's log has: start it without group."
              + dn
              + ", then add its members with ALTER SYSTEM ADD LOGGER and ADD FOLLOWER");
    }
    if ((took && !GroupLog.isThere(group)) || LostMark.is(group)) {
      LostMark.write(group);
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the log of "
              + group.name()
              + " is not in "
              + group.directory()
              + ": what it has voted for and acknowledged is lost with it, so it may not take part"
              + " in "
              + dn
              + " under this name any more; bring the directory back, or drop the member and add"
              + " another one, with ALTER SYSTEM DROP NODE and "
              + (group.own().keeps() == Keeps.ROWS ? "ADD FOLLOWER" : "ADD LOGGER"));
    }
  }
}
