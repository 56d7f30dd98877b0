package io.alrai.e2e.tpch;

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
import io.alrai.tpch.TpchReport;
import io.alrai.tpch.TpchRun;
import io.alrai.tpch.TpchSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** TPC-H at scale factor 0.01 out of column indexes: every answer is the known one. */
@ExtendWith(Servers.Shared.class)
final class TpchColumnsIT {
  private static final double SCALE = 0.01;
  private static final int QUERIES = 22;

  @Test
  void everyAnswerIsTheKnownOne(Servers servers) throws Exception {
    int port = servers.cluster().port();
    TpchOptions options =
        TpchOptions.of(
                MysqlEndpoint.parse("mysql://root@127.0.0.1:" + port + "/tpchcol", "tpchcol"))
            .withScaleFactor(SCALE)
            .withRounds(1);
    TpchSchema schema = TpchSchema.of(options);
    schema.recreate(options.endpoint());
    new TpchLoader(options, (_, _, _) -> {}).load();
    try (Connection connection = options.endpoint().connect()) {
      schema.indexColumns(connection);
    }
    long answered = ColumnIndexed.answered(port);
    List<String> wrong = new ArrayList<>();
    TpchReport report =
        new TpchRun(
                options,
                (_, query, rows, _) ->
                    TpchAnswers.compareWithReference(
                            query, rows, TpchReference.answer(query, SCALE).orElseThrow())
                        .ifPresent(difference -> wrong.add(query.name() + ": " + difference)))
            .run();
    System.out.print(report.text());
    assertEquals(List.of(), wrong);
    assertEquals(0, report.errors(), report.text());
    System.out.println(
        "TPC-H queries by column indexes: " + (ColumnIndexed.answered(port) - answered));
    allByColumns(options, port);
  }

  /** With the wish for it, none is left to the row store. */
  private static void allByColumns(TpchOptions options, int port) throws Exception {
    long before = ColumnIndexed.answered(port);
    try (Connection connection = options.endpoint().connect()) {
      workload(connection, "AP");
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
    assertEquals(QUERIES, ColumnIndexed.answered(port) - before);
  }

  private static void workload(Connection connection, String type) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET workload_type = " + type);
    }
  }
}
