package io.alrai.optimizer.route.select;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.FoundRows;
import io.alrai.executor.fragment.Plan.RowLocks;
import io.alrai.executor.fragment.Plan.StatementText;
import io.alrai.executor.fragment.Refusal;
import io.alrai.executor.fragment.Refusal.Way;
import io.alrai.executor.fragment.Targets;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.LabelEdits;
import io.alrai.optimizer.route.PlaceTexts;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.Refusals;
import io.alrai.optimizer.route.RowLimit;
import io.alrai.optimizer.route.SelectAssignments;
import io.alrai.optimizer.route.TargetChoice;
import io.alrai.optimizer.route.gather.GatherPlanner;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.RowLock;
import io.alrai.optimizer.view.ReshapedStatement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** SELECT, TABLE and VALUES. */
public final class SelectPlanner {

  private final Planning planning;
  private final Analysis analysis;

  public SelectPlanner(Planning planning, Analysis analysis) {
    this.planning = planning;
    this.analysis = analysis;
  }

  /** Plans an analysed query that is the whole statement. */
  public Plan.Select plan(Query query) {
    return plan(query, new Span(0, planning.text().text().length()));
  }

  /** Plans an analysed query that stands there. */
  public Plan.Select plan(Query query, Span whole) {
    if (query.into().isPresent()) {
      throw Planning.unsupported("INTO in a query that is a part of a statement");
    }
    Optional<Span> calcFoundRows = calcFoundRows(query.body());
    if (calcFoundRows.isPresent()) {
      Query all = query.withoutLimit();
      return new SelectPlanner(planning.without(cut(query, calcFoundRows.get())), analysis)
          .plan(all, whole, Optional.of(foundRows(query)));
    }
    return plan(query, whole, Optional.empty());
  }

  /** The first SELECT of a set operation says it for the whole. */
  private static Optional<Span> calcFoundRows(Query.Body body) {
    return switch (body) {
      case Query.Block block -> block.selection().calcFoundRows();
      case Query.SetOperation operation -> calcFoundRows(operation.left());
      case Query.Nested nested -> Optional.empty();
      case Query.WholeTable table -> Optional.empty();
      case Query.Values values -> Optional.empty();
    };
  }

  private static List<Span> cut(Query query, Span calcFoundRows) {
    return query
        .limit()
        .map(limit -> List.of(calcFoundRows, limit.span()))
        .orElse(List.of(calcFoundRows));
  }

  private static FoundRows foundRows(Query query) {
    Optional<MergePlan.Limit> limit = query.limit().flatMap(RowLimit::of);
    if (query.limit().isPresent() && limit.isEmpty()) {
      throw Planning.unsupported("SQL_CALC_FOUND_ROWS with LIMIT by an expression");
    }
    return new FoundRows(limit);
  }

  private Plan.Select plan(Query query, Span whole, Optional<FoundRows> foundRows) {
    Refusals.check(analysis);
    TargetChoice choice = TargetChoice.of(analysis, planning);
    StatementText pinned = new PlaceTexts(planning, analysis, whole).pinned(choice.naming());
    RowLocks locking = rowLocks(query);
    List<Span> inserted = ReshapedStatement.insertedIn(planning.statement());
    boolean views = !inserted.isEmpty();
    boolean byShape = ResultShape.decides(query, planning.text(), inserted);
    boolean labels = LabelEdits.areColumnsNamedByText(query);
    boolean floats = readsFloats();
    boolean plain = !views && foundRows.isEmpty();
    Plan.Select atOnePlace =
        new Plan.Select(
            choice.targets(),
            pinned,
            Optional.empty(),
            Optional.empty(),
            byShape,
            labels,
            locking,
            views,
            floats,
            foundRows,
            plain
                ? RowDependencies.of(planning.catalog(), query, analysis, locking)
                : Optional.empty(),
            choice.reason());
    SelectAssignments assignments = SelectAssignments.of(planning);
    if (choice.scattered().isPresent()) {
      GatherPlan gather =
          new GatherPlanner(planning, analysis, assignments)
              .plan(query, whole)
              .instead(noMerge(choice.scattered().get()));
      String reason = "gather: " + choice.scattered().get();
      return atOnePlace.over(choice.targets(), Optional.empty(), Optional.of(gather), reason);
    }
    if (!choice.severalPlaces()) {
      return atOnePlace;
    }
    return assignments.any()
        ? assigning(atOnePlace, query, whole, assignments)
        : overSeveral(atOnePlace, query, whole);
  }

  /** Only one mysqld can go from row to row. */
  private Plan.Select assigning(
      Plan.Select atOnePlace, Query query, Span whole, SelectAssignments assignments) {
    GatherPlan gather = new GatherPlanner(planning, analysis, assignments).plan(query, whole);
    boolean byKeys = atOnePlace.targets() instanceof Targets.Keys && assignments.ofResultRows();
    return gathered(atOnePlace, gather, byKeys, "what a row assigns the next one reads");
  }

  private Plan.Select overSeveral(Plan.Select atOnePlace, Query query, Span whole) {
    return switch (new MergePlanner(planning, analysis, query).plan()) {
      case Alternative.Possible<MergePlan>(MergePlan merge) ->
          atOnePlace.over(
              atOnePlace.targets(), Optional.of(merge), Optional.empty(), atOnePlace.reason());
      case Alternative.Refused<MergePlan>(String reason) -> {
        GatherPlan gather = new GatherPlanner(planning, analysis).plan(query, whole);
        boolean byKeys = atOnePlace.targets() instanceof Targets.Keys;
        yield gathered(atOnePlace, gather, byKeys, reason);
      }
    };
  }

  /** {@code byKeys} says that one place may remain at execution, which runs it alone. */
  private static Plan.Select gathered(
      Plan.Select atOnePlace, GatherPlan gather, boolean byKeys, String reason) {
    Optional<GatherPlan> known = Optional.of(gather.instead(noMerge(reason)));
    return byKeys
        ? atOnePlace.over(
            atOnePlace.targets(),
            Optional.empty(),
            known,
            atOnePlace.reason() + "; several places are gathered: " + reason)
        : atOnePlace.over(new Targets.All(List.of()), Optional.empty(), known, "gather: " + reason);
  }

  private static List<Refusal> noMerge(String reason) {
    return List.of(new Refusal(Way.MERGE, reason));
  }

  /** Columns of the type, and what is said to be of it: by CAST, JSON_TABLE and the like. */
  private boolean readsFloats() {
    return planning.text().text().toUpperCase(Locale.ROOT).contains("FLOAT")
        || analysis.tables().stream()
            .flatMap(base -> base.table().columns().stream())
            .anyMatch(column -> column.type() == MysqlType.FLOAT);
  }

  private RowLocks rowLocks(Query query) {
    if (query.locking().isEmpty()) {
      return RowLocks.NONE;
    }
    boolean impatient =
        query.locking().stream().anyMatch(lock -> lock.onLocked() != RowLock.OnLocked.WAIT);
    if (query.locking().stream().allMatch(RowLock::shared)) {
      return impatient ? RowLocks.SHARED_IMPATIENT : RowLocks.SHARED;
    }
    return impatient ? RowLocks.IMPATIENT : RowLocks.WAITING;
  }
}
