package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.backend.Credentials;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.group.MysqldClone;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.mysqld.MysqldInstance;

/** That a member lets another one clone its mysqld. Stateless. */
final class RowOffer {
  private RowOffer() {}

  /**
   * Makes the mysqld ready for the login of another one.
   *
   * @throws AlraiException where the member has not all rows
   */
  static DonorLogin of(Member member, Role role) throws InterruptedException {
    if (role != Role.FOLLOWING && role != Role.LEADING) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "it has no rows to give while it is " + role);
    }
    MysqldInstance mysqld = member.supervisor().instance();
    DonorLogin login = new DonorLogin(MysqldInstance.CLONE_ACCOUNT, mysqld.clonePassword());
    MysqldConnector connector =
        new MysqldConnector(
            member.dn(),
            mysqld.socketPath(),
            account -> new Credentials(login.user(), login.password()));
    MysqldClone.offer(member.dn(), connector, member.loop(2));
    return login;
  }
}
