package io.alrai.cn.tx;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;

/** XA names in SQL. */
final class XaNames {
  private XaNames() {}

  /** {@code 'gtrid','bqual',1}: the branch qualifier is the DN's name. */
  static String literal(TransactionId id, DnId dn) {
    return "'" + id.gtrid() + "','" + dn.name() + "',1";
  }
}
