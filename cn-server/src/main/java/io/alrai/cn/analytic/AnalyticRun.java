package io.alrai.cn.analytic;

import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.schedule.Admission;
import io.alrai.executor.task.AnalyticExecutor;
import io.alrai.executor.task.Cancellation;
import io.alrai.executor.task.ResultRows;
import io.alrai.executor.timeslice.SliceScheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * One execution of a plan: waits for its turn, opens its tables at a snapshot, runs it, and holds
 * all until it is closed. One thread.
 *
 * <pre>
 *   enter, over (in either order) --> execute --> close
 * </pre>
 */
final class AnalyticRun implements AutoCloseable {
  /** How long to wait for a table's index to reach the snapshot before the row store answers. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * How long a query that was crowded out waits for all the memory that it may have: its holder may
   * be a client that does not read, even the one that asks here.
   */
  private static final long CROWDED_SECONDS = 10;

  /** How long a query waits for its turn before the row store answers. */
  private static final long TURN_SECONDS = 60;

  /**
   * Multiplier of the wait while queries are held back, because those ahead are slower then, too.
   */
  private static final int TIMES_HELD_BACK = 10;

  /** How often the end of the statement is looked for while it waits. */
  private static final long CHECK_MILLIS = 20;

  /** What a query has before it begins. */
  static final long LEAST_BYTES = 8L << 20;

  private final Cancellation cancellation;
  private Optional<Admission.Place> place = Optional.empty();
  private Optional<StatementTables> tables = Optional.empty();
  private long waitedNanos;
  private final Map<ScannedTables.Name, IndexSnapshot> snapshots = new HashMap<>();

  /** An execution that ends early when it is cancelled. */
  AnalyticRun(Cancellation cancellation) {
    this.cancellation = cancellation;
  }

  /** Begins an execution. */
  @FunctionalInterface
  interface Attempt<T> {
    /**
     * Enters the execution and goes on.
     *
     * @param run to be closed, but when this fails
     * @param leastBytes of memory to enter with
     */
    T begin(AnalyticRun run, long leastBytes);
  }

  /**
   * Begins an execution; one that others leave no memory to begins again when it can have all that
   * a query may have.
   */
  static <T> T begin(Cancellation cancellation, LongSupplier mostBytes, Attempt<T> attempt) {
    AnalyticRun first = new AnalyticRun(cancellation);
    try {
      return first.begin(attempt, LEAST_BYTES);
    } catch (AlraiException e) {
      cancellation.check(); // one that is to end does not begin again
      if (!first.isCrowdedOut()) {
        throw e;
      }
      return new AnalyticRun(cancellation).begin(attempt, mostBytes.getAsLong());
    }
  }

  private <T> T begin(Attempt<T> attempt, long leastBytes) {
    boolean done = false;
    try {
      T begun = attempt.begin(this, leastBytes);
      done = true;
      return begun;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /** How long it took until the indexes showed the snapshot, in nanoseconds. */
  long waitedNanos() {
    return waitedNanos;
  }

  /**
   * Waits for its turn and for memory.
   *
   * @param leastBytes of memory
   * @throws AlraiException 1317 when it was ended, 1041 when its turn does not come
   */
  void enter(AnalyticResources resources, long leastBytes) {
    Admission admission = resources.admission();
    // it would not have more even if it were alone in the region
    long most = Math.min(resources.queryBytes().getAsLong(), admission.memory().limit());
    CompletableFuture<Admission.Place> entering = admission.enter(Math.min(leastBytes, most), most);
    cancellation.whenCancelled(() -> entering.completeExceptionally(AlraiException.interruption()));
    long seconds = leastBytes >= most ? CROWDED_SECONDS : TURN_SECONDS;
    try {
      place = Optional.of(entered(entering, seconds, resources.heldBack()));
    } catch (CompletionException e) {
      admission.admit(); // the next one in the queue may need less
      throw e.getCause() instanceof TimeoutException
          ? new AlraiException(
              ErrorCode.ER_OUT_OF_RESOURCES, "no memory came free for the query in time", e)
          : AlraiException.causeOf(e);
    }
  }

  private static Admission.Place entered(
      CompletableFuture<Admission.Place> entering, long seconds, BooleanSupplier heldBack) {
    for (int i = 0; i < TIMES_HELD_BACK && (i == 0 || heldBack.getAsBoolean()); i++) {
      try {
        return entering.copy().orTimeout(seconds, TimeUnit.SECONDS).join();
      } catch (CompletionException e) {
        if (entering.isDone()) {
          break;
        }
      }
    }
    entering.completeExceptionally(new TimeoutException());
    return entering.join();
  }

  /** What its time goes to, once it has entered. */
  SliceScheduler.Account account() {
    return place.orElseThrow().account();
  }

  /** Others may wait for what its session holds: its tasks and rows wait for no processor time. */
  void hurry() {
    account().hurry();
  }

  /** Between rows: waits while queries have had more of the processors than they may. */
  void pace(AnalyticThreads threads) {
    if (!account().hurries()) {
      threads.pace(cancellation);
    }
  }

  /** Reads these tables, and closes them in the end. */
  void over(StatementTables read) {
    tables = Optional.of(read);
  }

  /**
   * Runs the plan to its end; then its turn has ended, its memory stays.
   *
   * @return the rows; to be closed before this
   * @throws AlraiException 1317 when it was ended, else what the row store may be asked instead
   */
  ResultRows execute(AnalyticResources resources, AnalyticPlan plan) {
    Admission.Place own = place.orElseThrow();
    StatementTables read = tables.orElseThrow();
    HlcTimestamp at = read.at();
    long start = System.nanoTime();
    try {
      cancellation.check();
      for (ScannedTables.Name table : ScannedTables.of(plan)) {
        ColumnIndex index =
            read.find(table.schema(), table.table())
                .orElseThrow(() -> unavailable("the column index of " + table + " is gone"));
        snapshots.put(table, await(index, at, table));
      }
      waitedNanos = System.nanoTime() - start;
      AnalyticExecutor.Request request =
          new AnalyticExecutor.Request(
              this::partitions,
              scan -> {
                throw unavailable("a scan of shards");
              },
              at,
              slot -> new Constant.Null(),
              own.memory(),
              own.account(),
              cancellation);
      return resources.executor().execute(plan, request);
    } finally {
      own.leave();
    }
  }

  /** Whether it failed because others held the memory that it needed: alone it may do. */
  private boolean isCrowdedOut() {
    return place.map(own -> own.memory().isCrowdedOut()).orElse(false);
  }

  private List<ColumnTable> partitions(String schema, String table) {
    IndexSnapshot snapshot = snapshots.get(new ScannedTables.Name(schema, table));
    if (snapshot == null) {
      throw unavailable("no snapshot of " + schema + "." + table);
    }
    return snapshot.partitions();
  }

  private IndexSnapshot await(ColumnIndex index, HlcTimestamp at, ScannedTables.Name table) {
    CompletableFuture<IndexSnapshot> opening = index.openAt(at);
    Optional<IndexSnapshot> opened = Optional.empty();
    long start = System.nanoTime();
    try {
      while (true) {
        try {
          opened = Optional.of(opening.get(CHECK_MILLIS, TimeUnit.MILLISECONDS));
          return opened.get();
        } catch (TimeoutException e) {
          cancellation.check();
          if (System.nanoTime() - start > PATIENCE_NANOS) {
            throw unavailable("the column index of " + table + " does not come to " + at);
          }
        }
      }
    } catch (ExecutionException e) {
      throw AlraiException.causeOf(e);
    } catch (InterruptedException e) {
      throw interrupted();
    } finally {
      if (opened.isEmpty() && !opening.cancel(false)) {
        opening.thenAccept(IndexSnapshot::close);
      }
    }
  }

  private AlraiException interrupted() {
    Thread.currentThread().interrupt();
    cancellation.cancel();
    return AlraiException.interruption();
  }

  private static AlraiException unavailable(String why) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, why);
  }

  @Override
  public void close() {
    new ArrayList<>(snapshots.values()).forEach(IndexSnapshot::close);
    snapshots.clear();
    tables.ifPresent(StatementTables::close);
    place.ifPresent(Admission.Place::close);
  }
}
