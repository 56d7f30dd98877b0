package io.alrai.cn.columnar.remote;

import io.alrai.cn.columnar.IndexReports;
import io.alrai.cn.columnar.RemotePlans;
import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.cn.ddl.ColumnIndexBuilds;
import io.alrai.columnar.check.IndexCheck;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionState;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.rpc.ClusterSecret;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.exchange.RecordCodec;
import io.alrai.executor.task.Cancellation;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.ColumnNode;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.stats.TableStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The column nodes that the catalog names. Each keeps all indexes; a plan runs on one of those that
 * have all it reads, in turn. Thread-safe.
 */
public final class RemoteColumns
    implements ColumnIndexes, ColumnIndexBuilds, IndexReports, RemotePlans, AutoCloseable {
  private static final long BATCH_BYTES = 64L << 20;
  private static final long LOOK_MILLIS = 50;
  private static final long REPORT_MILLIS = 5_000;
  private static final long STATISTICS_MILLIS = 11_000;
  private static final long CHECK_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** So long DDL waits for a column node that answers. */
  private static final long NODE_MILLIS = 15_000;

  private final GmsService gms;
  private final ClusterSecret secret;
  private final NodeId self;
  private final Consumer<Table> checks;
  private final RecordCodec codec = NodeMessages.codec();
  private final Map<NodeId, NodeLink> links = new ConcurrentHashMap<>();
  private final AtomicInteger turn = new AtomicInteger();
  private volatile boolean closed;

  /** Where there is no column node, nothing of Arrow is loaded. Guarded by this. */
  private @Nullable BufferAllocator allocator;

  /**
   * Those of a cluster.
   *
   * @param self this process
   * @param checks whether a table can have an index: ER_NOT_SUPPORTED_YET when not
   */
  public RemoteColumns(
      GmsService gms, ClusterSecret secret, NodeId self, Consumer<Table> checks) {
    this.gms = gms;
    this.secret = secret;
    this.self = self;
    this.checks = checks;
  }

  /** Follows the catalog from now on. */
  public void start() {
    gms.onChange(this::follow);
    follow(gms.catalog());
  }

  private synchronized void follow(Catalog catalog) {
    if (closed) {
      return;
    }
    List<NodeLink> old = new ArrayList<>();
    for (Map.Entry<NodeId, NodeLink> entry : links.entrySet()) {
      boolean same =
          catalog.columnNodes().stream()
              .anyMatch(node ->
                  node.id().equals(entry.getKey())
                      && node.address().equals(entry.getValue().address()));
      if (!same) {
        old.add(entry.getValue());
      }
    }
    links.values().removeAll(old);
    old.forEach(link -> Thread.ofVirtual().start(link::close));
    for (ColumnNode node : catalog.columnNodes()) {
      if (!links.containsKey(node.id())) {
        NodeLink link = new NodeLink(self, node, secret, allocator(), codec);
        links.put(node.id(), link);
        link.start();
      }
    }
  }

  private synchronized BufferAllocator allocator() {
    BufferAllocator known = allocator;
    if (known == null) {
      known = new RootAllocator(BATCH_BYTES);
      allocator = known;
    }
    return known;
  }

  @Override
  public Optional<ColumnIndex> find(String schema, String table) {
    return gms.catalog()
        .table(schema, table)
        .filter(known -> !known.columnIndexes().isEmpty())
        .flatMap(this::find);
  }

  private Optional<ColumnIndex> find(Table table) {
    List<NodeLink.Known> all = known(links.values(), table);
    Optional<NodeLink.Known> best =
        all.stream()
            .filter(RemoteColumns::isReady)
            .findFirst()
            .or(() -> all.stream().findFirst());
    return best.map(one -> new RemoteIndex(one.state().name(), one.state().figures()));
  }

  /** What nodes say of a table as it is there. */
  private static List<NodeLink.Known> known(Collection<NodeLink> nodes, Table table) {
    return nodes.stream()
        .flatMap(link -> link.known().stream())
        .flatMap(indexes -> Optional.ofNullable(indexes.get(table.id())).stream())
        .filter(one -> one.table().equals(table))
        .toList();
  }

  private static boolean isReady(NodeLink.Known known) {
    return known.state().figures().state() instanceof PartitionState.Ready;
  }

  /** Those that can read all of these tables, the next in turn first. */
  private List<NodeLink> able(List<Table> tables) {
    List<NodeLink> able =
        links.values().stream()
            .filter(link ->
                tables.stream()
                    .allMatch(table ->
                        known(List.of(link), table).stream().anyMatch(RemoteColumns::isReady)))
            .sorted((one, other) -> one.name().compareTo(other.name()))
            .toList();
    if (able.isEmpty()) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "no column node that answers has all column indexes that the plan reads");
    }
    int first = Math.floorMod(turn.getAndIncrement(), able.size());
    List<NodeLink> inTurn = new ArrayList<>(able.subList(first, able.size()));
    inTurn.addAll(able.subList(0, first));
    return inTurn;
  }

  @Override
  public PlanRows run(Sent sent, Cancellation cancellation) {
    List<NodeLink> able = able(sent.tables());
    byte[] ticket = codec.encode(sent);
    for (NodeLink link : able.subList(0, able.size() - 1)) {
      try {
        return run(link, ticket, sent, cancellation);
      } catch (AlraiException e) {
        if (e.errno() != ErrorCode.ALRAI_NODE_UNAVAILABLE.errno()) {
          throw e;
        }
      }
    }
    return run(able.getLast(), ticket, sent, cancellation);
  }

  private PlanRows run(NodeLink link, byte[] ticket, Sent sent, Cancellation cancellation) {
    cancellation.check();
    return new RemoteRows(
        link.name(), link.call(ticket), sent.plan().root().columns(), codec, cancellation);
  }

  @Override
  public TableStatistics statistics(Table table, HlcTimestamp at) {
    return able(List.of(table))
        .getFirst()
        .ask(
            NodeMessages.Question.STATISTICS,
            new NodeMessages.Look(table, at.value()),
            STATISTICS_MILLIS)
        .map(bytes -> codec.decode(bytes, TableStatistics.class))
        .orElse(TableStatistics.UNKNOWN);
  }

  @Override
  public Optional<Report> report(Table table) {
    List<Report> told = new ArrayList<>();
    boolean anybody = false;
    for (NodeLink link : links.values()) {
      if (link.known().isPresent()) {
        anybody = true;
        link.ask(NodeMessages.Question.REPORT, table, REPORT_MILLIS)
            .map(bytes -> codec.decode(bytes, Report.class))
            .ifPresent(told::add);
      }
    }
    if (!anybody) {
      return Optional.of(
          new Report(
              0,
              new PartitionFigures(new PartitionState.Failed("no column node answers"), 0, 0, 0),
              Optional.empty()));
    }
    return told.stream()
        .filter(one -> one.figures().state() instanceof PartitionState.Ready)
        .findFirst()
        .or(() -> told.stream().findFirst());
  }

  /** Each node's copy; what is wrong with one of them is wrong. */
  @Override
  public Optional<List<Checked>> compare(Table table) {
    Map<String, Checked> merged = new LinkedHashMap<>();
    for (NodeLink link : links.values()) {
      if (known(List.of(link), table).stream().anyMatch(RemoteColumns::isReady)) {
        link.ask(NodeMessages.Question.CHECK, table, CHECK_MILLIS)
            .map(bytes -> codec.decode(bytes, NodeMessages.CheckedParts.class).parts())
            .orElse(List.of())
            .forEach(part -> merged.merge(part.schema(), part, RemoteColumns::both));
      }
    }
    return merged.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(merged.values()));
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
    if (links.isEmpty()) {
      NOBODY.check(table);
    }
    checks.accept(table);
  }

  /** Until every node that answers has built it. */
  @Override
  public void await(Table table) {
    long unanswered = System.nanoTime();
    while (!closed) {
      List<NodeLink> answering =
          links.values().stream().filter(link -> link.known().isPresent()).toList();
      List<NodeLink.Known> all =
          gms.catalog()
              .table(table.schema(), table.name())
              .map(now -> known(answering, now))
              .orElse(List.of());
      for (NodeLink.Known one : all) {
        if (one.state().figures().state() instanceof PartitionState.Failed failed) {
          throw new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              "the column index " + one.state().name() + " is not usable: " + failed.reason());
        }
      }
      if (!answering.isEmpty()
          && all.size() == answering.size()
          && all.stream().allMatch(RemoteColumns::isReady)) {
        return;
      }
      if (!answering.isEmpty()) {
        unanswered = System.nanoTime();
      } else if (System.nanoTime() - unanswered > TimeUnit.MILLISECONDS.toNanos(NODE_MILLIS)) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "no column node answers: column indexes are built by these");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }
    throw new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the process is stopping");
  }

  @Override
  public void close() {
    List<NodeLink> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(links.values());
      links.clear();
    }
    all.forEach(NodeLink::close);
  }
}
