package io.alrai.cn.privilege;

import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;

/**
 * What lets one session end others.
 *
 * @param user whose sessions it may end in any case
 * @param ofOthers whether it may end those of others
 * @param ofPeers whether it may end those of accounts with SYSTEM_USER
 */
public record KillRights(String user, boolean ofOthers, boolean ofPeers) {
  /** What an account has. */
  public static KillRights of(Access access) {
    return new KillRights(
        access.user(),
        access.has(Privilege.SUPER) || access.has(DynamicPrivilege.CONNECTION_ADMIN),
        access.has(DynamicPrivilege.SYSTEM_USER));
  }

  /**
   * Checks that a session may be ended.
   *
   * @throws AlraiException 1095 for one of another user, without CONNECTION_ADMIN and SUPER; 1227
   *     for one with SYSTEM_USER, without it
   */
  public void require(Session victim, Catalog catalog) {
    if (user.equals(victim.user().login().access().user())) {
      return;
    }
    if (!ofOthers) {
      throw new AlraiException(
          ErrorCode.ER_KILL_DENIED_ERROR,
          "You are not owner of thread "
              + Integer.toUnsignedString(victim.client().connectionId()));
    }
    Account other = catalog.accounts().get(victim.user().login().account());
    if (!ofPeers
        && other != null
        && other.grants().dynamic().containsKey(DynamicPrivilege.SYSTEM_USER)) {
      throw Denied.lacking("SYSTEM_USER");
    }
  }
}
