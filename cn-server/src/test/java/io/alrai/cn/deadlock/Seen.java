package io.alrai.cn.deadlock;

import io.alrai.cn.deadlock.DnParties.OpenBranch;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Mysqlds with transactions, written by hand. On every DN a transaction's number in InnoDB is its
 * connection's plus 1000.
 */
final class Seen {
  private static final long NUMBERS = 1_000;

  private final List<LockWait> waits = new ArrayList<>();
  private final Map<DnId, Map<Long, OpenBranch>> open = new HashMap<>();
  private long turns;

  static DnId dn(int number) {
    return new DnId("dn-" + number);
  }

  /** A plain transaction. */
  Seen plain(int dn, long connection, long begunMicros) {
    open.computeIfAbsent(dn(dn), key -> new HashMap<>())
        .put(connection, new OpenBranch(Optional.empty(), begunMicros));
    return this;
  }

  /** A plain transaction on one DN with an XA branch on another: its id. */
  TransactionId spanning(int dn, long connection, long begunMicros, int other, long there) {
    plain(dn, connection, begunMicros);
    long number = TransactionId.number(++turns, connection);
    TransactionId id = new TransactionId(new NodeId("cn-1"), 5, number, dn(dn));
    open.computeIfAbsent(dn(other), key -> new HashMap<>())
        .put(there, new OpenBranch(Optional.of(id), begunMicros + 500));
    return id;
  }

  Seen waits(int dn, long waiting, long blocking) {
    add(new LockWait(dn(dn), "lock " + waiting, NUMBERS + waiting, NUMBERS + blocking));
    return this;
  }

  void add(LockWait wait) {
    waits.add(wait);
  }

  Seen grants(int dn, long waiting) {
    waits.removeIf(wait -> wait.dn().equals(dn(dn)) && wait.waiting() == NUMBERS + waiting);
    return this;
  }

  List<LockWait> waits() {
    return List.copyOf(waits);
  }

  List<DnParties> parties() {
    List<DnParties> parties = new ArrayList<>();
    open.forEach((dn, branches) -> {
      Map<Long, Long> connections = new HashMap<>();
      branches.keySet().forEach(connection -> connections.put(NUMBERS + connection, connection));
      parties.add(new DnParties(dn, connections, branches));
    });
    return parties;
  }

  List<TransactionId> victims() {
    return new WaitGraph(waits(), parties()).victims();
  }
}
