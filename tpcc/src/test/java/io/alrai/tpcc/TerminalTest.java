package io.alrai.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a terminal does about errors; the clock moves a millisecond with every look at it. */
final class TerminalTest {

  private final List<Input> seen = new ArrayList<>();
  private final Deque<SQLException> failures = new ArrayDeque<>();
  private final AcknowledgedOrders acknowledged = new AcknowledgedOrders();
  private final Figures figures =
      new Figures(Phases.from(0, Duration.ZERO, Duration.ofMillis(500)));
  private int rollbacks;
  private int closed;
  private int connected;
  private int refusals;
  private long nanos;
  private long slept;

  private final class FakeSession implements Terminal.Session {
    @Override
    public Outcome run(Input input) throws SQLException {
      seen.add(input);
      if (!failures.isEmpty()) {
        throw failures.remove();
      }
      return input instanceof Input.NewOrder order
          ? new Outcome.OrderCommitted(order.warehouse(), order.district(), seen.size())
          : new Outcome.Committed();
    }

    @Override
    public void rollback() {
      rollbacks++;
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private final class FakeTime implements Terminal.Time {
    @Override
    public long nanos() {
      return nanos += 1_000_000;
    }

    @Override
    public void sleep(long time) {
      nanos += time;
      slept += time;
    }
  }

  private TpccReport run() {
    return run(0);
  }

  private TpccReport run(double pace) {
    Terminal terminal =
        new Terminal(
            () -> {
              connected++;
              if (refusals > 0) {
                refusals--;
                throw new SQLException("refused", "08S01", 2003);
              }
              return new FakeSession();
            },
            new FakeSession(),
            figures,
            acknowledged,
            new FakeTime(),
            pace,
            Terminal.Home.of(TpccScale.specification(1), 0, 1));
    terminal.run();
    return figures.report(1, List.of(terminal.counts()), Duration.ZERO);
  }

  private static long committed(TpccReport report) {
    return report.transactions().stream().mapToLong(TpccReport.Transaction::committed).sum();
  }

  private static long failed(TpccReport report) {
    return report.transactions().stream().mapToLong(TpccReport.Transaction::failed).sum();
  }

  @Test
  void worksUntilTheEnd() {
    TpccReport report = run();
    assertTrue(committed(report) > 50, report.text());
    assertEquals(0, failed(report));
    assertEquals(List.of(), report.errors());
    assertEquals(1, closed);
    assertEquals(
        seen.stream().filter(Input.NewOrder.class::isInstance).count(), acknowledged.count());
  }

  @Test
  void aDeadlockIsRolledBackAndTriedAgainWithTheSameInput() {
    failures.add(new SQLException("deadlock", "40001", 1213));
    failures.add(new SQLException("deadlock", "40001", 1213));
    TpccReport report = run();
    assertSame(seen.get(0), seen.get(1));
    assertSame(seen.get(0), seen.get(2));
    assertNotEquals(seen.get(2), seen.get(3));
    assertEquals(2, rollbacks);
    assertEquals(0, failed(report));
    assertEquals(2, report.errors().getFirst().count());
    assertEquals(TpccErrorKind.RETRIED, report.errors().getFirst().kind());
    assertEquals(0, report.unexpectedErrors());
  }

  @Test
  void anEndlessDeadlockIsGivenUp() {
    for (int i = 0; i < 20; i++) {
      failures.add(new SQLException("deadlock", "40001", 1213));
    }
    assertEquals(1, failed(run()));
  }

  @Test
  void otherErrorsAreGivenUpAtOnce() {
    failures.add(new SQLException("syntax", "42000", 1064));
    TpccReport report = run();
    assertNotEquals(seen.get(0), seen.get(1));
    assertEquals(1, rollbacks);
    assertEquals(1, failed(report));
    assertEquals(1, report.unexpectedErrors());
    assertEquals(0, connected);
  }

  @Test
  void keysAndThinksAtThePaceAskedFor() {
    TpccReport report = run(0.001);
    assertTrue(slept > 200_000_000, "slept " + slept);
    assertTrue(committed(report) > 5 && committed(report) < 50, report.text());
  }

  @Test
  void aPauseEndsWithTheRun() {
    TpccReport report = run(1);
    assertTrue(nanos < 600_000_000, "at " + nanos);
    assertEquals(0, committed(report));
  }

  @Test
  void aLostConnectionIsReplaced() {
    failures.add(new SQLException("gone", "08S01", 0));
    TpccReport report = run();
    assertEquals(1, connected);
    assertEquals(2, closed);
    assertEquals(0, rollbacks);
    assertEquals(1, failed(report));
    assertTrue(committed(report) > 50);
  }

  @Test
  void anEndpointThatIsAwayIsAskedAgain() {
    failures.add(new SQLException("gone", "08S01", 0));
    refusals = 2;
    TpccReport report = run();
    assertEquals(3, connected);
    assertEquals(3, report.unexpectedErrors());
    assertTrue(committed(report) > 20, report.text());
  }
}
