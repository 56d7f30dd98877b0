package io.alrai.cn.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.clock.NodeClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OracleTimestampsTest {
  private static final long WALL = 1_000_000;
  private static final long NOW = HlcTimestamp.ofMillis(WALL).value();

  private final BlockingQueue<Integer> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<Long> answers = new LinkedBlockingQueue<>();
  private final NodeClock clock = NodeClock.inMemory(new HybridLogicalClock(() -> WALL, 500));
  private final Metrics metrics = new Metrics();
  private final OracleTimestamps oracle = new OracleTimestamps(this::answer, clock, metrics);

  private HlcTimestamp answer(int count) {
    asked.add(count);
    long first;
    try {
      first = answers.take();
    } catch (InterruptedException e) {
      throw new AlraiException(ErrorCode.ER_QUERY_INTERRUPTED, "closing", e);
    }
    if (first < 0) {
      throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "no leader");
    }
    return new HlcTimestamp(first);
  }

  @AfterEach
  void close() {
    oracle.close();
  }

  private int awaitAsked() throws InterruptedException {
    Integer count = asked.poll(10, TimeUnit.SECONDS);
    assertTrue(count != null, "nothing was asked");
    return count;
  }

  private static long value(CompletableFuture<HlcTimestamp> future) throws Exception {
    return future.get(10, TimeUnit.SECONDS).value();
  }

  @Test
  void thoseWhoComeWhileARequestIsInFlightShareTheNext() throws Exception {
    CompletableFuture<HlcTimestamp> one = oracle.commit(HlcTimestamp.ZERO);
    assertEquals(1, awaitAsked());
    List<CompletableFuture<HlcTimestamp>> more = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      more.add(oracle.commit(HlcTimestamp.ZERO));
    }
    answers.add(NOW);
    assertEquals(NOW, value(one));
    assertEquals(5, awaitAsked());
    assertFalse(more.getFirst().isDone());
    answers.add(NOW + 100);
    for (int i = 0; i < 5; i++) {
      assertEquals(NOW + 100 + i, value(more.get(i)));
    }
    assertEquals(2, metrics.adder(Metric.TSO_REQUESTS).sum());
    assertEquals(6, metrics.adder(Metric.TSO_TIMESTAMPS).sum());
  }

  @Test
  void aCommitIsNotBelowItsPrepares() throws Exception {
    answers.add(NOW);
    assertEquals(NOW + 7, value(oracle.commit(new HlcTimestamp(NOW + 7))));
    answers.add(NOW + 9);
    assertEquals(NOW + 9, value(oracle.commit(new HlcTimestamp(NOW + 7))));
  }

  @Test
  void aSnapshotLiesAheadAndAboveWhatADnHasShown() throws Exception {
    answers.add(NOW);
    assertEquals(HlcTimestamp.ofMillis(WALL + 2).value(), value(oracle.snapshot(2)));
    HlcTimestamp hint = HlcTimestamp.ofMillis(WALL + 400);
    oracle.follow(hint);
    answers.add(NOW);
    assertTrue(value(oracle.snapshot(2)) > hint.value());
    assertThrows(AlraiException.class, () -> oracle.follow(HlcTimestamp.ofMillis(WALL + 10_000)));
  }

  @Test
  void whenTheGmsIsAwayItsCallersFailAndTheNextOnesAreServed() throws Exception {
    answers.add(-1L);
    CompletableFuture<HlcTimestamp> failing = oracle.snapshot(1);
    ExecutionException error =
        assertThrows(ExecutionException.class, () -> failing.get(10, TimeUnit.SECONDS));
    assertEquals(
        ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), AlraiException.causeOf(error.getCause()).errno());
    answers.add(NOW);
    assertEquals(NOW, value(oracle.commit(HlcTimestamp.ZERO)));
  }

  @Test
  void closedItAnswersNobody() throws Exception {
    CompletableFuture<HlcTimestamp> atWork = oracle.commit(HlcTimestamp.ZERO);
    awaitAsked();
    CompletableFuture<HlcTimestamp> waiting = oracle.commit(HlcTimestamp.ZERO);
    oracle.close();
    assertThrows(ExecutionException.class, () -> atWork.get(10, TimeUnit.SECONDS));
    assertThrows(ExecutionException.class, () -> waiting.get(10, TimeUnit.SECONDS));
    CompletableFuture<HlcTimestamp> late = oracle.commit(HlcTimestamp.ZERO);
    assertThrows(ExecutionException.class, () -> late.get(10, TimeUnit.SECONDS));
  }

  @Test
  void manyThatAreRefusedWithinAMomentDoNotPushTheClocksAway() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      CompletableFuture<HlcTimestamp> next = oracle.snapshot(SnapshotClock.MOST_AHEAD_MILLIS);
      answers.add(NOW + i);
      clock.update(next.get(10, TimeUnit.SECONDS));
      oracle.follow(clock.advance());
    }
    long lead = clock.advance().millis() - WALL;
    assertTrue(lead <= TimestampSource.MOST_LEAD_MILLIS, lead + " ms ahead");
  }
}
