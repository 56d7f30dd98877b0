package io.alrai.dn.gate.group;

import io.alrai.dn.gate.LogRules;
import io.alrai.dn.gate.SessionRules;
import io.alrai.testing.history.Level;

/** Sessions on groups: they ask the next leader what became of a commit. */
final class GroupSessions extends SessionRules {
  private final GroupRules rules;

  GroupSessions(GroupRules rules) {
    super(Level.SNAPSHOT);
    this.rules = rules;
  }

  @Override
  public boolean asksOutcomes() {
    return true;
  }

  @Override
  public double diesDecided() {
    return 0.1;
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
