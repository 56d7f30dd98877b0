package io.alrai.cn.text;

import io.alrai.cn.statement.StatementRun;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import java.util.HashSet;
import java.util.Set;

/**
 * Which holes of a template a prepared statement of a DN can have as its parameters: those that are
 * parameters of the client's. One execution; any thread that holds the session.
 *
 * @param inList whether they may be in a select list: there they have other types than their values
 *     in a text, which some place may run
 * @param written slots whose values stand in the text: LIMIT takes no values of other types
 * @param grouped whether groups are made of the rows: they may be by nothing that has parameters,
 *     since two of these are never the same to a mysqld
 * @param twice whether a parameter may be there several times
 */
record ParameterHoles(
    StatementRun run, boolean inList, Set<Integer> written, boolean grouped, boolean twice) {
  /** Those of a whole statement, which runs at one place. */
  static ParameterHoles ofStatement(StatementRun run) {
    return new ParameterHoles(run, true, Set.of(), false, false);
  }

  /**
   * Those of a statement for places whose rows are merged.
   *
   * @param everywhere whether they are always the same places
   */
  static ParameterHoles ofShards(StatementRun run, MergePlan plan, boolean everywhere) {
    boolean grouped = plan.aggregation().stream().anyMatch(all -> !all.groupBy().isEmpty());
    boolean twice = plan.distinct().isEmpty();
    return new ParameterHoles(run, everywhere, ofLimit(plan), grouped, everywhere && twice);
  }

  /** The slots of LIMIT. */
  static Set<Integer> ofLimit(MergePlan plan) {
    Set<Integer> slots = new HashSet<>();
    for (Limit limit : plan.limit().stream().toList()) {
      slots.add(limit.offsetSlot());
      slots.add(limit.countSlot());
    }
    return slots;
  }

  /** Whether a select list may have some, whose places decide about types of columns. */
  boolean areListed(SqlTemplate template) {
    for (Piece piece : template.pieces()) {
      if (piece instanceof Piece.PlaceSchema) {
        return false;
      }
      if (piece instanceof Piece.Slot slot && isBound(slot)) {
        return true;
      }
    }
    return false;
  }

  private boolean isBound(Piece.Slot slot) {
    return run.statement().isParameter(slot.index()) && !written.contains(slot.index());
  }

  /** Whether parameters are its only holes, each where it may be. */
  boolean areParameters(SqlTemplate template) {
    Set<Integer> seen = new HashSet<>();
    int selects = 0;
    boolean afterFrom = false;
    boolean afterGroups = false;
    for (Piece piece : template.pieces()) {
      boolean fits =
          switch (piece) {
            case Piece.Text text -> {
              selects += count(text.sql(), "SELECT");
              afterGroups |= grouped && count(text.sql(), "GROUP BY") > 0;
              yield true;
            }
            case Piece.PlaceSchema schema -> {
              afterFrom = true;
              yield true;
            }
            case Piece.Slot slot ->
                !isBound(slot)
                    || ((inList || afterFrom)
                        && !afterGroups
                        && isFinite(slot)
                        && (seen.add(slot.index()) || twice));
            case Piece.Sum sum -> !written.isEmpty();
            case Piece.Session value -> false;
            case Piece.UserVariable variable -> false;
            case Piece.SystemVariable variable -> false;
          };
      if (!fits) {
        return false;
      }
    }
    return (inList || selects == 1) && ((!grouped && written.isEmpty()) || areListed(template));
  }

  private static int count(String text, String word) {
    int found = 0;
    for (int at = 0; at + word.length() <= text.length(); at++) {
      if (text.regionMatches(true, at, word, 0, word.length())) {
        found++;
      }
    }
    return found;
  }

  /** What is not becomes an error of the text. */
  private boolean isFinite(Piece.Slot slot) {
    if (run.values().kind(slot.index()) != SlotValues.Kind.FLOAT) {
      return true;
    }
    for (byte digit : run.values().bytes(slot.index())) {
      if (digit == 'N' || digit == 'I') {
        return false;
      }
    }
    return true;
  }
}
