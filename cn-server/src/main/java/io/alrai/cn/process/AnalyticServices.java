package io.alrai.cn.process;

import io.alrai.cn.analytic.AnalyticCounts;
import io.alrai.cn.analytic.AnalyticResources;
import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.analytic.AnalyticThreads;
import io.alrai.cn.analytic.IndexedTables;
import io.alrai.cn.analytic.SelectExamination;
import io.alrai.cn.columnar.RowTables;
import io.alrai.cn.service.StatementCounts;
import io.alrai.cn.settings.AnalyticSettings;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.snapshot.SnapshotClock;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.thread.ProcessorTimes;
import io.alrai.common.type.Collations;
import io.alrai.executor.memory.MemoryRegion;
import io.alrai.executor.schedule.Admission;
import io.alrai.executor.spill.SpillDirectory;
import io.alrai.executor.task.AnalyticExecutor;
import io.alrai.executor.timeslice.CpuShare;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.timeslice.SpareProcessors;
import io.alrai.gms.api.Catalog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires what answers SELECTs out of column indexes. Closed by the thread that runs the process. */
final class AnalyticServices implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AnalyticServices.class);

  /** How many queries that are not slow run at once; others wait. */
  private static final int CORE_PLACES = 8;

  /** Slow ones beside them; memory is what bounds these. */
  private static final int SLOW_PLACES = 56;

  /** What rows of tables without an index may take off the heap, of all queries together. */
  private static final long ROWS_BYTES = 256L << 20;

  private final SettingsRegistry settings;
  private final MemoryRegion memory;
  private final Admission admission;
  private final SliceScheduler scheduler;
  private final SpillDirectory spill;
  private final AnalyticThreads threads;
  private final AnalyticCounts counts;
  private final StatementCounts statements;
  private final SpareProcessors spare = new SpareProcessors(ProcessorTimes::now);
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("ap-spare").factory());

  AnalyticServices(SettingsRegistry settings, Metrics metrics) {
    this.settings = settings;
    SliceScheduler.Time time = SliceScheduler.Time.system();
    memory = new MemoryRegion(settings.analytic().memoryLimit());
    admission = new Admission(memory, CORE_PLACES, SLOW_PLACES);
    scheduler =
        new SliceScheduler(
            Runtime.getRuntime().availableProcessors(),
            share(settings.analytic()),
            time,
            metrics.adder(Metric.ANALYTIC_CPU));
    threads =
        new AnalyticThreads(
            () -> settings.analytic().isolation(),
            time.processor(),
            scheduler::charge,
            scheduler::debtNanos);
    counts = AnalyticCounts.of(metrics);
    statements = StatementCounts.of(metrics);
    metrics.now(Metric.ANALYTIC_WAITING, admission::waiting);
    metrics.now(Metric.ANALYTIC_SLOW, admission::slow);
    spill =
        new SpillDirectory(
            SpillDirectory.system(),
            () -> settings.analytic().spillLimit(),
            metrics.adder(Metric.ANALYTIC_SPILLED));
    clean(spill);
    metrics.now(Metric.ANALYTIC_MEMORY, memory::used);
    metrics.now(Metric.ANALYTIC_DISK, spill::heldBytes);
    settings.followAnalytic(this::follow);
    looks.scheduleAtFixedRate(
        this::look,
        SpareProcessors.PERIOD_NANOS,
        SpareProcessors.PERIOD_NANOS,
        TimeUnit.NANOSECONDS);
  }

  /** What is left to queries changes with what transactions need. */
  private void look() {
    try {
      long transactional = statements.statements().sum() - counts.asked().sum();
      scheduler.leave(spare.look(System.nanoTime(), transactional, scheduler.spentNanos()));
    } catch (RuntimeException e) {
      log.error("cannot see what transactions leave to queries", e); // and looks again
    }
  }

  private static void clean(SpillDirectory spill) {
    try {
      spill.clean();
    } catch (IOException e) {
      log.warn("cannot remove what queries of a process that was killed left on disk", e);
    }
  }

  private static CpuShare share(AnalyticSettings settings) {
    return new CpuShare(
        settings.isolation(), (int) settings.cpuQuota(), Duration.ofMillis(settings.timeSlice()));
  }

  private void follow(AnalyticSettings changed) {
    scheduler.share(share(changed));
    memory.limit(changed.memoryLimit());
    admission.admit();
  }

  /** The SELECTs of a CN over these indexes. */
  AnalyticSelects selects(
      ColumnServices columnar,
      Supplier<Catalog> catalog,
      SnapshotClock snapshots,
      ShardQueries queries,
      Collations collations) {
    IndexedTables tables = new IndexedTables(catalog, columnar.indexes(), System::nanoTime);
    RowTables rows = new RowTables(queries, new MemoryBudget(ROWS_BYTES));
    return new AnalyticSelects(
        tables,
        rows,
        new SelectExamination(
            tables, rows, columnar.remote(), System::nanoTime, () -> snapshots.next(0).join()),
        columnar.remote(),
        resources(),
        collations,
        counts);
  }

  /** What queries share. */
  AnalyticResources resources() {
    return new AnalyticResources(
        new AnalyticExecutor(scheduler, spill),
        admission,
        threads,
        () -> settings.analytic().queryMemoryLimit(),
        scheduler::isHeldBack);
  }

  @Override
  public void close() {
    looks.shutdownNow();
    threads.close();
    scheduler.close();
  }
}
