package io.alrai.optimizer.route;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Partitioning;
import io.alrai.optimizer.api.token.NamedLocks;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.syntax.Expr;

/** What no statement may contain. */
public final class Refusals {
  private Refusals() {}

  /**
   * Checks a statement.
   *
   * @throws AlraiException 1235
   */
  public static void check(Analysis analysis) {
    if (analysis.systemTables()) {
      throw Planning.unsupported(
          "tables of a system schema beside others in one statement; run two statements");
    }
    boolean selects =
        analysis.tables().stream().anyMatch(base -> base.reference().partitionSelection());
    if (selects && !analysis.tables().stream().allMatch(Refusals::isSingle)) {
      throw Planning.unsupported(
          "PARTITION (...) in FROM beside tables that are not SINGLE; use a condition on the"
              + " partition key");
    }
    for (BlockFacts facts : analysis.blocks()) {
      facts.expressions().forEach(expr -> expr.walk(Refusals::check));
    }
  }

  private static boolean isSingle(Relation.Base base) {
    return base.table().partitioning() instanceof Partitioning.Single;
  }

  public static void check(Expr expr) {
    if (Functions.isNamedLock(expr)) {
      throw NamedLocks.refusal();
    }
  }

  /** That every copy of a row would have another value. */
  public static AlraiException unrepeatableCopies() {
    return Planning.unsupported(
        "RAND(), UUID() and the like in a write of a broadcast table; give the value");
  }

  /** Whether any expression gives another value at every evaluation. */
  public static boolean isUnrepeatable(Analysis analysis) {
    boolean[] found = new boolean[1];
    for (BlockFacts facts : analysis.blocks()) {
      facts
          .expressions()
          .forEach(expr ->
              expr.walk(inner -> found[0] |= StoredCalls.isUnrepeatable(inner, analysis.names())));
    }
    return found[0];
  }
}
