package io.alrai.e2e.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.e2e.TpchByColumns;
import io.alrai.tpch.TpchOptions;
import io.alrai.tpch.TpchReport;
import io.alrai.tpch.TpchRun;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** TPC-H at scale factor 0.01 out of column indexes: every answer is the known one. */
@ExtendWith(Servers.Shared.class)
final class TpchColumnsIT {
  @Test
  void everyAnswerIsTheKnownOne(Servers servers) throws Exception {
    int port = servers.cluster().port();
    TpchOptions options = TpchByColumns.load(port, "tpchcol");
    long answered = ColumnIndexed.answered(port);
    List<String> wrong = new ArrayList<>();
    TpchReport report =
        new TpchRun(
                options,
                (_, query, rows, _) ->
                    TpchByColumns.difference(query, rows)
                        .ifPresent(difference -> wrong.add(query.name() + ": " + difference)))
            .run();
    System.out.print(report.text());
    assertEquals(List.of(), wrong);
    assertEquals(0, report.errors(), report.text());
    System.out.println(
        "TPC-H queries by column indexes: " + (ColumnIndexed.answered(port) - answered));
    try (Connection connection = options.endpoint().connect()) {
      TpchByColumns.allAreAnswered(connection, port);
    }
  }
}
