package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsPeer;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.server.GmsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedGmsTest {
  @TempDir private Path dir;

  private static GmsConfig snapshotEvery(Path dir, long entries) {
    NodeId node = new NodeId("gms-1");
    return new GmsConfig("test", node, List.of(new GmsPeer(node, "")), dir, entries);
  }

  @Test
  void everythingIsThereAfterARestart() {
    Catalog before;
    try (EmbeddedGms gms = EmbeddedGms.start(dir)) {
      GmsService service = gms.service();
      assertEquals(Catalog.EMPTY, service.catalog());
      service.submit(Samples.ground());
      before = service.submit(new CatalogCommand.PutTable(Samples.table(1, "shop", "t")));
      assertEquals(before, service.catalog());
      assertEquals(new SequenceRange(1, 100), service.reserve("s", 100));
      service.raise("s", 500);
    }
    try (EmbeddedGms gms = EmbeddedGms.start(dir)) {
      assertEquals(before, gms.service().catalog());
      assertEquals(new SequenceRange(501, 501), gms.service().reserve("s", 1));
    }
  }

  /** The directory as a kill -9 leaves it: neither closed nor with a last snapshot. */
  @Test
  void everythingIsThereAfterACrash() throws IOException {
    Path crashed = Files.createDirectory(dir.resolve("crashed"));
    Path running = Files.createDirectory(dir.resolve("running"));
    Catalog before;
    try (EmbeddedGms gms = EmbeddedGms.start(snapshotEvery(running, 5000))) {
      gms.service().submit(Samples.ground());
      gms.service().reserve("s", 7);
      before = gms.service().submit(Samples.createSchema("late"));
      copy(running, crashed);
    }
    try (EmbeddedGms gms = EmbeddedGms.start(snapshotEvery(crashed, 5000))) {
      assertEquals(before, gms.service().catalog());
      assertEquals(8, gms.service().reserve("s", 1).first());
    }
  }

  @Test
  void aCrashBetweenSnapshotsLosesNothing() throws IOException {
    Path crashed = Files.createDirectory(dir.resolve("crashed"));
    Path running = Files.createDirectory(dir.resolve("running"));
    Catalog before = Catalog.EMPTY;
    try (EmbeddedGms gms = EmbeddedGms.start(snapshotEvery(running, 20))) {
      for (int i = 0; i < 105; i++) {
        before = gms.service().submit(Samples.createSchema("s" + i));
        gms.service().reserve("s", 1);
      }
      copy(running, crashed);
    }
    try (Stream<Path> files = Files.walk(crashed)) {
      assertTrue(
          files.anyMatch(file -> file.getFileName().toString().startsWith("snapshot.")),
          "a snapshot was taken");
    }
    try (EmbeddedGms gms = EmbeddedGms.start(snapshotEvery(crashed, 20))) {
      assertEquals(before, gms.service().catalog());
      assertEquals(106, gms.service().reserve("s", 1).first());
    }
  }

  @Test
  void refusalsReachTheSubmitter() {
    try (EmbeddedGms gms = EmbeddedGms.start(dir)) {
      gms.service().submit(Samples.ground());
      AlraiException refusal =
          assertThrows(
              AlraiException.class, () -> gms.service().submit(Samples.createSchema("shop")));
      assertEquals(ErrorCode.ER_DB_CREATE_EXISTS.errno(), refusal.errno());
      assertEquals("Can't create database 'shop'; database exists", refusal.sentence());
    }
  }

  @Test
  void listenersSeeEveryVersionBeforeSubmitReturns() {
    try (EmbeddedGms gms = EmbeddedGms.start(dir)) {
      List<Long> seen = new ArrayList<>();
      gms.service().onChange(catalog -> seen.add(catalog.version()));
      for (int i = 1; i <= 5; i++) {
        assertEquals(i, gms.service().submit(Samples.createSchema("s" + i)).version());
        assertEquals(i, seen.size());
      }
      assertEquals(List.of(1L, 2L, 3L, 4L, 5L), seen);
    }
  }

  @Test
  void theLeasesTimeIsTheLeaders() {
    try (EmbeddedGms gms = EmbeddedGms.start(dir)) {
      long before = System.currentTimeMillis();
      Catalog catalog = gms.service().submit(Samples.renew(Samples.CN1, 0, 5));
      long until = catalog.computeNodes().getFirst().leaseUntilMillis();
      assertTrue(until >= before + 1000 && until <= System.currentTimeMillis() + 1000, "" + until);
      gms.service().submit(Samples.createSchema("s"));
      gms.service().awaitCatalogEverywhere(1); // the lease of a second runs out
      assertTrue(System.currentTimeMillis() >= until);
    }
  }

  @Test
  void aDirectoryServesOneNodeAtATime() {
    try (EmbeddedGms gms = EmbeddedGms.start(dir)) {
      assertEquals(0, gms.service().catalog().version());
      AlraiException refusal = assertThrows(AlraiException.class, () -> EmbeddedGms.start(dir));
      assertEquals(
          "the GMS' data directory " + dir + " is used by another process", refusal.sentence());
    }
  }

  @Test
  void aDirectoryOfAnotherClusterIsNotTaken() {
    EmbeddedGms.start(dir).close();
    AlraiException refusal =
        assertThrows(AlraiException.class, () -> EmbeddedGms.start(snapshotEvery(dir, 10)));
    assertTrue(refusal.sentence().contains("not of cluster test"), refusal.sentence());
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }
}
