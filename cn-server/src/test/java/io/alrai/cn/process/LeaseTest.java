package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.client.EmbeddedGms;
import io.alrai.gms.client.LocalGms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseTest {
  private static final int CHANGES = 20;
  private static final NodeId CN = new NodeId("cn-1");

  @TempDir private Path dir;

  @Test
  void aNewCatalogIsToldBeforeTheNextRenewalIsDue() throws InterruptedException {
    try (EmbeddedGms embedded = EmbeddedGms.start(dir, new Metrics())) {
      GmsService gms = embedded.service();
      CountDownLatch looked = new CountDownLatch(1);
      try (Lease lease = new Lease(CN, "127.0.0.1:1", gms, System::nanoTime)) {
        lease.renew();
        lease.keep(looked::countDown, () -> {});
        assertTrue(looked.await(5, TimeUnit.SECONDS));
        long started = System.nanoTime();
        for (int i = 0; i < CHANGES; i++) {
          long version =
              gms.submit(
                      new CatalogCommand.CreateSchema(
                          "s" + i, "a" + i, "utf8mb4", "utf8mb4_bin", 0))
                  .version();
          gms.awaitCatalogEverywhere(version);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        // each would take 500 ms if it waited for the renewal that is due
        assertTrue(took.toMillis() < CHANGES * 250L, CHANGES + " changes took " + took);
      }
      assertEquals(List.of(), gms.catalog().computeNodes());
    }
  }

  @Test
  void aStandstillIsOverWhenTheGmsHasAnswered() {
    AtomicLong millis = new AtomicLong();
    GmsService gms = new LocalGms();
    Lease lease =
        new Lease(CN, "127.0.0.1:1", gms, () -> TimeUnit.MILLISECONDS.toNanos(millis.get()));
    lease.renew();
    assertTrue(lease.leased() && !lease.behind());
    millis.set(2900);
    assertTrue(lease.leased() && !lease.behind());
    millis.set(3000);
    assertTrue(!lease.leased() && lease.behind());
    assertTrue(lease.missing().orElseThrow().startsWith("it stood still"));
    assertEquals(List.of(), lease.amiss());
    lease.tick();
    assertTrue(lease.behind(), "it goes on, but has not heard of anything");
    lease.renew();
    assertTrue(lease.leased() && !lease.behind());
    assertEquals(Optional.empty(), lease.missing());
  }

  @Test
  void withoutTheGmsNothingStandsStillAndTheCnServes() {
    AtomicLong millis = new AtomicLong();
    Lease lease =
        new Lease(
            CN, "127.0.0.1:1", new LocalGms(), () -> TimeUnit.MILLISECONDS.toNanos(millis.get()));
    lease.renew();
    for (int tick = 1; tick < 40; tick++) {
      millis.addAndGet(Lease.TICK_MILLIS);
      lease.tick();
      assertFalse(lease.behind());
      assertEquals(Optional.empty(), lease.missing());
      assertEquals(lease.leased() ? 0 : 1, lease.amiss().size());
    }
    assertFalse(lease.leased());
  }
}
