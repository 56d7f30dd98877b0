package io.alrai.cn.ending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatementDeadlineTest implements StatementDeadline.Work {
  private static final AlraiException LOST = new AlraiException(ErrorCode.CR_SERVER_LOST, "lost");

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final LongAdder timeouts = new LongAdder();
  private final StatementDeadline deadline =
      new StatementDeadline(channel.eventLoop(), this, timeouts);
  private final List<String> done = new ArrayList<>();
  private boolean found = true;
  private boolean endsAtOnce;
  private boolean mayLose = true;

  StatementDeadlineTest() {
    channel.freezeTime();
  }

  @AfterEach
  void nothingIsLeft() {
    deadline.gone();
    assertEquals(-1, channel.runScheduledPendingTasks());
    channel.close();
  }

  private void pass(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  @Override
  public long patienceMillis() {
    return 90;
  }

  @Override
  public boolean kill(long patienceMillis) {
    done.add("kill");
    if (endsAtOnce) {
      deadline.over();
    }
    return found;
  }

  @Override
  public void giveUp(AlraiException reason, boolean views) {
    if (views) {
      done.add("give up views");
    }
  }

  @Override
  public boolean mayLoseConnections() {
    return mayLose;
  }

  @Test
  void oneThatEndsByItsKillLeavesNothingToTheNext() {
    endsAtOnce = true;
    for (int i = 1; i <= 3; i++) {
      deadline.begins(100);
      pass(100);
      assertEquals(i, done.size(), done::toString);
      assertFalse(deadline.passed());
    }
    assertFalse(done.contains("give up views"));
  }

  @Test
  void aStatementIsKilledAtItsTimeAndGivenUpLater() {
    deadline.begins(200);
    pass(199);
    assertFalse(deadline.passed());
    pass(1);
    assertTrue(deadline.passed());
    assertEquals(List.of("kill"), done);
    pass(80);
    assertEquals(List.of("kill"), done);
    pass(10);
    assertEquals(List.of("kill", "give up views"), done.subList(0, 2));
  }

  @Test
  void itIsTriedUntilThereWasSomethingToKill() {
    found = false;
    deadline.begins(200);
    pass(200);
    pass(5);
    found = true;
    pass(5);
    pass(5);
    assertEquals(List.of("kill", "kill", "kill"), done);
  }

  @Test
  void whatGoesOnIsKilledAgain() {
    deadline.begins(200);
    pass(200);
    for (int i = 0; i < 240; i++) {
      pass(5);
    }
    assertEquals(2, done.stream().filter("kill"::equals).count());
  }

  @Test
  void oneThatHasEndedIsLeftAloneAndSoIsTheNext() {
    deadline.begins(200);
    pass(150);
    deadline.over();
    deadline.begins(200);
    pass(100);
    assertFalse(deadline.passed());
    pass(100);
    assertTrue(deadline.passed());
    deadline.over();
    assertFalse(deadline.passed());
    done.clear();
    pass(1_000);
    assertEquals(List.of(), done);
  }

  @Test
  void aShorterTimeComesFirst() {
    deadline.begins(10_000);
    deadline.over();
    deadline.begins(50);
    pass(50);
    assertTrue(deadline.passed());
  }

  @Test
  void onlyErrorsOfTheEndAreToldAsOne() {
    AlraiException interruption = AlraiException.interruption();
    deadline.begins(50);
    assertSame(interruption, deadline.told(interruption));
    pass(50);
    AlraiException told = deadline.told(interruption);
    assertEquals(3024, told.errno());
    assertEquals("HY000", told.sqlState());
    assertEquals(3024, deadline.told(LOST).errno());
    assertSame(told, deadline.told(told));
    AlraiException other = new AlraiException(ErrorCode.ER_LOCK_DEADLOCK, "deadlock");
    assertSame(other, deadline.told(other));
    mayLose = false;
    assertSame(LOST, deadline.told(LOST));
    assertEquals(2, timeouts.sum());
  }
}
