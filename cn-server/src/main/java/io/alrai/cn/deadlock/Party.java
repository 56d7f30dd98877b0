package io.alrai.cn.deadlock;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;

/**
 * A transaction of the cluster, named by the mysqld connection of its primary branch, or of its
 * only one.
 */
record Party(DnId dn, long connection) {
  /** Whose XA branches have this id. */
  static Party of(TransactionId id) {
    return new Party(id.primary(), id.primaryConnection());
  }
}
