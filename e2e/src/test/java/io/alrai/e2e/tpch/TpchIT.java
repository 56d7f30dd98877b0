package io.alrai.e2e.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.e2e.Servers;
import io.alrai.tpch.ResultRows;
import io.alrai.tpch.TpchAnswers;
import io.alrai.tpch.TpchLoader;
import io.alrai.tpch.TpchOptions;
import io.alrai.tpch.TpchQuery;
import io.alrai.tpch.TpchReference;
import io.alrai.tpch.TpchReport;
import io.alrai.tpch.TpchRun;
import io.alrai.tpch.TpchSchema;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** TPC-H at scale factor 0.01 over two DNs: every answer is that of a plain mysqld. */
@ExtendWith(Servers.Shared.class)
final class TpchIT {
  private static final double SCALE = 0.01;
  private static final long ROWS = 86_805;

  private static Map<TpchQuery, ResultRows> answers(int port) throws Exception {
    TpchOptions options =
        TpchOptions.of(MysqlEndpoint.parse("mysql://root@127.0.0.1:" + port + "/tpch", "tpch"))
            .withScaleFactor(SCALE)
            .withRounds(1);
    TpchSchema schema = TpchSchema.of(options);
    schema.recreate(options.endpoint());
    assertEquals(ROWS, new TpchLoader(options, (_, _, _) -> {}).load());
    try (Connection connection = options.endpoint().connect()) {
      schema.analyze(connection);
    }
    Map<TpchQuery, ResultRows> answers = new HashMap<>();
    TpchReport report = new TpchRun(options, (_, query, rows, _) -> answers.put(query, rows)).run();
    System.out.print(report.text());
    assertEquals(0, report.errors(), report.text());
    assertEquals(22, answers.size());
    return answers;
  }

  @Test
  void everyAnswerIsThatOfPlainMysqld(Servers servers) throws Exception {
    Map<TpchQuery, ResultRows> expected = answers(servers.plain().port());
    List<String> wrong = new ArrayList<>();
    answers(servers.cluster().port())
        .forEach((query, rows) -> {
          TpchAnswers.compare(query, Objects.requireNonNull(expected.get(query)), rows)
              .ifPresent(difference -> wrong.add(query.name() + ": " + difference));
          TpchAnswers.compareWithReference(
                  query, rows, TpchReference.answer(query, SCALE).orElseThrow())
              .ifPresent(difference -> wrong.add(query.name() + " as known: " + difference));
        });
    assertEquals(List.of(), wrong);
  }
}
