package io.alrai.e2e.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.tpch.TpchAnswers;
import io.alrai.tpch.TpchLoader;
import io.alrai.tpch.TpchOptions;
import io.alrai.tpch.TpchQueries;
import io.alrai.tpch.TpchQuery;
import io.alrai.tpch.TpchReference;
import io.alrai.tpch.TpchRun;
import io.alrai.tpch.TpchSchema;
import java.sql.Connection;
import java.util.Optional;

/** TPC-H at scale factor 0.01 over column nodes. */
final class TpchOnNodes {
  static final String SCHEMA = "tpchnode";
  private static final double SCALE = 0.01;

  private TpchOnNodes() {}

  /** Loads it; then each CN has the nodes answer each query, as it is known. */
  static void answersAreTheKnownOnes(NodeCluster cluster) throws Exception {
    TpchOptions options =
        TpchOptions.of(
                MysqlEndpoint.parse(
                    "mysql://root@127.0.0.1:" + cluster.port(0) + "/" + SCHEMA, SCHEMA))
            .withScaleFactor(SCALE)
            .withRounds(1);
    TpchSchema schema = TpchSchema.of(options);
    schema.recreate(options.endpoint());
    new TpchLoader(options, (_, _, _) -> {}).load();
    try (Connection connection = options.endpoint().connect()) {
      schema.indexColumns(connection);
    }
    for (int cn = 0; cn < 2; cn++) {
      long before = ColumnIndexed.answered(cluster.port(cn));
      try (Connection connection = cluster.connect(cn, SCHEMA)) {
        for (String table : Servers.column(connection, "SHOW TABLES")) {
          ColumnIndexed.awaitReady(cluster.port(cn), SCHEMA, table);
        }
        Servers.run(connection, "SET workload_type = AP");
        for (TpchQuery query : TpchQueries.all()) {
          assertEquals(
              Optional.empty(),
              TpchAnswers.compareWithReference(
                  query,
                  TpchRun.answer(connection, query),
                  TpchReference.answer(query, SCALE).orElseThrow()),
              query.name());
        }
      }
      assertEquals(TpchQueries.all().size(), ColumnIndexed.answered(cluster.port(cn)) - before);
    }
  }
}
