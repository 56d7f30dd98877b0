package io.alrai.e2e.columnar;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.e2e.TpchByColumns;
import java.sql.Connection;

/** TPC-H over column nodes. */
final class TpchOnNodes {
  static final String SCHEMA = "tpchnode";

  private TpchOnNodes() {}

  /** Loads it; then each CN has the nodes answer each query, as it is known. */
  static void answersAreTheKnownOnes(NodeCluster cluster) throws Exception {
    TpchByColumns.load(cluster.port(0), SCHEMA);
    for (int cn = 0; cn < 2; cn++) {
      try (Connection connection = cluster.connect(cn, SCHEMA)) {
        for (String table : Servers.column(connection, "SHOW TABLES")) {
          ColumnIndexed.awaitReady(cluster.port(cn), SCHEMA, table);
        }
        TpchByColumns.allAreAnswered(connection, cluster.port(cn));
      }
    }
  }
}
