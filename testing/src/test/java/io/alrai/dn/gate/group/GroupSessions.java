package io.alrai.dn.gate.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.LogRules;
import io.alrai.dn.gate.SessionRules;
import io.alrai.testing.history.Level;

/** Sessions on groups: they ask the next leader what became of a commit. */
final class GroupSessions extends SessionRules {
  private final GroupRules rules;
  private final int slowness;

  GroupSessions(GroupRules rules, long seed) {
    super(Level.SNAPSHOT);
    this.rules = rules;
    this.slowness = seed % 3 == 0 ? 20 : 1;
  }

  @Override
  public boolean asksOutcomes() {
    return true;
  }

  @Override
  public boolean losesClocks() {
    return true;
  }

  @Override
  public double readsReplicas() {
    return rules.readsReplicas();
  }

  @Override
  public double losesReplicas() {
    return 0.3;
  }

  @Override
  public HlcTimestamp reopenedAt(HlcTimestamp snapshot, HlcTimestamp now) {
    return rules.reopensAtTheSnapshot() ? snapshot : new HlcTimestamp(now.value() + (1L << 16));
  }

  @Override
  public boolean restartsWithoutSnapshot() {
    return rules.restartsWithoutSnapshot();
  }

  @Override
  public int slowness() {
    return slowness;
  }

  @Override
  public double diesDecided() {
    return 0.15;
  }

  @Override
  public LogRules log() {
    return new LogRules() {
      @Override
      public boolean readsBeforeAnswering() {
        return rules.readsTheLogFirst();
      }
    };
  }
}
