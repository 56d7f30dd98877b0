package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.load.BankLoad;
import io.alrai.tpcc.SteadyWriters;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A bank over two DNs with three members each, and writers beside it, while members, mysqlds, the
 * logger, the GMS and the CN are killed and stopped. {@code -Dgroup.rounds=N} makes it longer,
 * {@code -Dgroup.seed=N} repeats kinds and victims.
 */
@Tag("faults")
final class GroupFaultsIT {
  private static final int ACCOUNTS = 60;
  private static final int WRITERS = 4;

  /** What a member keeps of its group's log, with a file that is being written and one to purge. */
  private static final long MOST_LOG_BYTES = 512L << 20;

  private static final long MOST_RESIDENT_KILOBYTES = 700_000;
  private static final int SETTLED_SECONDS = 60;

  private final long seed = Long.getLong("group.seed", System.nanoTime());
  private final int rounds = Integer.getInteger("group.rounds", 2);

  @Test
  void nothingIsLostAndNobodyIsLeftBehind() throws Exception {
    System.out.println("-Dgroup.seed=" + seed);
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--replicas", "3")) {
      BankLoad bank =
          new BankLoad(new BankLoad.Size(List.of(cluster.port()), ACCOUNTS, 2, 4, true));
      bank.create();
      SteadyWriters writers =
          new SteadyWriters("mysql://root@127.0.0.1:" + cluster.port(), WRITERS);
      writers.create();
      strike(cluster, bank, writers);
      System.out.println(bank.text());
      System.out.println(writers.acknowledged() + " rows, errors: " + writers.errors());
      assertEquals(List.of(), bank.explained(), bank.tornTotals() + " torn totals");
      assertEquals(List.of(), bank.checkAtRest(cluster.port()));
      assertEquals(List.of(), writers.wrong());
      awaitEqualMembers(cluster);
      checkSizes(cluster);
      assertEquals(List.of(), builtAnew(cluster), "column indexes");
      assertEquals(0, cluster.command("down"));
      ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
    }
  }

  /** A column index goes on at the next leader where it was. */
  private static List<String> builtAnew(ClusterProcess cluster) throws IOException {
    try (Stream<String> lines = Files.lines(cluster.directory().resolve("log/cn-1.log"))) {
      return lines.filter(line -> line.contains("column indexes are built anew")).toList();
    }
  }

  private void strike(ClusterProcess cluster, BankLoad bank, SteadyWriters writers)
      throws Exception {
    Random random = new Random(seed);
    GroupFaults faults =
        rounds > 3 ? GroupFaults.all(cluster, random) : GroupFaults.brief(cluster, random);
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor();
        writers) {
      writers.start();
      Future<?> running =
          runner.submit(() -> {
            bank.run(rounds * 600L, seed, stop);
            return null;
          });
      try {
        works(bank, writers);
        for (int i = 1; i <= rounds; i++) {
          writers.mark();
          String what = faults.strike();
          works(bank, writers);
          System.out.printf("%d %s; no write for %.0f ms%n", i, what, writers.longestGapMillis());
        }
      } finally {
        stop.set(true);
      }
      running.get();
    }
  }

  /** Transfers, readings and rows of each DN come in again. */
  private static void works(BankLoad bank, SteadyWriters writers) {
    long transfers = bank.transfers();
    long readings = bank.readings();
    long rows = writers.fewest();
    ClusterProcess.await(
        "transfers, readings and rows after the fault",
        () ->
            bank.transfers() > transfers + 20
                && bank.readings() > readings + 10
                && writers.fewest() > rows + 20);
  }

  /** Members have the same transactions and rows, and nothing is prepared. */
  private static void awaitEqualMembers(ClusterProcess cluster) {
    for (String dn : List.of("dn-1", "dn-2")) {
      ClusterProcess.await(
          "equal members of " + dn,
          SETTLED_SECONDS,
          () -> executed(cluster, dn + "-a").equals(executed(cluster, dn + "-b")));
      assertEquals(checksums(cluster, dn + "-a"), checksums(cluster, dn + "-b"), dn);
    }
    try (DnDoors doors = new DnDoors(cluster.directory(), GroupFaults.MEMBERS)) {
      ClusterProcess.await(
          "the end of all prepared transactions",
          SETTLED_SECONDS,
          () -> doors.prepared().isEmpty());
    }
  }

  private static List<List<String>> executed(ClusterProcess cluster, String member) {
    try (DnDoors doors = new DnDoors(cluster.directory(), List.of(member))) {
      return doors.query(member, "SELECT @@global.gtid_executed");
    } catch (RuntimeException e) {
      return List.of(List.of(member + " cannot be asked: " + e.getMessage()));
    }
  }

  private static List<List<String>> checksums(ClusterProcess cluster, String member) {
    try (DnDoors doors = new DnDoors(cluster.directory(), List.of(member))) {
      List<List<String>> tables =
          doors.query(
              member,
              "SELECT CONCAT('`',table_schema,'`.`',table_name,'`') FROM information_schema.tables"
                  + " WHERE table_schema NOT IN ('mysql','sys','performance_schema',"
                  + "'information_schema') AND table_type='BASE TABLE' ORDER BY 1");
      assertTrue(tables.size() > 2, () -> member + " has " + tables);
      String names = String.join(",", tables.stream().map(List::getFirst).toList());
      return doors.query(member, "CHECKSUM TABLE " + names);
    }
  }

  /** Logs are released, and memory is given back, however often leaders change. */
  private static void checkSizes(ClusterProcess cluster) throws IOException {
    for (String member : GroupFaults.MEMBERS) {
      long kilobytes = residentKilobytes(cluster.role(member).orElseThrow());
      Path log = cluster.directory().resolve(member).resolve("log-of-" + member.substring(0, 4));
      long bytes = bytesIn(log.toFile());
      System.out.printf(
          "%s: %d MB resident, %d MB of log%n", member, kilobytes / 1024, bytes >> 20);
      assertTrue(kilobytes < MOST_RESIDENT_KILOBYTES, member + " has " + kilobytes + " kB");
      assertTrue(bytes < MOST_LOG_BYTES, member + " keeps " + bytes + " bytes of log");
    }
  }

  private static long residentKilobytes(ProcessHandle process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }

  /** Files come and go meanwhile: one that is gone has no bytes. */
  private static long bytesIn(File directory) {
    File[] inside = directory.listFiles();
    return inside == null
        ? directory.length()
        : Stream.of(inside).mapToLong(GroupFaultsIT::bytesIn).sum();
  }
}
