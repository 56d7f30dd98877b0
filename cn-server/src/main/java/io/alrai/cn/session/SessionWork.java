package io.alrai.cn.session;

import io.alrai.cn.tx.branch.OpenTransaction;
import io.alrai.dn.link.Branch;
import java.util.List;
import java.util.Optional;

/**
 * What a session does at one moment.
 *
 * @param open its transaction, if one is open
 * @param atWork the connections to mysqlds that run something for it
 */
public record SessionWork(Activity activity, Optional<OpenTransaction> open, List<Branch> atWork) {
  /** As far as it is known of a session that does not answer in time. */
  public static SessionWork unknown(Session session) {
    return new SessionWork(session.activity(), Optional.empty(), List.of());
  }
}
