package io.alrai.cn.columnar.node;

import io.alrai.cn.columnar.ColumnarService;
import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionSnapshot;
import io.alrai.columnar.version.PartitionState;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.executor.task.Cancellation;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The tables of one plan on the node that runs it: partitions of its own, and copies of what it
 * wants of those that other nodes have. One thread; closed after the plan's rows.
 */
final class PlanTables implements ColumnIndexes, AutoCloseable {
  private final Map<String, ColumnIndex> tables = new HashMap<>();
  private final List<PartitionSnapshot> fetched = new ArrayList<>();

  /**
   * Asks the other nodes, and waits for them.
   *
   * @param scans brings what others have
   * @throws AlraiException also where a node has not what the query says
   */
  PlanTables(
      NodeMessages.Query query,
      NodeId self,
      ColumnarService service,
      PeerScans scans,
      Cancellation cancellation) {
    boolean done = false;
    try {
      for (Table table : query.sent().tables()) {
        tables.put(
            key(table.schema(), table.name()),
            table(query, table, self, service, scans, cancellation));
      }
      done = true;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  private static String key(String schema, String table) {
    return schema + "\0" + table;
  }

  private ColumnIndex table(
      NodeMessages.Query query,
      Table table,
      NodeId self,
      ColumnarService service,
      PeerScans scans,
      Cancellation cancellation) {
    Set<String> own = new HashSet<>();
    List<ColumnTable> copies = new ArrayList<>();
    for (NodeMessages.Share share : query.shares()) {
      if (share.tableId() != table.id()) {
        continue;
      }
      if (share.node().equals(self.name())) {
        own.addAll(share.schemas());
      } else {
        PartitionSnapshot copy = scans.fetch(query.sent(), table, share, cancellation);
        fetched.add(copy);
        copies.add(copy);
      }
    }
    Optional<ColumnIndex> here =
        own.isEmpty()
            ? Optional.empty()
            : Optional.of(
                service
                    .index(table, own)
                    .orElseThrow(() ->
                        new AlraiException(
                            ErrorCode.ALRAI_NODE_UNAVAILABLE,
                            "there is no column index of " + table.name() + " here")));
    return new Shared(table.name(), here, copies);
  }

  @Override
  public Optional<ColumnIndex> find(String schema, String table) {
    return Optional.ofNullable(tables.get(key(schema, table)));
  }

  @Override
  public void close() {
    fetched.forEach(PartitionSnapshot::close);
    fetched.clear();
  }

  /** A table of which some partitions are here. */
  private record Shared(String name, Optional<ColumnIndex> here, List<ColumnTable> copies)
      implements ColumnIndex {
    @Override
    public PartitionFigures figures() {
      return here.map(ColumnIndex::figures)
          .orElse(new PartitionFigures(new PartitionState.Ready(), 0, 0, 0));
    }

    @Override
    public CompletableFuture<IndexSnapshot> openAt(HlcTimestamp at) {
      if (here.isEmpty()) {
        return CompletableFuture.completedFuture(new Opened(at, Optional.empty(), copies));
      }
      CompletableFuture<IndexSnapshot> opening = here.get().openAt(at);
      CompletableFuture<IndexSnapshot> result = new CompletableFuture<>();
      result.whenComplete((opened, error) -> opening.cancel(false));
      opening.whenComplete((opened, error) -> {
        if (error != null) {
          result.completeExceptionally(AlraiException.causeOf(error));
        } else if (!result.complete(new Opened(at, Optional.of(opened), copies))) {
          opened.close();
        }
      });
      return result;
    }
  }

  private record Opened(HlcTimestamp at, Optional<IndexSnapshot> here, List<ColumnTable> copies)
      implements IndexSnapshot {
    @Override
    public List<ColumnTable> partitions() {
      List<ColumnTable> all = new ArrayList<>(copies);
      here.ifPresent(own -> all.addAll(own.partitions()));
      return all;
    }

    @Override
    public void close() {
      here.ifPresent(IndexSnapshot::close);
    }
  }
}
