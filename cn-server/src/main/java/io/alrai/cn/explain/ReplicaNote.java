package io.alrai.cn.explain;

import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.executor.fragment.Plan;
import java.util.Optional;

/** What EXPLAIN says of members that follow, where a SELECT may be read there. */
final class ReplicaNote {
  private static final int NOTE = 1003;

  private ReplicaNote() {}

  /**
   * A note, if there is something to say.
   *
   * @param analyze whether the statement was run
   */
  static Optional<Condition> of(Session session, Plan plan, boolean analyze) {
    if (!(plan instanceof Plan.Select select) || select.locking() || select.ofSession()) {
      return Optional.empty();
    }
    SessionTransaction transaction = session.transaction();
    if (transaction.open()) {
      return transaction.views().replicas().serves()
          ? note("the transaction reads at members that follow")
          : Optional.empty();
    }
    int leaders = transaction.reads().replicas().settings().leaderWeight();
    if (leaders == 100 || transaction.held().tableLocks().held()) {
      return Optional.empty();
    }
    String some = "of 100 of these statements " + (100 - leaders) + " are read at members that";
    return note(
        some
            + " follow, as "
            + ReplicaSettings.LEADER_WEIGHT
            + " says"
            + (analyze ? "; this one was run at leaders" : ""));
  }

  private static Optional<Condition> note(String text) {
    return Optional.of(new Condition("Note", NOTE, text));
  }
}
