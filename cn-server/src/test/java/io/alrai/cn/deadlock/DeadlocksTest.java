package io.alrai.cn.deadlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeadlocksTest {
  private final Seen seen = new Seen();
  private final TransactionId older = seen.spanning(1, 10, 100, 2, 20);
  private final TransactionId younger = seen.spanning(1, 11, 200, 2, 21);
  private final List<TransactionId> ended = new ArrayList<>();
  private Set<TransactionId> stuck = Set.of();
  private boolean none;
  private int asked;
  private int looks;
  private long nowNanos;
  private long lookNanos;
  private Runnable meanwhile = () -> {};

  private final Deadlocks deadlocks =
      new Deadlocks(
          new OwnTransactions() {
            @Override
            public boolean none() {
              return none;
            }

            @Override
            public Set<TransactionId> stuck() {
              asked++;
              return stuck;
            }

            @Override
            public void end(TransactionId victim) {
              ended.add(victim);
            }
          },
          new WaitSource() {
            @Override
            public List<LockWait> waits() {
              looks++;
              nowNanos += lookNanos;
              return seen.waits();
            }

            @Override
            public List<DnParties> parties() {
              return seen.parties();
            }

            @Override
            public boolean kill(DnId dn, long connection) {
              throw new AssertionError("not the detector's work");
            }
          },
          () -> nowNanos,
          nanos -> {
            nowNanos += nanos;
            meanwhile.run();
          });

  private void cycle() {
    stuck = Set.of(older, younger);
    seen.waits(1, 10, 11).waits(2, 21, 20);
  }

  private void pass(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    deadlocks.check();
  }

  @Test
  void nobodyIsAskedWhileNothingWaits() {
    none = true;
    pass(100);
    assertEquals(0, asked);
    none = false;
    pass(100);
    assertEquals(1, asked);
    assertEquals(0, looks);
  }

  @Test
  void aCycleIsLookedAtTwiceAndEnded() {
    cycle();
    deadlocks.check();
    assertEquals(2, looks);
    assertEquals(List.of(younger), ended);
  }

  @Test
  void aCycleThatIsGoneAtTheSecondLookWasNone() {
    cycle();
    meanwhile = () -> seen.grants(2, 21);
    deadlocks.check();
    assertEquals(List.of(), ended);
  }

  @Test
  void anotherWaitOfTheSameTwoIsNotTheSameCycle() {
    cycle();
    meanwhile =
        () -> {
          seen.grants(2, 21);
          seen.add(new LockWait(Seen.dn(2), "another lock", 1_021, 1_020));
        };
    deadlocks.check();
    assertEquals(2, looks);
    assertEquals(List.of(), ended);
  }

  @Test
  void theSameWaitIsLookedAtLessOften() {
    stuck = Set.of(older);
    seen.waits(1, 10, 11);
    for (int i = 0; i < 20; i++) {
      pass(100);
    }
    assertEquals(5, looks);
  }

  @Test
  void whoBeginsToWaitIsLookedAtAtOnce() {
    stuck = Set.of(older);
    seen.waits(1, 10, 11);
    pass(100);
    cycle();
    pass(100);
    assertEquals(List.of(younger), ended);
  }

  @Test
  void looksThatTakeLongAreRare() {
    lookNanos = TimeUnit.MILLISECONDS.toNanos(30);
    seen.waits(1, 10, 11);
    for (int i = 0; i < 20; i++) {
      stuck = i % 2 == 0 ? Set.of(older) : Set.of(younger);
      pass(100);
    }
    assertEquals(7, looks);
  }

  @Test
  void aCycleOfAnotherCnsTransactionsIsNamedToo() {
    cycle();
    stuck = Set.of(older);
    deadlocks.check();
    assertEquals(List.of(younger), ended);
  }
}
