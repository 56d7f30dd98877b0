package io.alrai.cn.deadlock;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import java.util.Map;
import java.util.Optional;

/**
 * Whose the transactions of one DN are.
 *
 * @param connections connection by InnoDB's transaction number; none for a branch that is prepared
 *     and detached, which waits for nothing any more
 * @param open what each connection has open, by connection
 */
record DnParties(DnId dn, Map<Long, Long> connections, Map<Long, OpenBranch> open) {
  DnParties {
    connections = Map.copyOf(connections);
    open = Map.copyOf(open);
  }

  static DnParties none(DnId dn) {
    return new DnParties(dn, Map.of(), Map.of());
  }

  /**
   * A connection's open transaction.
   *
   * @param id of an XA branch
   * @param begunMicros microseconds since 1970 by the mysqld's clock
   */
  record OpenBranch(Optional<TransactionId> id, long begunMicros) {}
}
