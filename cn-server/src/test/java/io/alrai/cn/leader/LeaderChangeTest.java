package io.alrai.cn.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import org.junit.jupiter.api.Test;

class LeaderChangeTest {
  private final FakeGroup group = new FakeGroup("dn-1-a", "dn-1-b");

  private String refusal() {
    return assertThrows(AlraiException.class, () -> LeaderChange.to(group, "dn-1-b")).sentence();
  }

  @Test
  void theOneThatIsNamedLeads() {
    LeaderChange.to(group, "dn-1-b");
    assertEquals("dn-1-b", group.leader);
  }

  /** A machine may be so full that its members need seconds for an answer. */
  @Test
  void whoDoesNotAnswerInTimeIsAskedAgain() {
    group.slow = 4; // both, two times
    LeaderChange.to(group, "dn-1-b");
    assertEquals("dn-1-b", group.leader);
  }

  @Test
  void whoNeverAnswersDoesNotLead() {
    group.silent = "dn-1-b";
    assertEquals(
        "dn-1-b does not answer: dn-1-b cannot be reached; start it, or try again if it runs",
        refusal());
    assertEquals(0, group.changes);
  }

  @Test
  void whereNobodyLeadsNobodyIsAskedToGo() {
    group.silent = "dn-1-a";
    assertTrue(refusal().startsWith("nobody leads the group of dn-1-b now"), refusal());
    assertEquals(0, group.changes);
  }
}
