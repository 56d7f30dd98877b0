package io.alrai.cn.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.client.EmbeddedGms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseTest {
  private static final int CHANGES = 20;
  private static final NodeId CN = new NodeId("cn-1");

  @TempDir private Path dir;

  @Test
  void aNewCatalogIsToldBeforeTheNextRenewalIsDue() throws InterruptedException {
    try (EmbeddedGms embedded = EmbeddedGms.start(dir)) {
      GmsService gms = embedded.service();
      CountDownLatch looked = new CountDownLatch(1);
      try (Lease lease = new Lease(CN, "127.0.0.1:1", gms)) {
        lease.renew();
        lease.keep(looked::countDown);
        assertTrue(looked.await(5, TimeUnit.SECONDS));
        long started = System.nanoTime();
        for (int i = 0; i < CHANGES; i++) {
          long version =
              gms.submit(new CatalogCommand.CreateSchema("s" + i, "utf8mb4", "utf8mb4_bin", 0))
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
}
