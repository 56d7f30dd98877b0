package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.Settled.Outcome;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** What an agent knows of decisions by its log, in one of its lives. */
final class ModelLog {
  private static final Settled IN_DOUBT = new Settled(Outcome.IN_DOUBT, HlcTimestamp.ZERO);

  private final World world;
  private final ModelMysqld mysqld;
  private final Gate gate;
  private final ModelDecisions decisions;
  private final SessionRules rules;

  /** Those with tombstones of this life. */
  private final Set<TransactionId> condemned = new HashSet<>();

  ModelLog(
      World world, ModelMysqld mysqld, Gate gate, ModelDecisions decisions, SessionRules rules) {
    this.world = world;
    this.mysqld = mysqld;
    this.gate = gate;
    this.decisions = decisions;
    this.rules = rules;
  }

  /** Whether it may not come to its decision any more. */
  boolean refuses(TransactionId id) {
    return rules.refusesCondemned() && condemned.contains(id);
  }

  /** What is known of it for good. */
  Settled told(TransactionId id) {
    HlcTimestamp marked = decisions.find(id);
    if (marked != null) {
      return new Settled(Outcome.COMMITTED, marked);
    }
    Long row = mysqld.txLog.logged(id);
    if (row == null) {
      return IN_DOUBT;
    }
    return row == 0
        ? new Settled(Outcome.ABORTED, HlcTimestamp.ZERO)
        : new Settled(Outcome.COMMITTED, new HlcTimestamp(row));
  }

  /** Later: the outcome; without a word of it there, nothing can be decided from now on. */
  void settle(TransactionId id, Consumer<Settled> to) {
    if (told(id).outcome() == Outcome.IN_DOUBT) {
      if (!decisions.complete() || !gate.giveUp(id)) {
        world.after(50, () -> to.accept(IN_DOUBT));
        return;
      }
      condemned.add(id);
    }
    if (decisions.find(id) != null) {
      world.after(50, () -> to.accept(told(id)));
      return;
    }
    mysqld.txLog.bury(id, buried -> to.accept(told(id)));
  }
}
