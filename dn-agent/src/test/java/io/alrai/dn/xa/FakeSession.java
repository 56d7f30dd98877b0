package io.alrai.dn.xa;

import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.binlog.TransactionKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A session of a {@link FakeMysqld}. */
final class FakeSession extends FakeBranch {
  /** Rows of alrai.tx_log that the open transaction has locked, as they will be. */
  final Map<String, Optional<FakeTxLog.Row>> pendingLog = new HashMap<>();

  boolean inTransaction;
  String marker = "";

  /** Set in the open transaction. */
  TransactionKind.@Nullable Decision mark;

  private final FakeMysqld mysqld;

  FakeSession(FakeMysqld mysqld) {
    super(mysqld.dn, mysqld.loop, mysqld);
    this.mysqld = mysqld;
  }

  void begin() {
    inTransaction = true;
  }

  void commitPlain() {
    Map<String, Optional<FakeTxLog.Row>> rows = Map.copyOf(pendingLog);
    String wrote = marker;
    TransactionKind.Decision decision = mark;
    forgetTransaction();
    if (!wrote.isEmpty()) {
      mysqld.committed.add(wrote);
    }
    boolean changed = mysqld.log.commit(rows, mysqld::logged);
    if (decision != null && (changed || !wrote.isEmpty())) {
      mysqld.marked(decision);
    }
  }

  void forgetTransaction() {
    pendingLog.clear();
    mark = null;
    marker = "";
    inTransaction = false;
  }

  @Override
  public boolean keepsPrepared() {
    return mysqld.keepsPrepared;
  }
}
