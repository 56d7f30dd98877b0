package io.alrai.e2e.columnar;

import io.alrai.cn.process.EmbeddedCluster;
import io.alrai.columnar.check.BatchRows;
import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads column indexes of a cluster in this process as a query does. */
final class ColumnReads {
  private static final long MOST_SECONDS = 20;

  private final EmbeddedCluster cluster;

  ColumnReads(EmbeddedCluster cluster) {
    this.cluster = cluster;
  }

  /** Rows, and the sum of a column. */
  record Total(long rows, long sum) {}

  /** Above all that anybody was answered. */
  HlcTimestamp now() {
    return cluster.agents().getFirst().clock().advance();
  }

  ColumnIndex index(String schema, String table) {
    return cluster
        .columnIndexes()
        .find(schema, table)
        .orElseThrow(() -> new AssertionError("no index of " + schema + "." + table));
  }

  IndexSnapshot open(String schema, String table) throws Exception {
    return index(schema, table).openAt(now()).get(MOST_SECONDS, TimeUnit.SECONDS);
  }

  Total total(String schema, String table, String column) throws Exception {
    try (IndexSnapshot snapshot = open(schema, table)) {
      return total(snapshot, column);
    }
  }

  static Total total(IndexSnapshot snapshot, String column) throws Exception {
    long[] counts = new long[2];
    for (ColumnTable partition : snapshot.partitions()) {
      List<Integer> ordinals = List.of(partition.shape().ordinal(column));
      try (TableScan scan = partition.scan(snapshot.at(), ordinals, ZoneFilter.ALL).get()) {
        BatchRows.forEach(
            scan,
            row -> {
              counts[0]++;
              counts[1] += row.number(0);
            });
      }
    }
    return new Total(counts[0], counts[1]);
  }
}
