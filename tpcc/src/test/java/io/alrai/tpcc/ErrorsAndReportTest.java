package io.alrai.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ErrorsAndReportTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void errorsAreSortedByWhatATerminalCanDo() {
    assertEquals(TpccErrorKind.RETRIED, TpccErrorKind.of(new SQLException("", "40001", 1213)));
    assertEquals(TpccErrorKind.RETRIED, TpccErrorKind.of(new SQLException("", "HY000", 1205)));
    assertEquals(TpccErrorKind.RETRIED, TpccErrorKind.of(new SQLException("", "40001", 0)));
    assertEquals(TpccErrorKind.CONNECTION, TpccErrorKind.of(new SQLException("", "08S01", 0)));
    assertEquals(
        TpccErrorKind.WRONG_ANSWER,
        TpccErrorKind.of(new SQLException("", Statements.WRONG_ANSWER)));
    assertEquals(TpccErrorKind.OTHER, TpccErrorKind.of(new SQLException("", "42000", 1064)));
    assertEquals(TpccErrorKind.OTHER, TpccErrorKind.of(new SQLException("")));
  }

  @Test
  void onlyTheMeasuredPhaseCounts() {
    Phases phases = Phases.from(0, Duration.ofSeconds(2), Duration.ofSeconds(10));
    Figures figures = new Figures(phases);
    TerminalCounts terminal = new TerminalCounts();
    for (int second = 0; second < 13; second++) {
      long now = second * SECOND + 5;
      figures.committed(TpccTransactionType.NEW_ORDER, now);
      figures.committed(TpccTransactionType.PAYMENT, now);
      if (phases.isMeasured(now)) {
        terminal.ended(TpccTransactionType.NEW_ORDER, new Outcome.Committed(), 1_000);
        terminal.ended(TpccTransactionType.PAYMENT, new Outcome.Committed(), 2_000);
      }
    }
    figures.error(new SQLException("deadlock", "40001", 1213), 3 * SECOND);
    figures.error(new SQLException("syntax", "42000", 1064), SECOND);
    TpccReport report = figures.report(2, List.of(terminal), Duration.ofSeconds(2));

    assertEquals(60.0, report.tpmC());
    assertEquals(2.0, report.transactionsPerSecond());
    assertEquals(10, report.seconds().size());
    assertEquals(new TpccReport.Second(1, 2, 0), report.seconds().getFirst());
    assertEquals(new TpccReport.Second(1, 2, 1), report.seconds().get(1));
    assertEquals(
        List.of(new TpccReport.Second(4, 8, 1), new TpccReport.Second(4, 8, 0)), report.windows(4));
    assertEquals(1, report.unexpectedErrors());
    assertTrue(report.text().startsWith("tpmC 60.0\n"), report.text());
    assertTrue(report.text().contains("error 1213 (40001) retried: 1 times"), report.text());
  }

  @Test
  void rolledBackOrdersAreNoThroughput() {
    Figures figures = new Figures(Phases.from(0, Duration.ZERO, Duration.ofSeconds(60)));
    TerminalCounts terminal = new TerminalCounts();
    terminal.ended(TpccTransactionType.NEW_ORDER, new Outcome.RolledBack(), 10);
    terminal.ended(TpccTransactionType.NEW_ORDER, new Outcome.OrderCommitted(1, 1, 3_001), 10);
    TpccReport report = figures.report(1, List.of(terminal, terminal), Duration.ZERO);
    assertEquals(2.0, report.tpmC());
    assertEquals(2, report.transactions().getFirst().rolledBack());
  }
}
