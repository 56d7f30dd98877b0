package io.alrai.cn.ccl;

import io.alrai.cn.turn.SessionTurn;
import io.alrai.common.error.AlraiException;

/** Finds the rule that a session's statement is under, once for each. Stateless. */
public final class RuleTurn {
  private RuleTurn() {}

  /**
   * Whether a statement may begin at once. One that may not has queued: {@link SessionTurn#await}
   * comes next.
   *
   * @throws AlraiException 3009 where there is no room in the queue
   */
  public static boolean enters(SessionTurn turn, ShapeRules rules, ShapeRules.Asking statement) {
    if (turn.isInside()) {
      return true;
    }
    RuleQueue queue = rules.find(statement);
    if (queue == null) {
      turn.free();
      return true;
    }
    return turn.enters(queue);
  }
}
