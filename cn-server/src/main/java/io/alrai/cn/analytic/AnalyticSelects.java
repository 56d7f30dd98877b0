package io.alrai.cn.analytic;

import io.alrai.cn.analytic.AnalyticExplanation.Detail;
import io.alrai.cn.columnar.RemotePlans;
import io.alrai.cn.columnar.RowTables;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.Collations;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Targets;
import io.alrai.executor.operator.RowSource;
import io.alrai.executor.task.ResultRows;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.workload.Workload;
import io.alrai.optimizer.api.workload.WorkloadWish;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SELECTs of a CN that column indexes answer. A statement passes three checks: {@link #mayTake}
 * on the event loop, which only looks at what is known; {@link #choose}, which plans it; and {@link
 * #open}, which runs it to its end. At each of them it may be left to the row store. Thread-safe.
 */
public final class AnalyticSelects {
  private static final Logger log = LoggerFactory.getLogger(AnalyticSelects.class);

  /** Errors that are not the row store's to mend. */
  private static final Set<Integer> TOLD =
      Set.of(
          ErrorCode.ER_QUERY_INTERRUPTED.errno(),
          ErrorCode.ER_DISK_FULL.errno(),
          ErrorCode.ER_RECORD_FILE_FULL.errno());

  private final IndexedTables tables;
  private final RowTables rows;
  private final SelectExamination examination;
  private final KnownWorkloads known = new KnownWorkloads(System::nanoTime);
  private final AnalyticResources resources;
  private final Optional<RemoteRuns> remote;
  private final ResultFit fit;
  private final LeftReasons left = new LeftReasons();
  private final AnalyticCounts counts;

  /**
   * The SELECTs over some indexes.
   *
   * @param tables which of the catalog have an index
   * @param rows reads those that have none
   * @param examination plans them
   * @param remote who runs plans, if the indexes are not in this process
   * @param resources what they share
   */
  public AnalyticSelects(
      IndexedTables tables,
      RowTables rows,
      SelectExamination examination,
      Optional<RemotePlans> remote,
      AnalyticResources resources,
      Collations collations,
      AnalyticCounts counts) {
    this.tables = tables;
    this.rows = rows;
    this.examination = examination;
    this.remote = remote.map(nodes -> new RemoteRuns(nodes, tables, rows, resources));
    this.resources = resources;
    this.fit = new ResultFit(collations);
    this.counts = counts;
  }

  /** Whether a SELECT is to be looked at on a virtual thread. Event loop; never waits. */
  public boolean mayTake(Session session, ShapedStatement statement, Plan.Select select) {
    if (select.locking()
        || !tables.any()
        || select.ofSession()
        || session.transaction().held().tableLocks().held()) {
      return false;
    }
    if (select.targets() instanceof Targets.AnyDn any && !any.tables()) {
      return false;
    }
    Optional<Workload> wish = WorkloadWish.ofHint(statement.text()).or(session.own()::workload);
    if (wish.isEmpty() && isPinned(select)) {
      return false;
    }
    return wish.map(one -> one == Workload.AP).orElse(true)
        && switch (known.of(select)) {
          case UNKNOWN, AP -> true;
          case TP -> wish.isPresent();
          case ROWS_ONLY -> false;
        };
  }

  /** Whether the partition key is given. */
  static boolean isPinned(Plan.Select select) {
    return select.targets() instanceof Targets.Keys;
  }

  /**
   * The plan of a SELECT that is to run over column indexes; empty for the row store.
   *
   * @throws AlraiException 1317 when the statement was ended meanwhile
   */
  public Optional<ChosenPlan> choose(AskedSelect asked) {
    if (!mayTake(asked.session(), asked.statement(), asked.select())) {
      return Optional.empty();
    }
    counts.asked().increment();
    Optional<ChosenPlan> chosen = Optional.empty();
    try {
      chosen = examine(asked);
      return chosen;
    } finally {
      if (chosen.isEmpty()) {
        counts.asked().decrement();
      }
    }
  }

  private Optional<ChosenPlan> examine(AskedSelect asked) {
    // a statement that was short before does not wait for threads that give way to others
    Examined examined =
        known.wasTransactional(asked.select())
            ? examination.of(asked)
            : resources
                .threads()
                .call(() -> examination.of(asked), made -> made.chosen().isPresent());
    asked.cancellation().check();
    known.learn(asked.select(), examined);
    return examined.chosen();
  }

  /** Does a part of an analytical statement's work, on a thread that gives way to others. */
  public <T> T onOwnThread(Supplier<T> work) {
    return resources.threads().call(work);
  }

  /** What EXPLAIN says of a SELECT; empty where the row store answers it. */
  public Optional<List<String>> explain(AskedSelect asked, Detail detail) {
    boolean ofMysqld = detail == Detail.PLAIN || detail == Detail.ANALYZE;
    if (asked.select().locking() || (ofMysqld && !tables.any())) {
      return Optional.empty();
    }
    Examined examined = examination.of(asked);
    if (ofMysqld && examined.chosen().isEmpty()) {
      return Optional.empty();
    }
    List<String> lines = new ArrayList<>(AnalyticExplanation.of(examined, detail));
    if (detail == Detail.ANALYZE) {
      Optional<List<String>> measured =
          examined.chosen().flatMap(chosen -> onOwnThread(() -> measured(asked, chosen)));
      if (measured.isEmpty()) {
        return Optional.empty();
      }
      lines.addAll(measured.get());
    }
    left.of(asked.session().schema(), asked.statement().shape())
        .ifPresent(reason -> lines.add("left to the rows the last time: " + reason));
    return Optional.of(lines);
  }

  /** Empty where the row store must answer: the transaction reads rows. */
  private Optional<List<String>> measured(AskedSelect asked, ChosenPlan chosen) {
    if (remote.isPresent()) {
      return remote.get().measured(asked, chosen);
    }
    long start = System.nanoTime();
    try (AnalyticRun run = new AnalyticRun(asked.cancellation())) {
      Optional<StatementTables> opened = tables(run, asked, chosen, AnalyticRun.LEAST_BYTES);
      if (opened.isEmpty()) {
        return Optional.empty();
      }
      long ready = System.nanoTime();
      try (ResultRows result = run.execute(resources, chosen.plan())) {
        return Optional.of(
            AnalyticExplanation.measured(
                opened.get().at(),
                String.format(
                    Locale.ROOT,
                    "took: %.1f ms, of which %.1f ms until it had its turn, a snapshot, and rows, %.1f"
                        + " ms until the indexes showed it",
                    (System.nanoTime() - start) / 1e6,
                    (ready - start) / 1e6,
                    run.waitedNanos() / 1e6),
                result));
      }
    }
  }

  /**
   * Has a query wait for its turn and its tables, which end with it. Where it needs rows, these
   * come first, so that a query that waits for a mysqld takes up no place. Otherwise the turn comes
   * first, so that the snapshot is new.
   *
   * @return empty where the row store must answer
   */
  private Optional<StatementTables> tables(
      AnalyticRun run, AskedSelect asked, ChosenPlan chosen, long leastBytes) {
    boolean needsRows = !chosen.rows().isEmpty();
    if (!needsRows) {
      run.enter(resources, leastBytes);
    }
    Catalog catalog = tables.catalog();
    Optional<StatementTables> opened =
        StatementTables.open(tables.indexes(), rows, catalog, asked, chosen);
    opened.ifPresent(read -> {
      run.over(read);
      read.fetch(rows, catalog, asked.shards(), chosen.rows());
      if (needsRows) {
        run.enter(resources, leastBytes);
      }
      if (asked.locksRows()) {
        run.hurry();
      }
    });
    return opened;
  }

  /**
   * Runs a plan to its end. One that others leave no memory to begins again when it can have all
   * that a query may have.
   *
   * @param told the columns as a mysqld gives them; empty where it warns of the text
   * @return the rows, to be closed; empty where the row store must answer after all
   * @throws AlraiException 1317 when the statement was ended, 1021 and 1114 when the disk is full
   *     or the query has all that it may have there: the row store would need as much
   */
  public Optional<RowSource> open(
      AskedSelect asked, ChosenPlan chosen, Optional<List<ColumnDefinition>> told) {
    if (told.isEmpty()) {
      leave(asked, "a mysqld warns of its text");
      known.refused(asked.select());
      return Optional.empty();
    }
    List<ColumnDefinition> columns = told.get();
    if (!fit.fits(columns, chosen.plan().root().columns())) {
      leave(asked, "its columns have other types there");
      return Optional.empty();
    }
    Optional<RowSource> result = Optional.empty();
    long startNanos = asked.session().trace().sinceNanos();
    try {
      boolean traced = asked.session().trace().records();
      result =
          run(asked, chosen, columns)
              .map(made -> traced ? new TracedRows(made, asked, chosen, startNanos) : made);
      result.ifPresent(rowsOfIndexes -> {
        counts.answered().increment();
        left.forget(asked.session().schema(), asked.statement().shape());
      });
    } catch (AlraiException e) {
      if (TOLD.contains(e.errno())) {
        throw e;
      }
      leave(asked, e.sentence());
      if (e.is(ErrorCode.ER_NOT_SUPPORTED_YET)) {
        known.refused(asked.select());
      }
    } catch (RuntimeException e) {
      log.error("a plan over column indexes failed by a defect; the row store answers", e);
      leave(asked, String.valueOf(e));
      known.refused(asked.select());
    }
    return result;
  }

  private Optional<AnalyticRows> run(
      AskedSelect asked, ChosenPlan chosen, List<ColumnDefinition> columns) {
    return remote.isPresent()
        ? remote.get().run(asked, chosen, columns)
        : AnalyticRun.begin(
            asked.cancellation(),
            resources.queryBytes(),
            (run, leastBytes) -> run(run, asked, chosen, columns, leastBytes));
  }

  /** The rows hold the run, and so the tables, until they are closed. */
  private Optional<AnalyticRows> run(
      AnalyticRun run,
      AskedSelect asked,
      ChosenPlan chosen,
      List<ColumnDefinition> columns,
      long leastBytes) {
    if (tables(run, asked, chosen, leastBytes).isEmpty()) {
      run.close();
      return Optional.empty();
    }
    ResultRows result = run.execute(resources, chosen.plan());
    return Optional.of(
        new AnalyticRows(
            columns,
            result,
            asked.cancellation(),
            () -> run.pace(resources.threads()),
            () -> {
              result.close();
              run.close();
            }));
  }

  /** Not one that was ended while it failed: the row store would run it to its end. */
  private void leave(AskedSelect asked, String reason) {
    asked.cancellation().check();
    counts.left().increment();
    left.add(asked.session().schema(), asked.statement().shape(), reason);
    log.debug("left to the row store: {}: {}", reason, asked.statement().shape());
  }
}
