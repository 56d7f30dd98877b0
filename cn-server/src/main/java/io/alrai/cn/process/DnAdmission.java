package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.topology.DataNodes;

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
}
