package io.alrai.cn.command;

import io.alrai.cn.session.Session;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;

/** Where a mysqld looks at a statement over tables without rows. Event loop only. */
final class ShadowBranch {
  private ShadowBranch() {}

  /** Takes a branch of any DN; of a session with temporary tables where it has these. */
  static void take(ClientConnection connection, BranchTaker taker) {
    Session session = connection.session();
    if (session.temporary().none()) {
      connection.take(
          connection.services().links().any(), BackendAccount.DATA, session.schema(), taker);
    } else {
      session.transaction().temporary().take(taker);
    }
  }
}
