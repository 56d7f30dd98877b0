package io.alrai.e2e.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.testing.PlainMysqld;
import io.alrai.tpch.ResultRows;
import io.alrai.tpch.TpchAnswers;
import io.alrai.tpch.TpchLoader;
import io.alrai.tpch.TpchOptions;
import io.alrai.tpch.TpchQueries;
import io.alrai.tpch.TpchQuery;
import io.alrai.tpch.TpchReference;
import io.alrai.tpch.TpchReport;
import io.alrai.tpch.TpchRun;
import io.alrai.tpch.TpchSchema;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver against a mysqld without Alrai: what fails here is the driver's fault. */
final class TpchPlainMysqlIT {
  @TempDir static Path directory;
  private static PlainMysqld server;
  private static TpchOptions options;

  @BeforeAll
  static void load() throws Exception {
    server = PlainMysqld.start(directory.resolve("mysqld"));
    options = TpchOptions.of(MysqlEndpoint.parse(server.url("tpch"), "tpch")).withRounds(2);
    TpchSchema schema = TpchSchema.of(options);
    schema.recreate(options.endpoint());
    assertEquals(86_805, new TpchLoader(options, (_, _, _) -> {}).load());
    try (Connection connection = options.endpoint().connect()) {
      schema.analyze(connection);
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void allAnswersAreThoseKnown() throws Exception {
    List<String> wrong = new ArrayList<>();
    TpchReport report =
        new TpchRun(
                options,
                (_, query, rows, _) ->
                    TpchAnswers.compareWithReference(
                            query, rows, TpchReference.answer(query, 0.01).orElseThrow())
                        .ifPresent(difference -> wrong.add(query.name() + ": " + difference)))
            .run();
    System.out.print(report.text());
    assertEquals(List.of(), wrong);
    assertEquals(0, report.errors(), report.text());
    assertTrue(report.queries().stream().allMatch(query -> query.times().size() == 2));
    assertTrue(report.geometricMeanMillis() > 0);
  }

  @Test
  void rowsAreThoseOfDbgen() throws Exception {
    try (Connection connection = options.endpoint().connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*), SUM(l_quantity), SUM(l_extendedprice) FROM lineitem")) {
      assertTrue(row.next());
      assertEquals("60175", row.getString(1));
      assertEquals("1536127.00", row.getString(2));
    }
    try (Connection connection = options.endpoint().connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM lineitem LIMIT 1")) {
      assertTrue(row.next());
      assertEquals("1|1552|93|1|17.00|24710.35|0.04|0.02|N|O|1996-03-13", line(row, 11));
      assertEquals("egular courts above the", row.getString("l_comment"));
    }
  }

  private static String line(ResultSet row, int columns) throws SQLException {
    StringBuilder line = new StringBuilder(row.getString(1));
    for (int column = 2; column <= columns; column++) {
      line.append('|').append(row.getString(column));
    }
    return line.toString();
  }

  @Test
  void oneChangedRowIsSeenAndItsReturnToo() throws Exception {
    TpchQuery pricing = TpchQueries.query(1);
    try (Connection connection = options.endpoint().connect();
        Statement statement = connection.createStatement()) {
      ResultRows before = TpchRun.answer(connection, pricing);
      connection.setAutoCommit(false);
      statement.executeUpdate(
          "UPDATE lineitem SET l_extendedprice = l_extendedprice + 0.01"
              + " WHERE l_orderkey = 1 AND l_linenumber = 1");
      ResultRows changed = TpchRun.answer(connection, pricing);
      assertTrue(TpchAnswers.compare(pricing, before, changed).isPresent());
      connection.rollback();
      assertEquals(
          Optional.empty(),
          TpchAnswers.compare(pricing, before, TpchRun.answer(connection, pricing)));
    }
  }
}
