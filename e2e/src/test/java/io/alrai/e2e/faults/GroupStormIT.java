package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.machine.MemberDisk;
import io.alrai.e2e.machine.MemberNetwork;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.history.Transaction.Outcome;
import io.alrai.testing.load.BankLoad;
import io.alrai.testing.load.RecordedLoad;
import io.alrai.tpcc.SteadyWriters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The faults of {@link GroupFaultsIT}, one soon after the other: the next one comes as soon as both
 * groups take writes again, while members that were hit still come back. After some faults clients
 * stop, and all that they have seen is checked. {@code -Dgroup.storm=MINUTES} for how long, {@code
 * -Dgroup.seed=N} repeats kinds and victims, {@code -Dgroup.segment=N} faults between two checks,
 * {@code -Dgroup.clients=N} clients of each kind: with few of them what was hit is back sooner.
 * What is kept in memory is of one segment.
 */
@Tag("faults")
@Timeout(value = 24, unit = TimeUnit.HOURS)
@EnabledIfSystemProperty(named = "group.storm", matches = "\\d+")
final class GroupStormIT {
  private static final int ACCOUNTS = 60;
  private static final int TRANSFERERS = Integer.getInteger("group.clients", 6);
  private static final int WRITERS = Integer.getInteger("group.clients", 8);
  private static final int SESSIONS = Integer.getInteger("group.clients", 8);

  /** More than a segment has; what is recorded is in memory. */
  private static final int MOST_RECORDED = 100_000;

  private static final int DISK_MEBIBYTES = 3_000;
  private static final int LAST_FAULTS = 12;

  /** From the begin of one fault to that of the next one, at least: clients are to work, too. */
  private static final long PACE_MILLIS = 3_000;

  /** Half of the reads that may go there. */
  private static final String FOLLOWERS = "SET master_read_weight = 50";

  private final long seed = Long.getLong("group.seed", System.nanoTime());
  private final int segment = Integer.getInteger("group.segment", 40);
  private final long minutes = Integer.getInteger("group.storm", 1);
  private final Deque<String> lastFaults = new ArrayDeque<>();
  private long sinceNanos;
  private int strikes;
  private long transfers;
  private long rows;
  private long recordedOnes;
  private long unknownRecorded;
  private long unknown;
  private double longestGapMillis;
  private long endNanos;

  @Test
  void nothingIsLostInAStorm() throws Exception {
    System.out.println("-Dgroup.seed=" + seed);
    Optional<MemberNetwork> network = MemberNetwork.open(2);
    Optional<MemberDisk> disk = MemberDisk.open("dn-2-b", DISK_MEBIBYTES);
    List<ClusterProcess.Preparation> machines = new ArrayList<>();
    network.ifPresent(machines::add);
    disk.ifPresent(machines::add);
    try (MemberNetwork _ = network.orElse(null);
        MemberDisk _ = disk.orElse(null);
        ClusterProcess cluster =
            ClusterProcess.upAfter(machines, "--dns", "2", "--processes", "--replicas", "3");
        RoleChanges roles = new RoleChanges(cluster.directory())) {
      GroupFaults faults =
          GroupFaults.all(GroupFaults.Pace.STORM, cluster, new Random(seed), network, disk);
      faults.onKill(roles::killed);
      boolean passed = false;
      try {
        storm(cluster, faults, roles);
        passed = true;
      } finally {
        if (!passed) {
          System.out.println(counts(faults, roles));
          System.out.println("-Dgroup.seed=" + seed + " failed, last faults:");
          lastFaults.forEach(System.out::println);
          keepLogs(cluster);
        }
      }
      network.ifPresent(its -> System.out.println(its.text()));
      assertEquals(0, cluster.command("down"));
      ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
    }
  }

  private void storm(ClusterProcess cluster, GroupFaults faults, RoleChanges roles)
      throws Exception {
    int port = cluster.port();
    BankLoad bank =
        new BankLoad(
            new BankLoad.Size(List.of(port), ACCOUNTS, 2, TRANSFERERS, true, List.of(FOLLOWERS)));
    bank.create();
    sinceNanos = System.nanoTime();
    endNanos = sinceNanos + TimeUnit.MINUTES.toNanos(minutes);
    do {
      segment(cluster, faults, bank);
      System.out.println(counts(faults, roles));
    } while (System.nanoTime() - endNanos < 0);
  }

  /** What whole segments have counted, and all faults. */
  private String counts(GroupFaults faults, RoleChanges roles) {
    return String.format(
        "%d faults in %d s, %s%n%d transactions: %d transfers, %d rows, %d recorded; %d without"
            + " an answer; no write for %.0f ms at most%n%s",
        strikes,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNanos),
        faults.counts(),
        transfers + rows + recordedOnes,
        transfers,
        rows,
        recordedOnes,
        unknown,
        longestGapMillis,
        roles.text());
  }

  /** Some faults, and the check of all that clients have seen meanwhile. */
  private void segment(ClusterProcess cluster, GroupFaults faults, BankLoad bank) throws Exception {
    int port = cluster.port();
    SteadyWriters writers = new SteadyWriters("mysql://root@127.0.0.1:" + port, WRITERS);
    writers.create();
    RecordedLoad recorded =
        new RecordedLoad(
            new RecordedLoad.Size(
                List.of(port),
                4,
                SESSIONS,
                MOST_RECORDED,
                List.of("SET innodb_lock_wait_timeout = 5", FOLLOWERS)));
    recorded.create();
    FaultClients clients = new FaultClients(bank, writers, recorded);
    clients.workDuring(seed + strikes, () -> strikes(faults, clients));
    check(cluster, faults, clients);
    transfers = bank.transfers();
    rows += writers.acknowledged();
    recordedOnes += clients.committed();
    unknownRecorded += recorded.count(Outcome.UNKNOWN);
    unknown = unknownRecorded + bank.unknown();
  }

  private void strikes(GroupFaults faults, FaultClients clients) throws Exception {
    awaitWork(clients);
    for (int i = 0; i < segment && System.nanoTime() - endNanos < 0; i++) {
      strike(faults, clients);
    }
  }

  private void strike(GroupFaults faults, FaultClients clients) throws Exception {
    long began = System.nanoTime();
    clients.writers().mark();
    String what = faults.strike();
    strikes++;
    lastFaults.addLast(String.format("%tT %s", LocalTime.now(ZoneId.systemDefault()), what));
    if (lastFaults.size() > LAST_FAULTS) {
      lastFaults.removeFirst();
    }
    awaitWork(clients);
    double gap = clients.writers().longestGapMillis();
    longestGapMillis = Math.max(longestGapMillis, gap);
    System.out.printf("%d %s; no write for %.0f ms%n", strikes, lastFaults.getLast(), gap);
    long past = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    TimeUnit.MILLISECONDS.sleep(Math.max(0, PACE_MILLIS - past));
  }

  private static void awaitWork(FaultClients clients) {
    clients.awaitWork(3, 0, 3);
  }

  private static void check(ClusterProcess cluster, GroupFaults faults, FaultClients clients)
      throws Exception {
    long since = System.nanoTime();
    ClusterAtRest atRest = new ClusterAtRest(cluster, faults.members());
    clients.check(cluster.port());
    atRest.awaitEqualMembers();
    atRest.awaitNoOrphans();
    atRest.checkSizes();
    System.out.printf(
        "nothing is wrong: looked for %d ms%n",
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
  }

  /** The directory goes with the cluster. */
  private void keepLogs(ClusterProcess cluster) throws IOException {
    Path kept = Path.of("target", "storm-" + seed).toAbsolutePath();
    Files.createDirectories(kept);
    try (Stream<Path> files = Files.walk(cluster.directory(), 2)) {
      for (Path file : files.filter(each -> each.toString().matches(".*\\.(log|err).*")).toList()) {
        if (Files.isRegularFile(file)) {
          Path to = kept.resolve(cluster.directory().relativize(file).toString().replace('/', '_'));
          Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    System.out.println("logs are kept in " + kept);
  }
}
