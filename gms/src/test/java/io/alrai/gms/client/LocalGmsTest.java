package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.catalog.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class LocalGmsTest {
  @Test
  void listenersSeeEveryChangeAndNoRefusal() {
    try (LocalGms gms = new LocalGms()) {
      List<Long> seen = new ArrayList<>();
      gms.onChange(catalog -> seen.add(catalog.version()));
      Catalog first = gms.submit(Samples.ground());
      assertThrows(AlraiException.class, () -> gms.submit(Samples.createSchema("shop")));
      gms.submit(Samples.createSchema("b"));
      assertEquals(1, first.version());
      assertEquals(List.of(1L, 2L), seen);
      assertEquals(2, gms.catalog().version());
    }
  }

  @Test
  void numbersAreGivenOnce() {
    try (LocalGms gms = new LocalGms()) {
      assertEquals(new SequenceRange(1, 10), gms.reserve("s", 10));
      gms.raise("s", 20);
      assertEquals(new SequenceRange(21, 21), gms.reserve("s", 1));
      assertEquals(Map.of("s", 21L), gms.lastNumbers(List.of("s", "never used")));
    }
  }

  @Test
  void awaitEndsWhenTheNodeFollowsOrItsLeaseEnds() {
    AtomicLong now = new AtomicLong(0);
    try (LocalGms gms = new LocalGms(now::get)) {
      gms.submit(Samples.renew(Samples.CN1, 0, 0));
      gms.submit(Samples.renew(Samples.CN2, 1, 0));
      CompletableFuture<Void> everywhere =
          CompletableFuture.runAsync(
              () -> gms.awaitCatalogEverywhere(1), Thread::startVirtualThread);
      gms.submit(Samples.renew(Samples.CN1, 1, 0));
      Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), everywhere::join);
      now.set(1000);
      Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(10), () -> gms.awaitCatalogEverywhere(7));
    }
  }
}
