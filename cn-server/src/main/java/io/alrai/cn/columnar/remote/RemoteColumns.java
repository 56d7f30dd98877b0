package io.alrai.cn.columnar.remote;

import io.alrai.cn.columnar.IndexReports;
import io.alrai.cn.columnar.RemotePlans;
import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.columnar.check.IndexCheck;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionState;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.thread.Pause;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.task.Cancellation;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.stats.TableStatistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The column indexes of a cluster that has column nodes, each of which keeps a part of the
 * partitions. A plan runs on one of the nodes, in turn, which asks the others for what it lacks.
 * Thread-safe.
 */
public final class RemoteColumns
    implements ColumnIndexes, ColumnIndexBuilds, IndexReports, RemotePlans {
  private static final long LOOK_MILLIS = 50;
  private static final long REPORT_MILLIS = 5_000;
  private static final long STATISTICS_MILLIS = 11_000;
  private static final long CHECK_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** How long DDL waits for a column node that answers. */
  private static final long NODE_MILLIS = 15_000;

  private final GmsService gms;
  private final NodeLinks links;
  private final Consumer<Table> checks;
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * Those that nodes have.
   *
   * @param checks whether a table can have an index: ER_NOT_SUPPORTED_YET when not
   */
  public RemoteColumns(GmsService gms, NodeLinks links, Consumer<Table> checks) {
    this.gms = gms;
    this.links = links;
    this.checks = checks;
  }

  @Override
  public Optional<ColumnIndex> find(String schema, String table) {
    return gms.catalog()
        .table(schema, table)
        .filter(known -> !known.columnIndexes().isEmpty())
        .map(this::parts)
        .filter(known -> !known.parts().isEmpty())
        .map(known -> new RemoteIndex(known.parts().getFirst().state().name(), known.figures()));
  }

  private TableParts parts(Table table) {
    return TableParts.of(links.answering(), gms.catalog(), table);
  }

  @Override
  public PlanRows run(Sent sent, Cancellation cancellation) {
    List<NodeLink> nodes = links.answering();
    int first = turn.getAndIncrement();
    AlraiException failure =
        new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "the column nodes that answer lack a column index that the plan reads");
    for (int i = 0; i < nodes.size(); i++) {
      NodeLink runner = nodes.get(Math.floorMod(first + i, nodes.size()));
      Optional<List<NodeMessages.Share>> shares = shares(sent.tables(), runner);
      if (shares.isPresent()) {
        try {
          return links.run(runner.name(), new NodeMessages.Query(sent, shares.get()), cancellation);
        } catch (AlraiException e) {
          if (!e.is(ErrorCode.ALRAI_NODE_UNAVAILABLE)) {
            throw e;
          }
          failure = e;
        }
      }
    }
    throw failure;
  }

  private Optional<List<NodeMessages.Share>> shares(List<Table> tables, NodeLink runner) {
    List<NodeMessages.Share> all = new ArrayList<>();
    for (Table table : tables) {
      Optional<List<NodeMessages.Share>> some = parts(table).shares(runner);
      if (some.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(some.get());
    }
    return Optional.of(all);
  }

  @Override
  public TableStatistics statistics(Table table, HlcTimestamp at) {
    List<TableStatistics> told = new ArrayList<>();
    for (TableParts.Part part : parts(table).parts()) {
      if (part.isReady() && part.state().figures().rows() > 0) {
        part.node()
            .ask(
                NodeMessages.Question.STATISTICS,
                new NodeMessages.Look(table, at.value()),
                STATISTICS_MILLIS)
            .map(bytes -> links.codec().decode(bytes, TableStatistics.class))
            .ifPresent(told::add);
      }
    }
    return MergedStatistics.of(told);
  }

  @Override
  public Optional<Report> report(Table table) {
    TableParts known = parts(table);
    if (links.answering().isEmpty()) {
      return Optional.of(
          new Report(
              0,
              new PartitionFigures(new PartitionState.Failed("no column node answers"), 0, 0, 0),
              Optional.empty(),
              List.of()));
    }
    if (known.parts().isEmpty()) {
      return Optional.empty();
    }
    PartitionFigures figures = known.figures();
    Optional<Long> freshness = Optional.of(0L);
    Set<String> feeders = new TreeSet<>();
    for (TableParts.Part part : known.parts()) {
      try {
        Optional<Report> told =
            part.node()
                .ask(NodeMessages.Question.REPORT, table, REPORT_MILLIS)
                .map(bytes -> links.codec().decode(bytes, Report.class));
        told.ifPresent(report -> feeders.addAll(report.feeders()));
        Optional<Long> one = told.flatMap(Report::freshnessMillis);
        freshness = freshness.flatMap(most -> one.map(millis -> Math.max(most, millis)));
      } catch (AlraiException e) {
        figures =
            new PartitionFigures(
                new PartitionState.Failed(e.sentence()),
                figures.rows(),
                figures.deltaRows(),
                figures.bytes());
      }
    }
    boolean ready = figures.state() instanceof PartitionState.Ready;
    int partitions =
        (int)
            known.parts().stream()
                .flatMap(part -> part.state().schemas().stream())
                .distinct()
                .count();
    return Optional.of(
        new Report(
            partitions, figures, ready ? freshness : Optional.empty(), List.copyOf(feeders)));
  }

  /** What is wrong with one of several copies is wrong. */
  @Override
  public Optional<List<Checked>> compare(Table table) {
    TableParts known = parts(table);
    if (!(known.figures().state() instanceof PartitionState.Ready)) {
      return Optional.empty();
    }
    Map<String, Checked> merged = new LinkedHashMap<>();
    for (TableParts.Part part : known.parts()) {
      part.node()
          .ask(NodeMessages.Question.CHECK, table, CHECK_MILLIS)
          .map(bytes -> links.codec().decode(bytes, NodeMessages.CheckedParts.class).parts())
          .orElse(List.of())
          .forEach(one -> merged.merge(one.schema(), one, RemoteColumns::both));
    }
    return merged.keySet().containsAll(known.schemas())
        ? Optional.of(List.copyOf(merged.values()))
        : Optional.empty();
  }

  private static Checked both(Checked one, Checked other) {
    IndexCheck.Outcome a = one.outcome();
    IndexCheck.Outcome b = other.outcome();
    List<String> examples = new ArrayList<>(a.examples());
    examples.addAll(b.examples());
    return new Checked(
        one.schema(),
        one.dn(),
        new IndexCheck.Outcome(
            Math.max(a.rows(), b.rows()),
            a.missing() + b.missing(),
            a.surplus() + b.surplus(),
            a.different() + b.different(),
            examples));
  }

  @Override
  public void check(Table table) {
    if (gms.catalog().columnNodes().isEmpty()) {
      NOBODY.check(table);
    }
    checks.accept(table);
  }

  /** Until the nodes have all of it. */
  @Override
  public void await(Table table) {
    long answered = System.nanoTime();
    while (!links.isClosed()) {
      Optional<TableParts> known =
          gms.catalog().table(table.schema(), table.name()).map(this::parts);
      if (known.isPresent()) {
        switch (known.get().figures().state()) {
          case PartitionState.Ready ready -> {
            return;
          }
          case PartitionState.Failed failed ->
              throw new AlraiException(
                  known.get().isGivenUp()
                      ? ErrorCode.ER_NOT_SUPPORTED_YET
                      : ErrorCode.ALRAI_NODE_UNAVAILABLE,
                  "the column index of " + table.name() + " is not usable: " + failed.reason());
          case PartitionState.Building goesOn -> {}
        }
      }
      if (!links.answering().isEmpty()) {
        answered = System.nanoTime();
      } else if (System.nanoTime() - answered > TimeUnit.MILLISECONDS.toNanos(NODE_MILLIS)) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "no column node answers: column indexes are built by these");
      }
      Pause.ofMillis(LOOK_MILLIS);
    }
    throw new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the process is stopping");
  }
}
