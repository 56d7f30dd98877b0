package io.alrai.cn.analytic;

import io.alrai.cn.columnar.RemotePlans;
import io.alrai.cn.columnar.RowScan;
import io.alrai.cn.columnar.RowTables;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.session.Session;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.workload.KeptPlans;
import io.alrai.optimizer.api.workload.Workload;
import io.alrai.optimizer.api.workload.WorkloadChoice;
import io.alrai.optimizer.api.workload.WorkloadWish;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans SELECTs over column indexes and says whether they are to go there: hint and variable before
 * keys, keys before cost. May wait for statistics: virtual threads. Thread-safe.
 */
public final class SelectExamination {
  private static final Logger log = LoggerFactory.getLogger(SelectExamination.class);
  private static final int MOST_PLANS = 1_000;

  /** How many times as much it costs to look at a row in the row store as in columns. */
  private static final double ROW_STORE = 4;

  /** How many times as much it costs to read a row out of a DN as text. */
  private static final double READ = 8;

  private final IndexedTables tables;
  private final RowTables rows;
  private final LearnedStatistics statistics;
  private final KeptPlans planner;
  private final Supplier<HlcTimestamp> now;
  private final boolean remote;

  /**
   * An examination of SELECTs over these tables.
   *
   * @param rows reads those that have no index
   * @param remote where the indexes are, if not in this process
   * @param clock nanoseconds from any start
   * @param now a timestamp near now; may wait
   */
  public SelectExamination(
      IndexedTables tables,
      RowTables rows,
      Optional<RemotePlans> remote,
      LongSupplier clock,
      Supplier<HlcTimestamp> now) {
    this.tables = tables;
    this.rows = rows;
    this.remote = remote.isPresent();
    this.statistics =
        new LearnedStatistics(
            tables.indexes(),
            (table, index, at) ->
                remote
                    .map(nodes -> nodes.statistics(table, at))
                    .orElseGet(() -> IndexStatistics.at(index, at)),
            table ->
                rows.estimate(tables.catalog(), new RowScan(table, Set.of(), Optional.empty())),
            clock);
    this.planner = new KeptPlans(AlraiPlanner.analytical(statistics), MOST_PLANS);
    this.now = now;
  }

  /** Looks at a statement. */
  Examined of(AskedSelect asked) {
    AnalyticalAnswer answer = answer(asked);
    Optional<Workload> hint = WorkloadWish.ofHint(asked.statement().text());
    Optional<Workload> variable = asked.session().own().workload();
    boolean wished = hint.isPresent() || variable.isPresent();
    if (answer instanceof AnalyticalAnswer.Planned planned && !wished) {
      if (AnalyticSelects.isPinned(asked.select())) {
        return transactional(answer, "its partition key is given");
      }
      if (PointReads.is(planned.plan(), tables.catalog(), statistics)) {
        return transactional(answer, "few rows by their keys");
      }
    }
    WorkloadChoice choice =
        WorkloadChoice.of(answer, hint, variable, WorkloadChoice.DEFAULT_THRESHOLD);
    return answer instanceof AnalyticalAnswer.Planned planned && choice.workload() == Workload.AP
        ? withRows(planned, choice, wished)
        : new Examined(answer, choice, List.of());
  }

  /** What is read of tables without an index must be worth it. */
  private Examined withRows(
      AnalyticalAnswer.Planned planned, WorkloadChoice choice, boolean wished) {
    Catalog catalog = tables.catalog();
    List<RowScan> scans = RowScans.of(planned.plan(), catalog, name -> index(name).isEmpty());
    if (remote && !scans.isEmpty()) {
      Table first = scans.getFirst().table();
      return transactional(
          planned,
          "column nodes read indexes only, and "
              + first.schema()
              + "."
              + first.name()
              + " has none that is ready");
    }
    double read = 0;
    for (RowScan scan : scans) {
      read += rows.estimate(catalog, scan);
    }
    boolean dear = !wished && read * READ > planned.cost() * ROW_STORE;
    if (read > RowTables.MOST_EXPECTED || dear) {
      return transactional(
          planned,
          String.format(Locale.ROOT, "about %.0f rows are in tables without a column index", read));
    }
    return new Examined(planned, choice, scans);
  }

  private static Examined transactional(AnalyticalAnswer answer, String reason) {
    return new Examined(answer, new WorkloadChoice(Workload.TP, reason), List.of());
  }

  private AnalyticalAnswer answer(AskedSelect asked) {
    Session session = asked.session();
    if (session.transaction().held().tableLocks().held()) {
      // what others ask the mysqlds for it would wait for these locks
      return new AnalyticalAnswer.NotCovered("a session with locked tables");
    }
    Optional<String> obstacle =
        SessionFit.obstacle(session.variables().settings(), asked.statement().text());
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

  /** A defect of this planning, or of the library beneath it, leaves the statement to the rows. */
  private AnalyticalAnswer plan(AskedSelect asked) {
    LexicalMode mode = asked.session().variables().lexicalMode();
    try {
      return planner.plan(
          asked.statement(),
          asked.values(),
          mode.charset(),
          StatementPlanner.context(tables.catalog(), asked.session().schema(), mode));
    } catch (AlraiException told) {
      throw told;
    } catch (RuntimeException | AssertionError defect) { // Calcite throws these itself
      log.warn("a statement could not be planned over column indexes", defect);
      return new AnalyticalAnswer.NotCovered("a defect of its planning, which is in the log");
    }
  }

  /** Why a plan has nothing to do with column indexes, as a part of a sentence. */
  private Optional<String> missing(AnalyticalAnswer.Planned planned) {
    var names = ScannedTables.of(planned.plan());
    if (names.isEmpty()) {
      return Optional.of("a statement without tables");
    }
    if (names.stream().anyMatch(name -> index(name).isPresent())) {
      return Optional.empty();
    }
    ScannedTables.Name first = names.iterator().next();
    return Optional.of(
        tables
            .indexes()
            .find(first.schema(), first.table())
            .map(index ->
                "the table " + first + ", whose column index is " + index.figures().state())
            .orElse("the table " + first + ", which has no column index"));
  }

  /** The index of a table, if it can be read. */
  private Optional<ColumnIndex> index(ScannedTables.Name name) {
    return tables.indexes().find(name.schema(), name.table()).filter(ColumnIndex::isReady);
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
