package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.member.KnownGms;
import io.alrai.gms.member.MembersLook;
import io.alrai.gms.server.GmsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedGmsTest {
  @TempDir private static Path sharedDir;
  private static EmbeddedGms shared;

  @TempDir private Path dir;

  @BeforeAll
  static void startShared() {
    shared = EmbeddedGms.start(sharedDir, new Metrics());
  }

  @AfterAll
  static void closeShared() {
    shared.close();
  }

  @Test
  void everythingIsThereAfterARestart() {
    Catalog before;
    long lastTimestamp;
    try (EmbeddedGms gms = EmbeddedGms.start(dir, new Metrics())) {
      GmsService service = gms.service();
      assertEquals(Catalog.EMPTY, service.catalog());
      service.submit(Samples.ground());
      service.submit(new CatalogCommand.PutView(Samples.view("shop", "v")));
      before = service.submit(new CatalogCommand.PutTable(Samples.table(1, "shop", "t")));
      assertEquals(before, service.catalog());
      assertEquals(new SequenceRange(1, 100), service.reserve("s", 100));
      service.raise("s", 500);
      assertEquals(Map.of("s", 500L), service.lastNumbers(List.of("s", "never used")));
      lastTimestamp = service.timestamps(3).value() + 2;
    }
    // The node continues with a port, on the data of the one without.
    NodeId node = new NodeId("gms-1");
    List<GmsPeer> peers = List.of(new GmsPeer(node, "127.0.0.1:" + ThreeNodes.freePort()));
    try (EmbeddedGms gms =
            EmbeddedGms.start(GmsConfig.of(node, peers, dir, ThreeNodes.SECRET), new Metrics());
        RaftGmsClient remote = RaftGmsClient.connect(peers, ThreeNodes.SECRET, new Metrics())) {
      assertEquals(before, gms.service().catalog());
      assertEquals(before, remote.catalog());
      assertEquals(new SequenceRange(501, 501), remote.reserve("s", 1));
      assertEquals(Map.of("s", 501L), remote.lastNumbers(List.of("s", "never used")));
      assertTrue(remote.timestamps(1).value() > lastTimestamp);
      assertEquals(remote.submit(Samples.createSchema("b")), gms.service().catalog());
    }
  }

  /** Its log keeps the address that it began with; those who have heard of that one find it. */
  @Test
  void aNodeIsFoundAtAnotherPort() {
    NodeId node = new NodeId("gms-1");
    List<GmsPeer> before = List.of(new GmsPeer(node, "127.0.0.1:" + ThreeNodes.freePort()));
    Path file = dir.resolve("gms-of").resolve("cn-1");
    KnownGms known = new KnownGms(before, Optional.of(file));
    Path data = dir.resolve("gms-1");
    try (EmbeddedGms gms =
            EmbeddedGms.start(GmsConfig.of(node, before, data, ThreeNodes.SECRET), new Metrics());
        MembersLook look = new MembersLook(GmsConfig.DEFAULT_CLUSTER, ThreeNodes.SECRET)) {
      gms.service().submit(Samples.createSchema("before"));
      ThreeNodes.await(() -> known.hear(look.ask(before)).isPresent());
    }
    assertEquals(before, KnownGms.read(file).orElseThrow().peers());

    List<GmsPeer> after = List.of(new GmsPeer(node, "127.0.0.1:" + ThreeNodes.freePort()));
    KnownGms again = new KnownGms(after, Optional.of(file));
    assertEquals(before, again.latest().peers());
    try (EmbeddedGms gms =
            EmbeddedGms.start(GmsConfig.of(node, after, data, ThreeNodes.SECRET), new Metrics());
        RaftGmsClient remote = RaftGmsClient.connect(again, ThreeNodes.SECRET, new Metrics())) {
      assertEquals(after, again.latest().peers());
      assertEquals(after, again.everybody());
      assertEquals(remote.submit(Samples.createSchema("after")), gms.service().catalog());
      assertEquals(gms.service().catalog(), remote.catalog());
    }
  }

  @Test
  void refusalsReachTheSubmitter() {
    shared.service().submit(Samples.createSchema("twice"));
    AlraiException refusal =
        assertThrows(
            AlraiException.class, () -> shared.service().submit(Samples.createSchema("twice")));
    assertEquals(ErrorCode.ER_DB_CREATE_EXISTS.errno(), refusal.errno());
    assertEquals("Can't create database 'twice'; database exists", refusal.sentence());
  }

  @Test
  void listenersSeeEveryVersionBeforeSubmitReturns() {
    List<Long> seen = new ArrayList<>();
    shared.service().onChange(catalog -> seen.add(catalog.version()));
    List<Long> returned = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      returned.add(shared.service().submit(Samples.createSchema("listened" + i)).version());
      assertEquals(returned, seen);
    }
  }

  @Test
  void aListenersFailureHarmsNobody() {
    shared
        .service()
        .onChange(catalog -> {
          throw new IllegalStateException("a listener's defect");
        });
    Catalog catalog = shared.service().submit(Samples.createSchema("listener"));
    assertTrue(catalog.schema("listener").isPresent());
  }

  @Test
  void theLeasesTimeIsTheLeaders() {
    long before = System.currentTimeMillis();
    Catalog catalog = shared.service().submit(Samples.renew(Samples.CN1, 0, 5));
    long until = catalog.computeNodes().getFirst().leaseUntilMillis();
    assertTrue(until >= before + 1000 && until <= System.currentTimeMillis() + 1000, "" + until);
    Catalog newer = shared.service().submit(Samples.createSchema("leases"));
    shared.service().awaitCatalogEverywhere(newer.version()); // the lease of a second runs out
    assertTrue(System.currentTimeMillis() >= until);
  }

  @Test
  void manyThreadsGetDifferentNumbers() {
    List<CompletableFuture<Long>> numbers =
        IntStream.range(0, 200)
            .mapToObj(i ->
                CompletableFuture.supplyAsync(
                    () -> shared.service().reserve("many", 1).first(), Thread::startVirtualThread))
            .toList();
    assertEquals(
        LongStream.rangeClosed(1, 200).boxed().collect(Collectors.toSet()),
        numbers.stream().map(CompletableFuture::join).collect(Collectors.toSet()));
  }

  @Test
  void aDirectoryServesOneNodeAtATime() {
    AlraiException refusal =
        assertThrows(AlraiException.class, () -> EmbeddedGms.start(sharedDir, new Metrics()));
    assertEquals(
        "the GMS' data directory " + sharedDir + " is used by another process", refusal.sentence());
  }

  @Test
  void aDirectoryOfAnotherClusterIsNotTaken() {
    Path other = dir.resolve("6f9619ff-8b86-d011-b42d-00c04fc964ff");
    assertDoesNotThrow(() -> Files.createDirectory(other));
    AlraiException refusal =
        assertThrows(AlraiException.class, () -> EmbeddedGms.start(dir, new Metrics()));
    assertTrue(refusal.sentence().contains("not of cluster alrai"), refusal.sentence());
  }

  @Test
  void aDamagedSnapshotIsNotTakenForTheTruth() throws IOException {
    try (EmbeddedGms gms = EmbeddedGms.start(dir, new Metrics())) {
      gms.service().submit(Samples.createSchema("before"));
    }
    Path snapshot;
    try (Stream<Path> files = Files.walk(dir)) {
      snapshot =
          files
              .filter(file -> file.getFileName().toString().matches("snapshot\\.\\d+_\\d+"))
              .findFirst()
              .orElseThrow();
    }
    Files.writeString(snapshot, Files.readString(snapshot).replace("before", "behind"));
    AlraiException refusal =
        assertThrows(AlraiException.class, () -> EmbeddedGms.start(dir, new Metrics()));
    assertTrue(refusal.sentence().contains(snapshot + " is damaged"), refusal.sentence());
  }
}
