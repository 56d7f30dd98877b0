package io.alrai.testing.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.history.Anomaly.Kind;
import io.alrai.testing.history.Transaction.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Anomalies written by hand, each found, and what is none, passed. */
class HistoryCheckerTest {
  private static final long X = 1;
  private static final long Y = 2;

  private long session;

  private Transaction committed(Operation... operations) {
    return new Transaction(++session, Outcome.COMMITTED, List.of(operations));
  }

  private Transaction ended(Outcome outcome, Operation... operations) {
    return new Transaction(++session, outcome, List.of(operations));
  }

  private static Operation append(long key, long value) {
    return new Operation.Append(key, value);
  }

  private static Operation write(long key, long value) {
    return new Operation.Write(key, value);
  }

  private static Operation list(long key, Long... values) {
    return new Operation.ReadList(key, Arrays.asList(values), false);
  }

  private static Operation current(long key, Long... values) {
    return new Operation.ReadList(key, Arrays.asList(values), true);
  }

  private static Operation register(long key, long value) {
    return new Operation.ReadRegister(key, value, false);
  }

  private static void expect(Level level, Kind kind, Transaction... history) {
    List<Anomaly> found = HistoryChecker.check(List.of(history), level);
    assertTrue(found.stream().anyMatch(a -> a.kind() == kind), level + " found " + found);
  }

  private static void expectClean(Level level, Transaction... history) {
    assertEquals(List.of(), HistoryChecker.check(List.of(history), level));
  }

  @Test
  void aSerialHistoryIsClean() {
    Transaction[] history = {
      committed(list(X), append(X, 1L), append(Y, 2L), list(X, 1L)),
      committed(list(X, 1L), list(Y, 2L), append(X, 3L)),
      committed(list(X, 1L, 3L), list(Y, 2L))
    };
    for (Level level : Level.values()) {
      expectClean(level, history);
    }
  }

  @Test
  void overwritesInTwoOrdersAreG0() {
    Transaction[] history = {
      committed(append(X, 1L), append(Y, 1L)),
      committed(append(X, 2L), append(Y, 2L)),
      committed(list(X, 1L, 2L)),
      committed(list(Y, 2L, 1L))
    };
    for (Level level : Level.values()) {
      expect(level, Kind.G0, history);
    }
  }

  @Test
  void anotherOnesAppendsInBetweenAreG0() {
    expect(
        Level.READ_COMMITTED,
        Kind.G0,
        committed(append(X, 1L), append(X, 3L)),
        committed(append(X, 2L)),
        committed(list(X, 1L, 2L, 3L)));
  }

  @Test
  void readingTheAbortedIsG1a() {
    expect(
        Level.READ_COMMITTED,
        Kind.G1A,
        ended(Outcome.ABORTED, append(X, 1L)),
        committed(list(X, 1L)));
    expect(
        Level.READ_COMMITTED,
        Kind.G1A,
        ended(Outcome.ABORTED, write(X, 1L)),
        committed(register(X, 1L)));
  }

  @Test
  void readingTheIntermediateIsG1b() {
    expect(
        Level.READ_COMMITTED,
        Kind.G1B,
        committed(append(X, 1L), append(X, 2L)),
        committed(list(X, 1L)));
    expect(
        Level.READ_COMMITTED,
        Kind.G1B,
        committed(write(X, 1L), write(X, 2L)),
        committed(register(X, 1L)));
  }

  @Test
  void readingEachOtherIsG1c() {
    expect(
        Level.READ_COMMITTED,
        Kind.G1C,
        committed(append(X, 1L), list(Y, 2L)),
        committed(append(Y, 2L), list(X, 1L)));
  }

  @Test
  void halfATransactionIsGSingle() {
    Transaction[] history = {
      committed(append(X, 1L), append(Y, 1L)), committed(list(X, 1L), list(Y))
    };
    expect(Level.SNAPSHOT, Kind.G_SINGLE, history);
    expect(Level.STRICT_SNAPSHOT, Kind.G_SINGLE, history);
    expect(Level.SERIALIZABLE, Kind.G_SINGLE, history);
    expectClean(Level.READ_COMMITTED, history);
  }

  @Test
  void halfATransactionInRegistersIsGSingle() {
    expect(
        Level.SNAPSHOT,
        Kind.G_SINGLE,
        committed(write(X, 1L), write(Y, 1L)),
        committed(register(X, 1L), register(Y, Operation.INITIAL)));
  }

  @Test
  void readersWhoContradictEachOtherAreALongFork() {
    Transaction[] history = {
      committed(append(X, 1L)),
      committed(append(Y, 2L)),
      committed(list(X, 1L), list(Y)),
      committed(list(X), list(Y, 2L))
    };
    expect(Level.SNAPSHOT, Kind.LONG_FORK, history);
    expect(Level.STRICT_SNAPSHOT, Kind.LONG_FORK, history);
    expectClean(Level.READ_COMMITTED, history);
  }

  @Test
  void writeSkewIsG2AndFineForSnapshots() {
    Transaction[] history = {
      committed(list(X), append(Y, 1L)),
      committed(list(Y), append(X, 2L)),
      committed(list(X, 2L), list(Y, 1L))
    };
    expect(Level.SERIALIZABLE, Kind.G2, history);
    expectClean(Level.SNAPSHOT, history);
    expectClean(Level.STRICT_SNAPSHOT, history);
  }

  @Test
  void aLostUpdateIsFoundWhereItIsForbidden() {
    Transaction[] history = {
      committed(list(X), append(X, 1L)),
      committed(list(X), append(X, 2L)),
      committed(list(X, 1L, 2L))
    };
    expect(Level.STRICT_SNAPSHOT, Kind.LOST_UPDATE, history);
    expect(Level.SERIALIZABLE, Kind.LOST_UPDATE, history);
    expectClean(Level.SNAPSHOT, history);
  }

  @Test
  void aLostUpdateOfRegistersIsFoundWithTheirOrder() {
    List<Transaction> history =
        List.of(
            committed(register(X, Operation.INITIAL), write(X, 1L)),
            committed(register(X, Operation.INITIAL), write(X, 2L)));
    Map<Long, List<Long>> order = Map.of(X, List.of(1L, 2L));
    assertEquals(
        Kind.LOST_UPDATE,
        HistoryChecker.check(history, Level.STRICT_SNAPSHOT, order).getFirst().kind());
    assertEquals(List.of(), HistoryChecker.check(history, Level.SNAPSHOT, order));
  }

  @Test
  void currentReadsSeeWhatTheSnapshotDoesNot() {
    expectClean(
        Level.SNAPSHOT,
        committed(append(X, 1L)),
        committed(list(Y), list(X), current(X, 1L), append(X, 2L), list(X, 1L, 2L)));
    expect(
        Level.SNAPSHOT,
        Kind.G_SINGLE,
        committed(append(X, 1L), append(Y, 1L)),
        committed(current(X, 1L), current(Y)));
  }

  @Test
  void aReaderMustNotGoBackWithinItsSession() {
    Transaction[] history = {
      committed(append(X, 1L)),
      new Transaction(77, Outcome.COMMITTED, List.of(list(X, 1L))),
      new Transaction(77, Outcome.COMMITTED, List.of(list(X)))
    };
    expect(Level.SNAPSHOT, Kind.G_SINGLE, history);
    expectClean(Level.READ_COMMITTED, history);
  }

  @Test
  void aSessionDoesNotKnowWhatBecameOfALostCommit() {
    Transaction later = new Transaction(77, Outcome.COMMITTED, List.of(append(Y, 2L)));
    Transaction reader = committed(list(X), list(Y, 2L));
    Transaction seen = committed(list(X, 1L));
    expectClean(
        Level.SNAPSHOT,
        new Transaction(77, Outcome.UNKNOWN, List.of(append(X, 1L))),
        later,
        reader,
        seen);
    expect(
        Level.SNAPSHOT,
        Kind.G_SINGLE,
        new Transaction(77, Outcome.COMMITTED, List.of(append(X, 1L))),
        later,
        reader,
        seen);
  }

  @Test
  void unseenAppendsAreBehindTheSeenOnes() {
    expect(
        Level.SNAPSHOT,
        Kind.G_SINGLE,
        committed(append(X, 1L), append(Y, 1L)),
        committed(list(Y, 1L), list(X)),
        committed(append(X, 2L)));
  }

  @Test
  void anUnknownOutcomeCountsWhenItWasSeen() {
    expectClean(
        Level.SNAPSHOT,
        ended(Outcome.UNKNOWN, append(X, 1L), append(Y, 1L)),
        committed(list(X), list(Y)));
    expect(
        Level.SNAPSHOT,
        Kind.G_SINGLE,
        ended(Outcome.UNKNOWN, append(X, 1L), append(Y, 1L)),
        committed(list(X, 1L), list(Y)));
  }

  @Test
  void nonsenseIsFound() {
    expect(Level.READ_COMMITTED, Kind.GARBAGE_READ, committed(list(X, 9L)));
    expect(
        Level.READ_COMMITTED, Kind.DUPLICATE, committed(append(X, 1L)), committed(list(X, 1L, 1L)));
    expect(
        Level.READ_COMMITTED,
        Kind.INCOMPATIBLE_ORDER,
        committed(append(X, 1L)),
        committed(append(X, 2L)),
        committed(list(X, 1L)),
        committed(list(X, 2L)));
    expect(Level.READ_COMMITTED, Kind.INTERNAL, committed(append(X, 1L), list(X)));
    expect(
        Level.READ_COMMITTED,
        Kind.INTERNAL,
        committed(write(X, 1L), register(X, 2L)),
        committed(write(X, 2L)));
    expect(
        Level.SNAPSHOT, Kind.INTERNAL, committed(append(X, 1L)), committed(list(X), list(X, 1L)));
    expect(
        Level.READ_COMMITTED,
        Kind.INCOMPATIBLE_ORDER,
        committed(register(X, 2L), write(X, 1L)),
        committed(register(X, 1L), write(X, 2L)));
  }

  @Test
  void bankReadingsMustAddUp() {
    BankCheck bank = new BankCheck(2, 100);
    List<Anomaly> torn =
        bank.check(
            List.of(
                new BankCheck.Reading("r1", List.of(60L, 40L)),
                new BankCheck.Reading("r2", List.of(60L, 50L)),
                new BankCheck.Reading("r3", List.of(100L))));
    assertEquals(2, torn.size());
    assertEquals(Kind.TORN_TOTAL, torn.getFirst().kind());
    assertTrue(torn.getFirst().explanation().startsWith("r2 "));
  }

  @Test
  void aHundredThousandTransactionsAreCheckedAndOneBadReadFound() {
    Random random = new Random(7);
    List<Transaction> history = new ArrayList<>();
    Map<Long, List<Long>> lists = new HashMap<>();
    long value = 0;
    for (int t = 0; t < 100_000; t++) {
      List<Operation> operations = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        long key = t / 500 * 10 + random.nextInt(10);
        List<Long> now = lists.computeIfAbsent(key, k -> new ArrayList<>());
        if (random.nextBoolean()) {
          operations.add(new Operation.ReadList(key, now, true));
        } else {
          now.add(++value);
          operations.add(append(key, value));
        }
      }
      history.add(new Transaction(t % 50, Outcome.COMMITTED, operations));
    }
    assertEquals(List.of(), HistoryChecker.check(history, Level.SERIALIZABLE));
    history.add(committed(append(1_000_001L, 1L), append(1_000_002L, 1L)));
    history.add(committed(list(1_000_001L, 1L), list(1_000_002L)));
    assertEquals(
        List.of(Kind.G_SINGLE),
        HistoryChecker.check(history, Level.SNAPSHOT).stream().map(Anomaly::kind).toList());
  }
}
