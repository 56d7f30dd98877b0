package io.alrai.optimizer.lower;

import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.parse.NamedLocks;
import io.alrai.optimizer.syntax.Expr;

/** What no statement may contain. */
final class Refusals {
  private Refusals() {}

  /**
   * Checks a statement.
   *
   * @throws io.alrai.common.error.AlraiException 1235
   */
  static void check(Analysis analysis) {
    if (analysis.systemTables()) {
      throw Planning.unsupported(
          "tables of a system schema beside others in one statement; run two statements");
    }
    for (Relation.Base base : analysis.tables()) {
      if (base.reference().partitionSelection()) {
        throw Planning.unsupported("PARTITION (...) in FROM; use a condition on the partition key");
      }
    }
    for (BlockFacts facts : analysis.blocks()) {
      facts.expressions().forEach(expr -> expr.walk(Refusals::check));
    }
  }

  static void check(Expr expr) {
    if (Functions.isNamedLock(expr)) {
      throw NamedLocks.refusal();
    }
  }

  /** Whether any expression gives another value at every evaluation. */
  static boolean isUnrepeatable(Analysis analysis) {
    boolean[] found = new boolean[1];
    for (BlockFacts facts : analysis.blocks()) {
      facts
          .expressions()
          .forEach(expr -> expr.walk(inner -> found[0] |= Functions.isUnrepeatable(inner)));
    }
    return found[0];
  }
}
