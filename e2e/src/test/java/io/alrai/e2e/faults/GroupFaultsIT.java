package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.machine.MemberDisk;
import io.alrai.e2e.machine.MemberNetwork;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.load.BankLoad;
import io.alrai.testing.load.RecordedLoad;
import io.alrai.tpcc.SteadyWriters;
import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A bank over two DNs with three members each, writers and recorded transactions beside it, while
 * members, mysqlds, the logger, the GMS and the CN are killed and stopped, networks are cut and
 * disks are full. {@code -Dgroup.rounds=N} makes it longer, {@code -Dgroup.seed=N} repeats kinds
 * and victims, {@code -Dgroup.transactions=N} bounds what is recorded, in memory.
 */
@Tag("faults")
@Timeout(value = 24, unit = TimeUnit.HOURS)
final class GroupFaultsIT {
  private static final int ACCOUNTS = 60;
  private static final int WRITERS = 4;
  private static final int SESSIONS = 6;
  private static final int MOST_RECORDED = 150_000;
  private static final int RECORDED_OF_A_ROUND = 2_000;
  private static final int DISK_MEBIBYTES = 3_000;

  private final long seed = Long.getLong("group.seed", System.nanoTime());
  private final int rounds = Integer.getInteger("group.rounds", 2);
  private final boolean inLongForm = rounds > 3;

  @Test
  void nothingIsLostAndNobodyIsLeftBehind() throws Exception {
    System.out.println("-Dgroup.seed=" + seed);
    Optional<MemberNetwork> network = inLongForm ? MemberNetwork.open(2) : Optional.empty();
    Optional<MemberDisk> disk =
        inLongForm ? MemberDisk.open("dn-2-b", DISK_MEBIBYTES) : Optional.empty();
    List<ClusterProcess.Preparation> machines = new ArrayList<>();
    network.ifPresent(machines::add);
    disk.ifPresent(machines::add);
    try (MemberNetwork _ = network.orElse(null);
        MemberDisk _ = disk.orElse(null);
        ClusterProcess cluster =
            ClusterProcess.upAfter(machines, "--dns", "2", "--processes", "--replicas", "3")) {
      Random random = new Random(seed);
      strike(
          cluster,
          inLongForm
              ? GroupFaults.all(GroupFaults.Pace.LONG, cluster, random, network, disk)
              : GroupFaults.brief(cluster, random));
      network.ifPresent(its -> System.out.println(its.text()));
    }
  }

  private void strike(ClusterProcess cluster, GroupFaults faults) throws Exception {
    int port = cluster.port();
    BankLoad bank = new BankLoad(new BankLoad.Size(List.of(port), ACCOUNTS, 2, 4, true));
    bank.create();
    SteadyWriters writers = new SteadyWriters("mysql://root@127.0.0.1:" + port, WRITERS);
    writers.create();
    int most =
        Integer.getInteger(
            "group.transactions", Math.min(MOST_RECORDED, rounds * RECORDED_OF_A_ROUND));
    RecordedLoad recorded =
        new RecordedLoad(
            new RecordedLoad.Size(
                List.of(port), 4, SESSIONS, most, List.of("SET innodb_lock_wait_timeout = 5")));
    recorded.create();
    FaultClients clients = new FaultClients(bank, writers, recorded);
    clients.workDuring(seed, () -> strike(faults, clients));
    System.out.printf("%d rounds, %s%n", rounds, faults.counts());
    clients.check(port);
    ClusterAtRest atRest = new ClusterAtRest(cluster, faults.members());
    atRest.awaitEqualMembers();
    atRest.checkSizes();
    atRest.awaitNoOrphans();
    assertEquals(List.of(), builtAnew(cluster), "column indexes");
    assertEquals(0, cluster.command("down"));
    ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
  }

  /**
   * A column index goes on at the next leader where it was. But a leader that dies may leave a
   * branch's commit without its stamp (docs/design/0019): that one is built anew.
   */
  private static List<String> builtAnew(ClusterProcess cluster) throws IOException {
    try (Stream<String> lines = Files.lines(cluster.directory().resolve("log/cn-1.log"))) {
      return lines
          .filter(line -> line.contains("built anew"))
          .filter(line -> !line.contains("a commit without a known stamp"))
          .toList();
    }
  }

  private void strike(GroupFaults faults, FaultClients clients) throws Exception {
    awaitWork(clients);
    for (int i = 1; i <= rounds; i++) {
      clients.writers().mark();
      String what = faults.strike();
      awaitWork(clients);
      System.out.printf(
          "%tT %d %s; no write for %.0f ms%n",
          LocalTime.now(ZoneId.systemDefault()), i, what, clients.writers().longestGapMillis());
    }
  }

  private static void awaitWork(FaultClients clients) {
    clients.awaitWork(20, 10, 20);
  }
}
