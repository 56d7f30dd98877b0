package io.alrai.cn.deadlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.TransactionId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitGraphTest {
  private final Seen seen = new Seen();

  @Test
  void nobodyWaits() {
    seen.spanning(1, 10, 100, 2, 20);
    assertEquals(List.of(), seen.victims());
  }

  @Test
  void aChainIsNoCycle() {
    seen.spanning(1, 10, 100, 2, 20);
    seen.spanning(1, 11, 200, 2, 21);
    seen.spanning(1, 12, 300, 2, 22);
    seen.waits(1, 10, 11).waits(2, 21, 22).waits(1, 10, 12);
    assertEquals(List.of(), seen.victims());
  }

  @Test
  void theYoungerOfTwo() {
    seen.spanning(1, 10, 100, 2, 20);
    TransactionId younger = seen.spanning(1, 11, 200, 2, 21);
    seen.waits(1, 10, 11).waits(2, 21, 20);
    assertEquals(List.of(younger), seen.victims());
  }

  @Test
  void whoeverBecameDistributedFirst() {
    TransactionId younger = seen.spanning(1, 11, 200, 2, 21);
    seen.spanning(2, 20, 100, 1, 10);
    seen.waits(1, 10, 11).waits(2, 21, 20);
    assertEquals(List.of(younger), seen.victims());
  }

  @Test
  void threeInARing() {
    seen.spanning(1, 10, 100, 2, 20);
    TransactionId youngest = seen.spanning(2, 21, 300, 3, 30);
    seen.spanning(3, 31, 200, 1, 11);
    seen.waits(2, 20, 21).waits(3, 30, 31).waits(1, 11, 10);
    assertEquals(List.of(youngest), seen.victims());
  }

  @Test
  void aTransactionOfOneDnIsNoVictimButAPartOfTheWay() {
    seen.spanning(1, 10, 100, 2, 20);
    TransactionId victim = seen.spanning(1, 11, 200, 2, 21);
    seen.plain(1, 12, 900);
    seen.waits(2, 20, 21).waits(1, 11, 12).waits(1, 12, 10);
    assertEquals(List.of(victim), seen.victims());
  }

  @Test
  void twoCyclesWithACommonMemberNeedOneVictimWhenItIsTheYoungest() {
    seen.spanning(1, 10, 100, 2, 20);
    seen.spanning(1, 11, 200, 2, 21);
    TransactionId common = seen.spanning(1, 12, 300, 2, 22);
    seen.waits(1, 12, 10).waits(1, 12, 11).waits(2, 20, 22).waits(2, 21, 22);
    assertEquals(List.of(common), seen.victims());
  }

  @Test
  void twoCyclesOfTheirOwnNeedTwo() {
    seen.spanning(1, 10, 100, 2, 20);
    TransactionId one = seen.spanning(1, 11, 200, 2, 21);
    seen.spanning(1, 12, 300, 2, 22);
    TransactionId two = seen.spanning(1, 13, 400, 2, 23);
    seen.waits(1, 10, 11).waits(2, 21, 20).waits(1, 12, 13).waits(2, 23, 22);
    assertEquals(Set.of(one, two), Set.copyOf(seen.victims()));
  }

  @Test
  void whoWaitsBehindACycleIsLeftAlone() {
    seen.spanning(1, 10, 100, 2, 20);
    TransactionId younger = seen.spanning(1, 11, 200, 2, 21);
    seen.spanning(1, 12, 300, 2, 22);
    seen.waits(1, 10, 11).waits(2, 21, 20).waits(1, 12, 11).waits(2, 22, 20);
    assertEquals(List.of(younger), seen.victims());
  }

  @Test
  void aPreparedBranchThatIsDetachedBelongsToNobody() {
    seen.spanning(1, 10, 100, 2, 20);
    seen.spanning(1, 11, 200, 2, 21);
    seen.waits(1, 10, 11).waits(2, 21, 20);
    List<DnParties> parties =
        seen.parties().stream()
            .map(one ->
                one.dn().equals(Seen.dn(2)) ? new DnParties(one.dn(), Map.of(), one.open()) : one)
            .toList();
    assertEquals(List.of(), new WaitGraph(seen.waits(), parties).victims());
  }

  @Test
  void aConnectionThatServesAnotherTransactionAlready() {
    seen.spanning(1, 10, 100, 2, 20);
    TransactionId now = seen.spanning(1, 10, 300, 2, 21);
    seen.spanning(1, 11, 200, 2, 22);
    seen.waits(1, 10, 11).waits(2, 22, 21);
    assertEquals(List.of(now), seen.victims());
  }

  @Test
  void aBranchThatAnEarlierTransactionOfTheConnectionLeftMakesNobodyOlder() {
    seen.spanning(1, 10, -10_000, 2, 20);
    TransactionId now = seen.spanning(1, 10, 300, 2, 21);
    seen.spanning(1, 11, 200, 2, 22);
    seen.waits(1, 10, 11).waits(2, 22, 21);
    assertEquals(List.of(now), seen.victims());
  }
}
