package io.alrai.cn.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.session.FixedSession;
import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.CompletionType;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.tx.FakeDns;
import io.alrai.cn.variable.KnownVariable.InSession;
import io.alrai.cn.variable.KnownVariables;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement.VariableScope;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CnAssignmentsTest {
  private final SettingsRegistry registry = new SettingsRegistry();
  private final Session session =
      FixedSession.of(new FakeDns(new EmbeddedChannel().eventLoop()), registry);
  private final VariableChange change = new VariableChange(session);

  /** Words and DEFAULT need no mysqld. */
  private WrittenValue value(VariableScope scope, String name, String word) {
    return new WrittenValue(null, change, name, scope, word);
  }

  private void set(String name, String word) {
    CnAssignments.readOfSession(value(VariableScope.SESSION, name, word));
  }

  /** Otherwise SET of one would be an internal error. */
  @Test
  void everyVariableThatTheCnHasCanBeSet() {
    Set<String> all =
        new TreeSet<>(
            Set.of(
                OwnVariables.READ_CONSISTENCY,
                OwnVariables.WORKLOAD_TYPE,
                OwnVariables.CONFLICTS,
                OwnVariables.STATEMENT_TIMEOUT,
                ReplicaSettings.LEADER_WEIGHT,
                ReplicaSettings.CONSISTENT,
                ReplicaSettings.DELAY,
                ReplicaSettings.WHEN_DELAYED,
                OwnVariables.SESSION_STAMP));
    KnownVariables.all().stream()
        .filter(known -> known.session() == InSession.CN)
        .forEach(known -> all.add(known.name().text()));
    assertEquals(all, new TreeSet<>(CnAssignments.namesOfSession()));
  }

  @Test
  void nothingChangesBeforeAllIsRight() {
    set(OwnVariables.READ_CONSISTENCY, "eventual");
    set(OwnVariables.WORKLOAD_TYPE, "AP");
    assertFalse(session.reads().eventual());
    assertTrue(session.own().workload().isEmpty());
    change.apply();
    assertTrue(session.reads().eventual());
    assertEquals("AP", OwnVariables.workloadType(session));
  }

  @Test
  void theLastOneOfAVariableCounts() {
    set(OwnVariables.READ_CONSISTENCY, "eventual");
    set(OwnVariables.READ_CONSISTENCY, "strong");
    change.apply();
    assertFalse(session.reads().eventual());
  }

  @Test
  void defaultIsTheGlobalValue() {
    registry.conflicts(true);
    set(OwnVariables.CONFLICTS, "DEFAULT");
    session.own().completion(CompletionType.CHAIN);
    set(CompletionType.NAME, "DEFAULT");
    change.apply();
    assertTrue(session.reads().conflicts());
    assertEquals(CompletionType.NO_CHAIN, session.own().completion());
  }

  @Test
  void globalOnesAreOfTheCn() {
    CnAssignments.readGlobal(value(VariableScope.GLOBAL, OwnVariables.CONFLICTS, "ON"));
    assertFalse(registry.conflicts());
    change.apply();
    assertTrue(registry.conflicts());
    assertFalse(session.reads().conflicts());
  }

  @Test
  void readsOfReplicasAreOfSessionsAndTheCn() {
    CnAssignments.readGlobal(value(VariableScope.GLOBAL, ReplicaSettings.CONSISTENT, "OFF"));
    set(ReplicaSettings.CONSISTENT, "DEFAULT");
    change.apply();
    assertFalse(registry.replicas().consistent());
    assertTrue(session.reads().replicas().settings().consistent(), "the CN's value was ON then");
    AlraiException refusal =
        assertThrows(AlraiException.class, () -> set(ReplicaSettings.CONSISTENT, "perhaps"));
    assertTrue(refusal.is(ErrorCode.ER_WRONG_VALUE_FOR_VAR));
    assertThrows(AlraiException.class, () -> set(ReplicaSettings.LEADER_WEIGHT, "half"));
  }

  @Test
  void wrongWordsAreRefused() {
    AlraiException refusal =
        assertThrows(AlraiException.class, () -> set(OwnVariables.READ_CONSISTENCY, "sometimes"));
    assertTrue(refusal.is(ErrorCode.ER_WRONG_VALUE_FOR_VAR));
  }
}
