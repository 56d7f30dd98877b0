package io.alrai.cn.analytic;

import io.alrai.cn.session.Session;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.lower.analytical.FragmentPlanner;
import io.alrai.optimizer.parse.LexicalMode;
import io.alrai.optimizer.split.KeptPlans;
import io.alrai.optimizer.split.Workload;
import io.alrai.optimizer.split.WorkloadChoice;
import io.alrai.optimizer.split.WorkloadWish;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Plans SELECTs over column indexes and says whether they are to go there: hint and variable before
 * keys, keys before cost. May wait for statistics: virtual threads. Thread-safe.
 */
public final class SelectExamination {
  private static final int MOST_PLANS = 1_000;

  private final IndexedTables tables;
  private final LearnedStatistics statistics;
  private final KeptPlans planner;
  private final Supplier<HlcTimestamp> now;

  /**
   * Of SELECTs over these tables.
   *
   * @param clock nanoseconds from any start
   * @param now a timestamp near now; may wait
   */
  public SelectExamination(IndexedTables tables, LongSupplier clock, Supplier<HlcTimestamp> now) {
    this.tables = tables;
    this.statistics = new LearnedStatistics(tables.indexes(), clock);
    this.planner = new KeptPlans(new FragmentPlanner(statistics), MOST_PLANS);
    this.now = now;
  }

  /** Looks at a statement. */
  Examined of(AskedSelect asked) {
    AnalyticalAnswer answer = answer(asked);
    Optional<Workload> hint = WorkloadWish.ofHint(asked.statement().text());
    Optional<Workload> variable = asked.session().workload();
    if (answer instanceof AnalyticalAnswer.Planned planned
        && hint.isEmpty()
        && variable.isEmpty()) {
      if (AnalyticSelects.isPinned(asked.select())) {
        return transactional(answer, "its partition key is given");
      }
      if (PointReads.is(planned.plan(), tables.catalog(), statistics)) {
        return transactional(answer, "few rows by their keys");
      }
    }
    return new Examined(
        answer, WorkloadChoice.of(answer, hint, variable, WorkloadChoice.DEFAULT_THRESHOLD));
  }

  private static Examined transactional(AnalyticalAnswer answer, String reason) {
    return new Examined(answer, new WorkloadChoice(Workload.TP, reason));
  }

  private AnalyticalAnswer answer(AskedSelect asked) {
    Session session = asked.session();
    Optional<String> obstacle = SessionFit.obstacle(session.settings(), asked.statement().text());
    if (obstacle.isPresent()) {
      return new AnalyticalAnswer.NotCovered(obstacle.get());
    }
    AnalyticalAnswer answer = plan(asked);
    if (answer instanceof AnalyticalAnswer.Planned first) {
      Optional<String> missing = missing(first);
      if (missing.isPresent()) {
        return new AnalyticalAnswer.NotCovered(missing.get());
      }
      return learn(first) ? plan(asked) : first;
    }
    return answer;
  }

  private AnalyticalAnswer plan(AskedSelect asked) {
    LexicalMode mode = asked.session().lexicalMode();
    return planner.plan(
        asked.statement(),
        asked.values(),
        mode.charset(),
        new Planner.Context(
            tables.catalog(),
            asked.session().schema(),
            mode.ansiQuotes(),
            mode.noBackslashEscapes()));
  }

  /** What of a plan cannot be read, as a part of a sentence. */
  private Optional<String> missing(AnalyticalAnswer.Planned planned) {
    var names = ScannedTables.of(planned.plan());
    if (names.isEmpty()) {
      return Optional.of("a statement without tables");
    }
    for (ScannedTables.Name name : names) {
      Optional<ColumnIndex> index = tables.indexes().find(name.schema(), name.table());
      if (index.isEmpty()) {
        return Optional.of("the table " + name + ", which has no column index");
      }
      if (!index.get().isReady()) {
        return Optional.of(
            "the table " + name + ", whose column index is " + index.get().figures().state());
      }
    }
    return Optional.empty();
  }

  /** Learns what is not known of a plan's tables; whether something has changed. */
  private boolean learn(AnalyticalAnswer.Planned planned) {
    Catalog catalog = tables.catalog();
    boolean learned = false;
    for (ScannedTables.Name name : ScannedTables.of(planned.plan())) {
      Optional<Table> table = catalog.table(name.schema(), name.table());
      if (table.isPresent() && statistics.isStale(table.get())) {
        learned |= statistics.learn(table.get(), now.get());
      }
    }
    if (learned) {
      planner.clear();
    }
    return learned;
  }
}
