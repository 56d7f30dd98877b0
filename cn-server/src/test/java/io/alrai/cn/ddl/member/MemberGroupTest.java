package io.alrai.cn.ddl.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job that needs a member's answer asks more than once. */
class MemberGroupTest {
  private static final MemberStatus STATUS =
      new MemberStatus("b", "JOINING", false, 0, 7, 0, 0, "", "h:b", List.of(), Cloning.NONE);

  private int silent;
  private int asks;

  private Optional<MemberStatus> ask() {
    asks++;
    return asks > silent ? Optional.of(STATUS) : Optional.empty();
  }

  @Test
  void aSlowMemberIsAskedAgain() {
    silent = 2;
    assertSame(STATUS, MemberGroup.answer("b", this::ask));
  }

  @Test
  void oneThatAnswersIsAskedOnce() {
    MemberGroup.answer("b", this::ask);
    assertEquals(1, asks);
  }

  @Test
  void aSilentMemberIsRefusedAfterThreeQuestions() {
    silent = 100;
    AlraiException refusal =
        assertThrows(AlraiException.class, () -> MemberGroup.answer("b", this::ask));
    assertEquals("b does not answer; start it first, or try again if it runs", refusal.sentence());
    assertEquals(3, asks);
  }
}
