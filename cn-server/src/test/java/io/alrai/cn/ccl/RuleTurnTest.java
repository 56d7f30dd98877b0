package io.alrai.cn.ccl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.turn.SessionTurn;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.gms.api.CclRule;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.ParameterSource;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Places under a rule, the queue before them, and every way in which a wait ends. */
class RuleTurnTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final RuleTotals totals = new RuleTotals(new LongAdder(), new LongAdder());
  private final List<String> begun = new ArrayList<>();
  private long nanos;

  RuleTurnTest() {
    channel.freezeTime();
  }

  private static CclRule rule(int concurrency, int queue) {
    return new CclRule(
        "r",
        new CclRule.Scope("*", "*"),
        CclRule.Client.ANYBODY,
        CclRule.Verb.SELECT,
        CclRule.Filter.NONE,
        new CclRule.Limits(concurrency, queue, 5, true),
        0);
  }

  private RuleQueue queue(int concurrency, int size) {
    return new RuleQueue(rule(concurrency, size), totals);
  }

  private static ShapeRules rules(RuleQueue queue) {
    return new ShapeRules(List.of(new ShapeRules.Candidate(queue, null)));
  }

  private SessionTurn turn() {
    return new SessionTurn(channel.eventLoop(), () -> nanos);
  }

  private CompletableFuture<Void> begin(SessionTurn turn, RuleQueue queue, String name) {
    if (RuleTurn.enters(turn, rules(queue), new Statement("SELECT 1"))) {
      begun.add(name);
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> wait = turn.await();
    wait.thenRun(() -> begun.add(name));
    return wait;
  }

  private static int errno(CompletableFuture<Void> failed) {
    return AlraiException.causeOf(failed.exceptionNow()).errno();
  }

  @Test
  void thoseBeyondTheLimitWaitInTheirOrder() {
    RuleQueue queue = queue(2, 10);
    List<SessionTurn> turns = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      turns.add(turn());
      begin(turns.get(i), queue, "s" + i);
    }
    assertEquals(List.of("s0", "s1"), begun);
    assertEquals(new RuleCounts(2, 3, 0, 0, 5), queue.counts());
    assertTrue(turns.get(2).waits());
    assertEquals("Waiting for ccl rule r", turns.get(2).state());
    turns.get(1).leave();
    turns.get(1).leave();
    channel.runPendingTasks();
    assertEquals(List.of("s0", "s1", "s2"), begun);
    turns.get(0).leave();
    turns.get(2).leave();
    channel.runPendingTasks();
    assertEquals(List.of("s0", "s1", "s2", "s3", "s4"), begun);
    turns.forEach(SessionTurn::leave);
    assertEquals(new RuleCounts(0, 0, 0, 0, 5), queue.counts());
    assertEquals(3, totals.waits().sum());
  }

  @Test
  void whoFindsNoRoomIsRefusedAndMayTryAgain() {
    RuleQueue queue = queue(1, 1);
    SessionTurn first = turn();
    SessionTurn second = turn();
    SessionTurn third = turn();
    begin(first, queue, "first");
    begin(second, queue, "second");
    AlraiException refused = assertThrows(AlraiException.class, () -> begin(third, queue, "third"));
    assertEquals(3009, refused.errno());
    assertEquals("Exceeding the max concurrency 1 per node of ccl rule r", refused.sentence());
    third.leave();
    first.leave();
    channel.runPendingTasks();
    begin(third, queue, "third");
    assertEquals(new RuleCounts(1, 1, 1, 0, 4), queue.counts());
    second.leave();
    channel.runPendingTasks();
    third.leave();
    assertEquals(List.of("first", "second", "third"), begun);
    assertEquals(new RuleCounts(0, 0, 1, 0, 4), queue.counts());
  }

  @Test
  void aWaitEndsAfterItsTime() {
    RuleQueue queue = queue(0, 1);
    SessionTurn turn = turn();
    CompletableFuture<Void> wait = begin(turn, queue, "never");
    nanos = 5_010_000_000L;
    channel.advanceTimeBy(5, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(3009, errno(wait));
    assertEquals(
        "Exceeding the max concurrency 0 per node of ccl rule r after waiting for 5010 ms",
        AlraiException.causeOf(wait.exceptionNow()).sentence());
    assertFalse(turn.waits() || turn.interrupt());
    turn.leave();
    assertEquals(new RuleCounts(0, 0, 1, 0, 1), queue.counts());
    assertEquals(1, totals.refused().sum());
  }

  @Test
  void killEndsAWaitAndItsPlaceIsTheNexts() {
    killsTheSecond(false);
  }

  @Test
  void whoIsKilledBetweenItsPlaceAndTheNewsOfItGivesItBack() {
    killsTheSecond(true);
  }

  private void killsTheSecond(boolean hasPlace) {
    RuleQueue queue = queue(1, 9);
    SessionTurn first = turn();
    SessionTurn killed = turn();
    SessionTurn last = turn();
    begin(first, queue, "first");
    CompletableFuture<Void> wait = begin(killed, queue, "killed");
    begin(last, queue, "last");
    if (hasPlace) {
      first.leave();
    }
    assertTrue(killed.interrupt());
    assertFalse(killed.interrupt());
    assertEquals(1317, errno(wait));
    killed.leave();
    first.leave();
    channel.runPendingTasks();
    assertEquals(List.of("first", "last"), begun);
    last.leave();
    assertEquals(new RuleCounts(0, 0, 0, 0, 3), queue.counts());
  }

  @Test
  void aRuleThatGoesFreesAllWhoWait() {
    RuleQueue queue = queue(1, 9);
    SessionTurn first = turn();
    SessionTurn second = turn();
    SessionTurn third = turn();
    begin(first, queue, "first");
    begin(second, queue, "second");
    begin(third, queue, "third");
    queue.close();
    channel.runPendingTasks();
    assertEquals(List.of("first", "second", "third"), begun);
    begin(turn(), queue, "fourth");
    assertEquals(4, begun.size());
    second.leave();
    third.leave();
    first.leave();
    assertEquals(0, queue.counts().running());
  }

  @Test
  void aStatementThatIsPlannedAgainKeepsItsPlace() {
    RuleQueue queue = queue(1, 0);
    RuleQueue other = queue(0, 0);
    SessionTurn turn = turn();
    begin(turn, queue, "s");
    begin(turn, queue, "s");
    begin(turn, other, "s");
    assertEquals(new RuleCounts(1, 0, 0, 0, 1), queue.counts());
    turn.leave();
    assertThrows(AlraiException.class, () -> begin(turn, other, "s"));
    assertEquals(0, queue.counts().running());
  }

  /** Whatever happens in whatever order: no place is lost, and never are too many at work. */
  @Test
  void placesAreGivenBackOnce() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      RuleQueue queue = queue(1 + random.nextInt(3), random.nextInt(5));
      List<SessionTurn> turns = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        turns.add(turn());
      }
      for (int step = 0; step < 200; step++) {
        SessionTurn turn = turns.get(random.nextInt(turns.size()));
        switch (random.nextInt(6)) {
          case 0, 1 -> tryToBegin(turn, queue);
          case 2 -> turn.interrupt();
          case 3, 4 -> {
            if (!turn.waits()) {
              turn.leave();
            }
          }
          default -> channel.runPendingTasks();
        }
        assertTrue(queue.counts().running() <= queue.rule().limits().concurrency());
      }
      turns.forEach(SessionTurn::interrupt);
      channel.runPendingTasks();
      turns.forEach(SessionTurn::leave);
      channel.runPendingTasks();
      assertEquals(0, queue.counts().running(), "seed " + seed);
      assertEquals(0, queue.counts().waiting(), "seed " + seed);
    }
  }

  private void tryToBegin(SessionTurn turn, RuleQueue queue) {
    if (!turn.waits()) {
      try {
        begin(turn, queue, "s");
      } catch (AlraiException e) {
        assertEquals(3009, e.errno());
      }
    }
  }

  /** A statement of u, from 10.0.0.1. */
  record Statement(ShapedText text, @Nullable String digest) implements ShapeRules.Asking {
    Statement(String sql) {
      this(ShapedText.of(sql), null);
    }

    @Override
    public String user() {
      return "u";
    }

    @Override
    public String host() {
      return "10.0.0.1";
    }

    @Override
    public ShapedStatement statement() {
      return text;
    }

    @Override
    public SlotValues values() {
      return new TextSlotValues(text, ParameterSource.NONE);
    }

    @Override
    public Charset charset() {
      return StandardCharsets.UTF_8;
    }
  }
}
