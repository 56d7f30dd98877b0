package io.alrai.cn.columnar;

import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.shard.ServerFacts;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.columnar.compact.Compaction;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionState;
import io.alrai.columnar.version.RewriteRules;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.thread.KernelPriority;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.ship.DnLog;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The column indexes that this process keeps: those that the catalog names, fed from the DNs' logs,
 * built anew at each start, when they fail, and after DDL on their tables. Nothing is followed
 * while the catalog names none. Thread-safe.
 */
public final class ColumnarService implements ColumnIndexes, ColumnIndexBuilds, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ColumnarService.class);
  private static final long KEEP_MILLIS = 100;
  private static final long COMPACT_MILLIS = 1_000;
  private static final long LOOK_MILLIS = 1_000;
  private static final long LEAST_PAUSE_MILLIS = 200;
  private static final long MOST_PAUSE_MILLIS = 60_000;
  private static final int MOST_DOUBLINGS = 9;
  private static final long STOP_MILLIS = 5_000;

  private static final long SURPLUS_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** How far behind the newest a snapshot may be that begins to be read: longer ones hold on. */
  private static final long HISTORY_MILLIS = 10_000;

  /** The one kind of DDL job that leaves the table as it is. */
  private static final String OWN_JOB = "CREATE_COLUMN_INDEX";

  /** How often in a row a table's index could not be built, and when it is tried again. */
  private record Failures(int count, long againNanos) {}

  private final GmsService gms;
  private final Function<DnId, Optional<DnLog>> logs;
  private final DnLinks links;
  private final Holding holding;
  private final ServerFacts facts;
  private final Supplier<HlcTimestamp> now;
  private final IndexableTables tables;
  private final IndexBuild build;
  private final Map<DnId, DnFollower> followers = new ConcurrentHashMap<>();
  private final Map<Long, TableIndex> indexes = new ConcurrentHashMap<>();
  private final Map<Long, Failures> failures = new ConcurrentHashMap<>();

  /** Indexes that have more than they are to have; the keeper's. */
  private final Map<Long, Long> surplusSince = new HashMap<>();

  private final BuildTurns turns = new BuildTurns();
  private final LongAdder failedBuilds;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;
  private volatile boolean buildHasEnded;

  /** Completes with the end of the next build, and another takes its place. */
  private volatile CompletableFuture<Void> nextEnd = new CompletableFuture<>();

  /**
   * A service that does nothing yet; asks the mysqlds for facts.
   *
   * @param logs of the DNs that there are
   * @param holding which partitions it keeps
   * @param loop of its connections
   * @param now a timestamp above all that anybody was given
   * @param budget what all indexes together may take off the heap
   */
  public ColumnarService(
      GmsService gms,
      Function<DnId, Optional<DnLog>> logs,
      DnLinks links,
      Holding holding,
      EventLoop loop,
      Supplier<HlcTimestamp> now,
      MemoryBudget budget,
      Metrics metrics) {
    this.failedBuilds = metrics.adder(Metric.COLUMN_BUILDS_FAILED);
    this.gms = gms;
    this.now = now;
    this.logs = logs;
    this.links = links;
    this.holding = holding;
    SettingsRegistry settings = new SettingsRegistry();
    ShardQueries queries = new ShardQueries(links, loop, settings.defaults());
    this.facts = ServerFacts.read(queries);
    this.tables = new IndexableTables(queries);
    this.build =
        new IndexBuild(
            new IndexBuild.Surroundings(
                links,
                loop,
                settings.with(
                    settings.defaults(), Map.of("time_zone", "'+00:00'", "sql_mode", "''")),
                tables,
                this::follower,
                now,
                budget));
  }

  /** Begins to keep the indexes as the catalog has them. */
  public void start() {
    threads.add(KernelPriority.NORMAL.start("columnar-keeper", this::keep));
    threads.add(KernelPriority.LOW.start("columnar-compaction", this::compact));
  }

  private DnFollower follower(DnId dn) {
    return followers.computeIfAbsent(
        dn,
        key -> {
          DnLog source =
              logs.apply(key)
                  .orElseThrow(() ->
                      new AlraiException(
                          ErrorCode.ALRAI_NODE_UNAVAILABLE, "there is no agent of " + key));
          DnFollower follower = new DnFollower(source, facts.collations());
          follower.start();
          return follower;
        });
  }

  @Override
  public Optional<ColumnIndex> find(String schema, String table) {
    return gms.catalog().table(schema, table).flatMap(this::of).map(index -> index);
  }

  /** The index of a table as the caller knows it. */
  public Optional<ColumnIndex> index(Table table) {
    return of(table).map(index -> index);
  }

  /** The index with some of its partitions only: it can be opened if these are here. */
  public Optional<ColumnIndex> index(Table table, Set<String> schemas) {
    return of(table).map(index -> new SomePartitions(index, schemas));
  }

  /**
   * An index that is here.
   *
   * @param givenUp no index can hold the table as it is
   */
  public record Kept(Table table, ColumnIndex index, boolean givenUp, List<String> schemas) {}

  /** All that there are, with the tables that they were built for and their physical schemas. */
  public List<Kept> kept() {
    return indexes.values().stream()
        .map(index ->
            new Kept(
                index.table(),
                index,
                index.isGivenUp(),
                index.places().stream().map(place -> place.physicalSchema().name()).toList()))
        .toList();
  }

  private record SomePartitions(TableIndex index, Set<String> schemas) implements ColumnIndex {
    @Override
    public String name() {
      return index.name();
    }

    @Override
    public PartitionFigures figures() {
      return index.figures();
    }

    @Override
    public CompletableFuture<IndexSnapshot> openAt(HlcTimestamp at) {
      return index.openAt(at, schemas);
    }
  }

  /** The index of a table, if it was built for the table as it is there. */
  Optional<TableIndex> of(Table table) {
    TableIndex index = indexes.get(table.id());
    return index != null && index.table().equals(table) ? Optional.of(index) : Optional.empty();
  }

  /** A timestamp above all that anybody was given. */
  HlcTimestamp now() {
    return now.get();
  }

  IndexBuild build() {
    return build;
  }

  @Override
  public void check(Table table) {
    tables.check(gms.catalog(), table);
  }

  @Override
  public void await(Table table) {
    threads.forEach(LockSupport::unpark);
    while (!closed) {
      CompletableFuture<Void> end = nextEnd;
      Optional<TableIndex> index =
          gms.catalog().table(table.schema(), table.name()).flatMap(this::of);
      switch (index.map(found -> found.figures().state()).orElse(new PartitionState.Building(0))) {
        case PartitionState.Ready ready -> {
          return;
        }
        case PartitionState.Failed failed -> throw index.orElseThrow().reason(failed);
        case PartitionState.Building goesOn ->
            Waits.get(end.copy().completeOnTimeout(null, LOOK_MILLIS, TimeUnit.MILLISECONDS));
      }
    }
    throw new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the process is stopping");
  }

  private void keep() {
    while (!closed) {
      try {
        if (buildHasEnded) {
          buildHasEnded = false;
          buildEnded();
        }
        keepOnce(gms.catalog());
      } catch (RuntimeException e) {
        log.error("column indexes", e);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(KEEP_MILLIS));
    }
  }

  private void keepOnce(Catalog catalog) {
    Map<Long, Table> wanted = new HashMap<>();
    for (Schema schema : catalog.schemas().values()) {
      for (Table table : schema.tables().values()) {
        if (!table.columnIndexes().isEmpty()) {
          wanted.put(table.id(), table);
        }
      }
    }
    for (TableIndex index : List.copyOf(indexes.values())) {
      Table table = wanted.get(index.table().id());
      if (table == null || !index.table().equals(table) || !keeps(index, held(table, catalog))) {
        drop(index);
        failures.remove(index.table().id());
      } else if (index.figures().state() instanceof PartitionState.Failed failed) {
        failed(index, failed);
      }
    }
    for (Table table : wanted.values()) {
      boolean changing =
          catalog.jobs().values().stream()
              .filter(job -> job.open() && !job.kind().equals(OWN_JOB))
              .anyMatch(job -> touches(job, table));
      TableIndex index = indexes.get(table.id());
      if (changing && index != null && index.isBuilding()) {
        // its view would keep the DDL from its locks, and the index is built anew after it anyway
        drop(index);
      } else if (!changing && isDue(table)) {
        begin(table, catalog);
      }
    }
  }

  /**
   * Whether an index can stay when these are its places. What it has beyond them stays for a while:
   * whoever has it from now on builds it first.
   */
  private boolean keeps(TableIndex index, List<PartitionGroup> held) {
    long id = index.table().id();
    if (index.places().equals(held)) {
      surplusSince.remove(id);
      return true;
    }
    if (!index.isReady() || !index.places().containsAll(held)) {
      surplusSince.remove(id);
      return false;
    }
    long now = System.nanoTime();
    if (now - surplusSince.computeIfAbsent(id, first -> now) > SURPLUS_NANOS) {
      surplusSince.remove(id);
      index.keepOnly(held);
    }
    return true;
  }

  /** Where the partitions are that are kept here. */
  private List<PartitionGroup> held(Table table, Catalog catalog) {
    return IndexBuild.places(links, catalog, table).stream()
        .filter(place -> holding.holds(catalog, table, place))
        .toList();
  }

  private static boolean touches(DdlJob job, Table table) {
    DdlJob.Target own = new DdlJob.Target(table.schema(), table.name());
    return job.targets().stream().anyMatch(own::overlaps);
  }

  private boolean isDue(Table table) {
    TableIndex index = indexes.get(table.id());
    if (index == null) {
      return true;
    }
    Failures before = failures.get(table.id());
    return index.figures().state() instanceof PartitionState.Failed
        && before != null
        && !index.isGivenUp()
        && System.nanoTime() - before.againNanos() >= 0;
  }

  /** Its memory goes at once; it is shown with its reason until the next one begins. */
  private void failed(TableIndex index, PartitionState.Failed failed) {
    if (!index.closed()) {
      index.fail(index.reason(failed));
      log.warn(
          "column index {} of {}.{} {}: {}",
          index.name(),
          index.table().schema(),
          index.table().name(),
          index.isGivenUp() ? "is given up until the table or the index changes" : "is built anew",
          failed.reason());
      failedBuilds.increment();
      index.close();
      failures.compute(index.table().id(), (id, before) -> again(before));
    }
  }

  private static Failures again(@Nullable Failures before) {
    int count = before == null ? 0 : before.count() + 1;
    long pause = LEAST_PAUSE_MILLIS << Math.min(count, MOST_DOUBLINGS);
    return new Failures(
        count,
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(pause, MOST_PAUSE_MILLIS)));
  }

  private void begin(Table table, Catalog catalog) {
    TableIndex index =
        new TableIndex(table, table.columnIndexes().getFirst(), held(table, catalog));
    indexes.put(table.id(), index);
    try {
      // here, as threads that a build would start had its priority
      index.places().forEach(place -> follower(place.dn()));
    } catch (AlraiException e) {
      index.fail(e);
      return;
    }
    KernelPriority.LOW.start("columnar-build-" + table.name(), () -> build(index));
  }

  private void build(TableIndex index) {
    try {
      if (index.buildBegins()) {
        turns.run(index.name(), () -> build.run(index));
        failures.remove(index.table().id());
      }
    } catch (AlraiException e) {
      index.fail(e);
    } catch (RuntimeException e) {
      log.error("column index {}", index.name(), e);
      index.fail(AlraiException.causeOf(e));
    } catch (OutOfMemoryError e) {
      log.warn("column index {} found no memory", index.name(), e);
      index.fail(
          new AlraiException(
              ErrorCode.ER_OUT_OF_RESOURCES,
              "Out of memory: the CN's heap has no room to build the index; give the CN more",
              e));
    } finally {
      index.buildEnds();
      // called by the keeper: a thread that gives way to others should not be the one that wakes
      // them
      buildHasEnded = true;
      threads.forEach(LockSupport::unpark);
    }
  }

  private synchronized void buildEnded() {
    CompletableFuture<Void> end = nextEnd;
    nextEnd = new CompletableFuture<>();
    end.complete(null);
  }

  private void drop(TableIndex index) {
    indexes.remove(index.table().id(), index);
    index.close();
  }

  private void compact() {
    Compaction compaction = new Compaction(RewriteRules.standard(), HISTORY_MILLIS);
    while (!closed) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(COMPACT_MILLIS));
      for (DnFollower follower : followers.values()) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COMPACT_MILLIS);
        follower.reach(
            HlcTimestamp.ofMillis(System.currentTimeMillis()),
            () -> !closed && System.nanoTime() - until < 0);
        List<Partition> partitions = new ArrayList<>();
        for (TableIndex index : indexes.values()) {
          for (TableIndex.Part part : index.parts()) {
            if (part.follower() == follower) {
              partitions.add(part.partition());
            }
          }
        }
        compaction.pass(partitions, follower.resolved());
      }
    }
  }

  /** Ends all threads and frees the indexes; readers that wait fail. */
  @Override
  public void close() {
    closed = true;
    buildEnded();
    threads.forEach(LockSupport::unpark);
    for (Thread thread : threads) {
      try {
        thread.join(STOP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    followers.values().forEach(DnFollower::close);
    List.copyOf(indexes.values()).forEach(this::drop);
  }
}
