package io.alrai.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.tpch.ResultRows;
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

/** TPC-H at scale factor 0.01 with column indexes. */
public final class TpchByColumns {
  private static final double SCALE = 0.01;

  private TpchByColumns() {}

  /** Loads it into a schema of that name at an endpoint, and makes the indexes. */
  public static TpchOptions load(int port, String name) throws Exception {
    TpchOptions options =
        TpchOptions.of(MysqlEndpoint.parse("mysql://root@127.0.0.1:" + port + "/" + name, name))
            .withScaleFactor(SCALE)
            .withRounds(1);
    TpchSchema schema = TpchSchema.of(options);
    schema.recreate(options.endpoint());
    new TpchLoader(options, (_, _, _) -> {}).load();
    try (Connection connection = options.endpoint().connect()) {
      schema.indexColumns(connection);
    }
    return options;
  }

  /** What is wrong with an answer. */
  public static Optional<String> difference(TpchQuery query, ResultRows rows) {
    return TpchAnswers.compareWithReference(
        query, rows, TpchReference.answer(query, SCALE).orElseThrow());
  }

  /** Has the column store answer each query that the endpoint of that port is asked. */
  public static void allAreAnswered(Connection connection, int port) throws Exception {
    long before = ColumnIndexed.answered(port);
    Servers.run(connection, "SET workload_type = AP");
    for (TpchQuery query : TpchQueries.all()) {
      assertEquals(
          Optional.empty(), difference(query, TpchRun.answer(connection, query)), query.name());
    }
    assertEquals(TpchQueries.all().size(), ColumnIndexed.answered(port) - before);
  }
}
