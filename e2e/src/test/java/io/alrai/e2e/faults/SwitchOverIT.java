package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Leaders of two DNs change in order, while clients write: statements wait, and none fails; what is
 * in a transaction is rolled back at most. {@code -Dswitch.rounds=N} makes it last longer. On a
 * busy machine a leader may be replaced that nobody asked to go, or the next one be too slow to be
 * asked: errors of that round are a failover's, and another round follows.
 */
@Tag("faults")
final class SwitchOverIT {
  private static final int ROUNDS = Integer.getInteger("switch.rounds", 2);

  /** Rounds that others may replace. */
  private static final int MOST_DISTURBED = 3 * ROUNDS;

  private static final boolean REPLICAS = Boolean.getBoolean("switch.replicas");
  private static final int ACCOUNTS = 64;
  private static final int BALANCE = 1_000;
  private static final int WRITERS = 3;
  private static final int TRANSFERS = 2;

  /** On a busy machine; the figure of a quiet one is in the page about it. */
  private static final long MOST_PAUSE_MILLIS = 8_000;

  private static final int ER_LOCK_DEADLOCK = 1213;

  /** What a busy machine makes of a change that is asked for, while nobody else is elected. */
  private static final Pattern REFUSALS =
      Pattern.compile("does not answer|nobody leads|transactions behind|cannot lead");

  private final Queue<String> errors = new ConcurrentLinkedQueue<>();

  /** Errors of rounds in which somebody was elected whom nobody asked for. */
  private final List<String> excused = new ArrayList<>();

  private int disturbed;

  /** Who led dn-1 and dn-2 when that was looked at last. */
  private List<Leader> leaders = List.of();

  private final AtomicLong rolledBack = new AtomicLong();
  private final AtomicLong transferred = new AtomicLong();

  /** The longest that a statement took since the last look. */
  private final AtomicLong longestNanos = new AtomicLong();

  /** Leaders are killed from then on, and what is not only read may fail. */
  private volatile boolean killed;

  private volatile boolean over;

  @Test
  void leadersChangeUnderLoad() throws Exception {
    try (ClusterProcess cluster =
            ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--replicas", "3");
        Connection admin = MiniCluster.connect(cluster.port(), "", "");
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      load(admin);
      whatIsShownAndRefused(cluster.port(), admin);
      List<Future<Long>> writers = new ArrayList<>();
      List<Future<?>> transfers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int own = i;
        writers.add(clients.submit(() -> write(cluster.port(), own)));
      }
      for (int i = 0; i < TRANSFERS; i++) {
        transfers.add(clients.submit(() -> transfer(cluster.port())));
      }
      List<Long> pauses = new ArrayList<>();
      try (PlainReaders readers = new PlainReaders(cluster.port(), ACCOUNTS);
          ReplicaReaders replicas =
              new ReplicaReaders(cluster.port(), REPLICAS, ACCOUNTS, ACCOUNTS * BALANCE);
          CountedCommits commits = new CountedCommits(cluster.port(), admin)) {
        pauses.addAll(changes(cluster.port(), admin));
        ClusterProcess.await(
            "reads of replicas " + replicas,
            60,
            () -> !REPLICAS || replicas.fewest() > 5 || !replicas.errors().isEmpty());
        killed = true;
        replicas.killing();
        killLeaders(cluster, readers);
        assertEquals(List.of(), readers.errors());
        assertEquals(List.of(), replicas.errors());
        System.out.println("reads of replicas: " + replicas);
        assertEquals(List.of(), commits.wrong(admin));
      } finally {
        over = true;
      }
      long written = 0;
      for (Future<Long> writer : writers) {
        written += writer.get();
      }
      for (Future<?> each : transfers) {
        each.get();
      }
      report(pauses, written);
      excused.addAll(errors);
      long found = number(admin, "SELECT SUM(n) FROM bank.written");
      assertTrue(
          found >= written && found <= written + excused.size(),
          written + " of " + found + " were acknowledged, errors of failovers: " + excused);
      assertEquals(
          ACCOUNTS * BALANCE, number(admin, "SELECT SUM(balance) FROM bank.accounts"), "total");
      assertTrue(transferred.get() > 0 && written > 0, "nothing was done");
      columnsHaveGoneOn(cluster, admin);
      nothingHasGrown(cluster);
      assertEquals(0, cluster.command("down"));
    }
  }

  /** All rounds; returns the longest that a statement took in each. */
  private List<Long> changes(int port, Connection admin) throws Exception {
    List<Long> pauses = new ArrayList<>();
    leaders = leaders(port);
    for (int round = 0; pauses.size() < ROUNDS && disturbed <= MOST_DISTURBED; round++) {
      change(port, admin, 1 + round % 2).ifPresent(pauses::add);
    }
    excuseElections(port);
    assertEquals("[]", errors.toString());
    return pauses;
  }

  /**
   * Leaders of both DNs are lost at once, one with its mysqld and one with its agent: no read
   * fails.
   */
  private static void killLeaders(ClusterProcess cluster, PlainReaders readers) {
    int port = cluster.port();
    for (int dn = 1; dn <= 2; dn++) {
      String name = "dn-" + dn;
      ClusterProcess.await(
          "leader and follower of " + name,
          60,
          () ->
              roles(port, name).equals(List.of("FOLLOWER", "LEADER", "LOGGER"))
                  && follower(port, name.endsWith("1") ? 1 : 2).isPresent());
    }
    awaitReads(readers);
    ClusterProcess.kill(cluster.mysqld(leader(port, 1).orElseThrow().name()).orElseThrow());
    ClusterProcess.kill(cluster.role(leader(port, 2).orElseThrow().name()).orElseThrow());
    awaitReads(readers);
  }

  private static void awaitReads(PlainReaders readers) {
    long before = readers.fewest();
    ClusterProcess.await(
        "reads of all forms",
        60,
        () -> readers.fewest() > before + 20 || !readers.errors().isEmpty());
  }

  /** The index has followed each DN from one leader to the next, and missed nothing. */
  private static void columnsHaveGoneOn(ClusterProcess cluster, Connection admin) throws Exception {
    assertEquals(
        ACCOUNTS * BALANCE,
        number(admin, "SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(balance) FROM bank.accounts"),
        "total by columns");
    List<String> lines = Files.readAllLines(cluster.directory().resolve("log/cn-1.log"));
    assertEquals(List.of(), lines.stream().filter(line -> line.contains("built anew")).toList());
    assertTrue(
        lines.stream().filter(line -> line.contains("its log is followed on")).count() >= 2,
        "no leader's log was followed on");
  }

  /** Members are equal, each process is there once, and no log and no memory is without bounds. */
  private static void nothingHasGrown(ClusterProcess cluster) throws Exception {
    ClusterAtRest atRest =
        new ClusterAtRest(cluster, new GroupMembers(cluster, ThreadLocalRandom.current(), 2));
    atRest.awaitEqualMembers();
    atRest.awaitNoOrphans();
    atRest.checkSizes();
  }

  private static void load(Connection admin) throws SQLException {
    ReplicaReaders.createTables(admin, ACCOUNTS, BALANCE);
    Servers.run(
        admin,
        "CREATE TABLE bank.written (id INT PRIMARY KEY, n BIGINT NOT NULL)"
            + " PARTITION BY KEY(id) PARTITIONS 8");
    String zeros =
        IntStream.range(0, ACCOUNTS)
            .mapToObj(id -> "(" + id + ",0)")
            .collect(Collectors.joining(","));
    Servers.run(admin, "INSERT INTO bank.written VALUES " + zeros);
    Servers.run(admin, "CREATE CLUSTERED COLUMNAR INDEX by_column ON bank.accounts (id)");
  }

  private static void whatIsShownAndRefused(int port, Connection admin) {
    for (int dn = 1; dn <= 2; dn++) {
      String name = "dn-" + dn;
      ClusterProcess.await(
          "all members of " + name,
          () -> roles(port, name).equals(List.of("FOLLOWER", "LEADER", "LOGGER")));
    }
    String leads = leader(port, 1).orElseThrow().name();
    AlterSystem.assertRefused(admin, toLeader(leads), "leads already");
    AlterSystem.assertRefused(
        admin, toLeader("logger-1"), "no DN has a member 'logger-1' that keeps rows");
    AlterSystem.assertRefused(
        admin, toLeader("nobody"), "no DN has a member 'nobody' that keeps rows");
  }

  private static List<String> roles(int port, String dn) {
    return members(port, Integer.parseInt(dn.substring(3))).stream()
        .map(row -> row.get(2))
        .sorted()
        .toList();
  }

  private static String toLeader(String name) {
    return "CHANGE_ROLE NODE '" + name + "' TO LEADER";
  }

  /** Who leads a DN, and in which term. */
  private record Leader(String name, long term) {}

  private static Optional<Leader> leader(int port, int dn) {
    return members(port, dn).stream()
        .filter(row -> row.get(2).equals("LEADER"))
        .map(row -> new Leader(row.get(1), Long.parseLong(row.get(4))))
        .findFirst();
  }

  /** Gives the lead of a DN to its other member; empty where somebody else was elected, too. */
  private Optional<Long> change(int port, Connection admin, int dn) throws Exception {
    int other = 3 - dn;
    ClusterProcess.await("a follower of dn-" + dn, 60, () -> follower(port, dn).isPresent());
    String next = follower(port, dn).orElseThrow();
    excuseElections(port);
    Leader before = leaders.get(dn - 1);
    Leader beside = leaders.get(other - 1);
    TimeUnit.MILLISECONDS.sleep(200); // of the load between two changes
    longestNanos.set(0);
    String refusal = "";
    try {
      Servers.run(admin, "ALTER SYSTEM " + toLeader(next));
    } catch (SQLException e) {
      refusal = e.getMessage();
    }
    TimeUnit.MILLISECONDS.sleep(200);
    long longest = TimeUnit.NANOSECONDS.toMillis(longestNanos.get());
    List<Leader> after = leaders(port);
    Leader wanted = new Leader(next, before.term() + 1);
    if (refusal.isEmpty()
        && after.get(dn - 1).equals(wanted)
        && after.get(other - 1).equals(beside)) {
      assertEquals("[]", errors.toString());
      leaders = after;
      return Optional.of(longest);
    }
    assertTrue(!after.equals(leaders) || REFUSALS.matcher(refusal).find(), refusal);
    disturbed(after, refusal);
    return Optional.empty();
  }

  /** Elections since the last round, for which nobody asked. */
  private void excuseElections(int port) {
    List<Leader> now = leaders(port);
    if (!now.equals(leaders)) {
      disturbed(now, "between two rounds");
    }
  }

  private void disturbed(List<Leader> now, String how) {
    System.out.println("disturbed: " + leaders + ", then " + now + " " + how);
    disturbed++;
    leaders = now;
    excused.addAll(errors);
    errors.clear();
  }

  /** Waits until both DNs have one. */
  private static List<Leader> leaders(int port) {
    List<Leader> found = new ArrayList<>();
    for (int dn = 1; dn <= 2; dn++) {
      int one = dn;
      AtomicReference<Leader> its = new AtomicReference<>();
      ClusterProcess.await(
          "a leader of dn-" + dn,
          60,
          () -> {
            leader(port, one).ifPresent(its::set);
            return its.get() != null;
          });
      found.add(its.get());
    }
    return found;
  }

  /** Who could lead at once. */
  private static Optional<String> follower(int port, int dn) {
    return members(port, dn).stream()
        .filter(row -> row.get(2).equals("FOLLOWER") && row.get(3).equals("FOLLOWING"))
        .filter(row -> row.get(7).matches("[0-9]"))
        .map(row -> row.get(1))
        .findFirst();
  }

  private static List<List<String>> members(int port, int dn) {
    try {
      return Servers.cells(port, "", "SHOW STORAGE REPLICAS WHERE DN = 'dn-" + dn + "'");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Autocommit statements, each of which must be done exactly once. */
  private long write(int port, int own) throws SQLException {
    long written = 0;
    try (Connection client = MiniCluster.connect(port, "bank", "");
        PreparedStatement update = client.prepareStatement("UPDATE written SET n=n+1 WHERE id=?")) {
      for (int i = own; !over; i += WRITERS) {
        update.setInt(1, i % ACCOUNTS);
        long since = System.nanoTime();
        try {
          written += update.executeUpdate();
        } catch (SQLException e) {
          if (killed && e.getMessage().contains("the statement was done")) {
            written++;
          } else if (!killed || !e.getMessage().contains("the statement was not done")) {
            errors.add(e.getErrorCode() + ": " + e.getMessage());
          }
        }
        longestNanos.accumulateAndGet(System.nanoTime() - since, Math::max);
      }
    }
    return written;
  }

  private Void transfer(int port) throws SQLException {
    try (Connection client = MiniCluster.connect(port, "bank", "")) {
      client.setAutoCommit(false);
      while (!over) {
        int from = ThreadLocalRandom.current().nextInt(ACCOUNTS);
        int to = ThreadLocalRandom.current().nextInt(ACCOUNTS);
        try {
          Servers.run(client, "UPDATE accounts SET balance=balance-1 WHERE id=" + from);
          Servers.run(client, "UPDATE accounts SET balance=balance+1 WHERE id=" + to);
          client.commit();
          transferred.incrementAndGet();
        } catch (SQLException e) {
          if (!killed && e.getErrorCode() != ER_LOCK_DEADLOCK) {
            errors.add("in a transaction: " + e.getErrorCode() + ": " + e.getMessage());
          }
          rolledBack.incrementAndGet();
          rollBack(client);
        }
      }
    }
    return null;
  }

  /** Where a leader was killed, the next statement tells the same. */
  private static void rollBack(Connection client) {
    try {
      client.rollback();
    } catch (SQLException e) {
      assertTrue(e.getErrorCode() == ER_LOCK_DEADLOCK, e.getMessage());
    }
  }

  private void report(List<Long> pauses, long written) {
    assertEquals(ROUNDS, pauses.size(), disturbed + " changes were disturbed");
    List<Long> sorted = pauses.stream().sorted().toList();
    long p50 = sorted.get(sorted.size() / 2);
    long p99 = sorted.get(Math.min(sorted.size() - 1, sorted.size() * 99 / 100));
    System.out.printf(
        "%d changes of leaders: longest statement p50 %d ms, p99 %d ms; %d statements,"
            + " %d transactions, %d rolled back; %d changes disturbed%n",
        pauses.size(), p50, p99, written, transferred.get(), rolledBack.get(), disturbed);
    assertTrue(p99 < MOST_PAUSE_MILLIS, "a statement took " + p99 + " ms");
  }

  private static long number(Connection admin, String sql) throws SQLException {
    return Long.parseLong(Servers.column(admin, sql).getFirst());
  }
}
