package io.alrai.cn.routine;

import io.alrai.optimizer.api.routine.Step;
import io.alrai.optimizer.api.routine.Step.Condition;
import io.alrai.optimizer.api.routine.Step.Declaration.Handler;
import java.util.Optional;

/** A block at work. Compared by identity. */
final class ActiveBlock {
  private final Step.Block block;

  ActiveBlock(Step.Block block) {
    this.block = block;
  }

  /**
   * Its handler for a condition: one for the error's number before one for its SQLSTATE, and that
   * before one for its class (MySQL Reference Manual, "Scope Rules for Handlers").
   */
  Optional<Handler> handler(RaisedCondition raised) {
    Handler best = null;
    int rank = 0;
    for (Handler handler : block.handlers()) {
      for (Condition condition : handler.conditions()) {
        int found = rank(condition, raised);
        if (found > rank) {
          best = handler;
          rank = found;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private static int rank(Condition condition, RaisedCondition raised) {
    return switch (condition) {
      case Condition.Number number -> number.errno() == raised.errno() ? 3 : 0;
      case Condition.State state -> state.state().equals(raised.state()) ? 2 : 0;
      case Condition.General general -> isOf(general.kind(), raised) ? 1 : 0;
    };
  }

  private static boolean isOf(Condition.Kind kind, RaisedCondition raised) {
    return switch (kind) {
      case SQLWARNING -> raised.isWarning() && !raised.isNotFound();
      case NOT_FOUND -> raised.isNotFound();
      case SQLEXCEPTION ->
          raised.isError() && !raised.isNotFound() && !raised.state().startsWith("01");
    };
  }
}
