package io.alrai.cn.command;

import io.alrai.cn.session.Session;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;

/** A branch on which a mysqld looks at a statement over tables without rows. Event loop only. */
final class ShadowBranch {
  private ShadowBranch() {}

  /**
   * Takes a branch for a statement that is prepared, of which nothing runs. For SET a mysqld
   * already checks the privilege then; the CN has checked the client's.
   */
  static void takeToPrepare(ClientConnection connection, String text, BranchTaker taker) {
    if (text.regionMatches(true, 0, "SET", 0, 3)) {
      Session session = connection.session();
      connection
          .branches()
          .take(
              connection.services().transactions().links().any(),
              BackendAccount.ADMIN,
              session.schema(),
              taker);
    } else {
      take(connection, taker);
    }
  }

  /** Takes a branch of any DN; for a session with temporary tables, where these are. */
  static void take(ClientConnection connection, BranchTaker taker) {
    Session session = connection.session();
    if (session.temporary().none()) {
      connection
          .branches()
          .take(
              connection.services().transactions().links().any(),
              BackendAccount.DATA,
              session.schema(),
              taker);
    } else {
      session.transaction().held().temporary().take(taker);
    }
  }
}
