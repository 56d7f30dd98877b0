package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.LeaderCalls;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.command.Question;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class LeaderLineTest {
  private final FakeCalls calls = new FakeCalls();
  private final Metrics metrics = new Metrics();
  private final LeaderLine line =
      new LeaderLine(calls, Duration.ofSeconds(20), metrics, System::nanoTime);

  @Test
  void aCommandIsSentAgainUnderItsName() {
    calls.failures = 2;
    calls.answers.add(new Answer.Changed(7));
    calls.answers.add(new Answer.Changed(8));
    assertEquals(7, line.submit(Samples.createSchema("a")));
    assertEquals(3, calls.written.size());
    assertEquals(1, calls.written.stream().distinct().count());
    assertFalse(calls.written.getFirst().request().isEmpty());
    assertEquals(2, metrics.adder(Metric.GMS_RETRIES).sum());
    long waited = metrics.adder(Metric.GMS_WAITS).sum();
    assertTrue(waited > 0);
    assertEquals(8, line.submit(Samples.createSchema("a")));
    assertEquals(waited, metrics.adder(Metric.GMS_WAITS).sum());
    assertNotEquals(calls.written.getFirst(), calls.written.getLast());
  }

  @Test
  void leasesAndNumbersAreNotRemembered() {
    calls.answers.add(new Answer.Changed(7));
    calls.answers.add(new Answer.Numbers(3, 5));
    line.submit(Samples.renew(Samples.CN1, 0, 0));
    assertEquals(new SequenceRange(3, 5), line.reserve("s", 3));
    assertTrue(calls.written.stream().allMatch(entry -> entry.request().isEmpty()));
  }

  @Test
  void aRefusalEndsTheAttempts() {
    calls.answers.add(new Answer.Refused(ErrorCode.ER_DB_CREATE_EXISTS, "exists"));
    AlraiException refusal =
        assertThrows(AlraiException.class, () -> line.submit(Samples.createSchema("a")));
    assertEquals(1007, refusal.errno());
    assertEquals("exists", refusal.sentence());
    assertEquals(1, calls.written.size());
  }

  @Test
  void thePatienceEnds() {
    calls.failures = Integer.MAX_VALUE;
    LeaderLine impatient = new LeaderLine(calls, Duration.ZERO, metrics, System::nanoTime);
    AlraiException end =
        assertThrows(AlraiException.class, () -> impatient.submit(Samples.createSchema("a")));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), end.errno());
    assertTrue(end.sentence().contains("nobody there"), end.sentence());
    assertEquals(1, calls.written.size());
  }

  @Test
  void anInterruptEndsTheAttempts() {
    calls.failures = Integer.MAX_VALUE;
    Thread.currentThread().interrupt();
    AlraiException end =
        assertThrows(AlraiException.class, () -> line.submit(Samples.createSchema("a")));
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), end.errno());
    assertTrue(Thread.interrupted());
  }

  @Test
  void everywhereIsWhenNobodyIsBehind() {
    calls.answers.add(new Answer.Behind(5, List.of(Samples.CN1)));
    calls.answers.add(new Answer.Steps(5, List.of()));
    calls.answers.add(new Answer.Behind(6, List.of()));
    line.awaitEverywhere(3, _ -> false);
    assertEquals(
        List.of(
            new Question.WhoIsBehind(3), new Question.Watch(5, 50), new Question.WhoIsBehind(3)),
        calls.asked);
  }

  @Test
  void whoKnowsOfItselfIsNotWaitedFor() {
    calls.answers.add(new Answer.Behind(5, List.of(Samples.CN1)));
    line.awaitEverywhere(3, Samples.CN1::equals);
    assertEquals(List.of(new Question.WhoIsBehind(3)), calls.asked);
  }

  /** A CN may renew its lease and still not follow the catalog: DDL must not wait for ever. */
  @Test
  void whoStaysBehindIsNamed() {
    LeaderLine impatient = new LeaderLine(calls, Duration.ZERO, metrics, System::nanoTime);
    calls.answers.add(new Answer.Behind(5, List.of(Samples.CN2, Samples.CN1)));
    AlraiException end =
        assertThrows(AlraiException.class, () -> impatient.awaitEverywhere(3, Samples.CN2::equals));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), end.errno());
    assertTrue(end.sentence().startsWith(Samples.CN1.name() + " did not"), end.sentence());
  }

  @Test
  void timestampsAreReservedWhenThereAreNone() {
    calls.answers.add(Answer.Timestamps.NONE);
    calls.answers.add(new Answer.Numbers(1, 9));
    calls.answers.add(new Answer.Timestamps(0, 0, 1));
    calls.answers.add(new Answer.Timestamps(5, 2, 299));
    assertEquals(5, line.timestamps(2).value());
    assertEquals(1, calls.written.size());
    assertEquals(3, calls.asked.size());
    assertEquals(1, calls.asked.stream().distinct().count());
  }

  @Test
  void aLeaderWhoseClockIsFarBehindIsNotWaitedForForEver() {
    LeaderLine impatient = new LeaderLine(calls, Duration.ZERO, metrics, System::nanoTime);
    calls.answers.add(new Answer.Timestamps(0, 0, 60_000));
    AlraiException end = assertThrows(AlraiException.class, () -> impatient.timestamps(1));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), end.errno());
    assertTrue(end.sentence().contains("60000 ms"), end.sentence());
  }

  private static final class FakeCalls implements LeaderCalls {
    private final List<LogEntry> written = new ArrayList<>();
    private final List<Question> asked = new ArrayList<>();
    private final Queue<Answer> answers = new ArrayDeque<>();
    private int failures;

    @Override
    public Answer write(LogEntry entry) throws IOException {
      written.add(entry);
      return next();
    }

    @Override
    public Answer ask(Question question) throws IOException {
      asked.add(question);
      return next();
    }

    private Answer next() throws IOException {
      if (failures > 0) {
        failures--;
        throw new IOException("nobody there");
      }
      return answers.remove();
    }

    @Override
    public void close() {
      // nothing is held
    }
  }
}
