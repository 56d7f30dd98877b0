package io.alrai.cn.tx;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.XaName;

/** XA names in SQL. */
final class XaNames {
  private XaNames() {}

  /** As the agents name the branch, whatever the session's character sets are. */
  static Sql literal(TransactionId id, DnId dn) {
    return Sql.client(XaName.literal(id, dn));
  }
}
