package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.topology.DataNodes;
import java.nio.file.Files;
import java.nio.file.Path;

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
    if (!catalog.holdsData()) {
      return;
    }
    DataNodes.requireKnown(catalog.dataNodes(), dn);
    if (!MysqldInstance.isThere(mysqld)) {
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

  /**
   * Checks a member that joins a DN's group: it begins empty, once.
   *
   * @param groupLog where its part of the group's log is, or would be made
   * @throws AlraiException where it has been there before, and has lost what it had
   */
  static void checkJoiner(Catalog catalog, DnId dn, String member, Path groupLog) {
    DataNodes.requireKnown(catalog.dataNodes(), dn);
    boolean known =
        catalog.dataNode(dn).stream()
            .flatMap(node -> node.members().stream())
            .anyMatch(each -> each.name().equals(member));
    if (known && !Files.exists(groupLog)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "what "
              + member
              + " has voted for is not in "
              + groupLog
              + ": bring it back, or drop the member and add another"
              + " one, with ALTER SYSTEM DROP NODE and ADD FOLLOWER");
    }
  }
}
