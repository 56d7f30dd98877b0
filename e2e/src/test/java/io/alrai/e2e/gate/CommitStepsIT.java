package io.alrai.e2e.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * kill -9 of a CN, an agent or a mysqld while a commit over three DNs stands at a known step: it is
 * held there by locks at a mysqld, or by an agent that is stopped. Each step has one victim,
 * another one with the next seed ({@code -Dsteps.seed=N}); with {@code -Dsteps.all=true} each has
 * all.
 */
@Tag("faults")
final class CommitStepsIT {
  private static final int DNS = 3;
  private static final long SETTLED_SECONDS = 5;
  private static final int DEADLOCK = 1213;

  /** Where the commit stands. */
  private enum Step {
    /** One branch is prepared, the other is not yet. */
    PREPARING,
    /** All are prepared, the decision is on its way. */
    PREPARED,
    /** The decision is in the primary's log, and not visible. */
    DECISION_LOGGED,
    /** The decision is visible, one branch is prepared still. */
    DECIDED,
    /** The last XA COMMIT is in the log, and not visible. */
    COMMIT_LOGGED
  }

  private enum Victim {
    CN,
    AGENT_OF_PRIMARY,
    MYSQLD_OF_PRIMARY,
    AGENT_OF_OTHER,
    MYSQLD_OF_OTHER
  }

  private enum Told {
    COMMITTED,
    ROLLED_BACK,
    NOTHING
  }

  private final long seed = Long.getLong("steps.seed", System.nanoTime());
  private final List<String> places = new ArrayList<>();
  private int number;

  @Test
  void nothingIsHalfDoneWhoeverDies() throws Exception {
    System.out.println("-Dsteps.seed=" + seed);
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "" + DNS, "--processes", "--cns", "2")) {
      Faults faults = new Faults(cluster, 2, DNS, List.of(), seed);
      faults.prepare();
      create(cluster.port());
      try (DnDoors doors = faults.doors()) {
        findPlaces(cluster.port(), doors);
      }
      faults.awaitService();
      Victim[] victims = Victim.values();
      for (Step step : Step.values()) {
        int first = Math.floorMod(seed + step.ordinal(), victims.length);
        int count = Boolean.getBoolean("steps.all") ? victims.length : 1;
        for (int i = 0; i < count; i++) {
          strike(cluster, faults, step, victims[(first + i) % victims.length]);
        }
      }
    }
  }

  private static void create(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE steps");
      statement.execute(
          "CREATE TABLE steps.account (id INT PRIMARY KEY, balance INT NOT NULL, last INT NOT NULL)"
              + " PARTITION BY HASH(id) PARTITIONS "
              + DNS);
      statement.execute("INSERT INTO steps.account VALUES (0, 0, 0), (1, 0, 0), (2, 0, 0)");
    }
  }

  /** Where rows 0, 1 and 2 are. */
  private void findPlaces(int port, DnDoors doors) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "steps", "");
        Statement statement = connection.createStatement()) {
      for (int id = 0; id < DNS; id++) {
        statement.execute("START TRANSACTION");
        statement.execute("UPDATE account SET balance = balance + 1 WHERE id = " + id);
        List<String> locked =
            Stream.of("dn-1", "dn-2", "dn-3")
                .filter(dn -> HeldCommits.hasLockedRows(doors, dn, "account"))
                .toList();
        assertEquals(1, locked.size(), "row " + id + " is on " + locked);
        places.add(locked.getFirst());
        statement.execute("ROLLBACK");
      }
    }
    assertEquals(DNS, places.stream().distinct().count(), "rows are on " + places);
  }

  private void strike(ClusterProcess cluster, Faults faults, Step step, Victim victim)
      throws Exception {
    number++;
    long start = System.nanoTime();
    Told told;
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection =
            MiniCluster.connect(cluster.port(), "steps", "&socketTimeout=60000")) {
      write(connection);
      Future<Told> commit;
      try (DnDoors doors = faults.doors()) {
        commit =
            killedAt(step, cluster, doors, victim, () -> runner.submit(() -> commit(connection)));
      }
      told = commit.get();
    }
    faults.awaitService();
    try (DnDoors doors = faults.doors()) {
      ClusterProcess.await(
          "the end of what is prepared", SETTLED_SECONDS, () -> doors.prepared().isEmpty());
    }
    List<Boolean> there = new ArrayList<>();
    for (int port : faults.ports()) {
      there.add(isThere(port));
    }
    System.out.printf(
        "%s, %s: the client was told %s, committed: %s; %d ms%n",
        step, victim, told, there, (System.nanoTime() - start) / 1_000_000);
    assertEquals(there.getFirst(), there.getLast(), "the CNs differ");
    assertTrue(told != Told.COMMITTED || there.getFirst(), "acknowledged, so it must be there");
    assertTrue(told != Told.ROLLED_BACK || !there.getFirst(), "told that it is rolled back");
  }

  private void write(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("START TRANSACTION");
      for (int id = 0; id < DNS; id++) {
        statement.execute(
            "UPDATE account SET last = "
                + number
                + ", balance = balance + "
                + (id == 0 ? 1 - DNS : 1)
                + " WHERE id = "
                + id);
      }
    }
  }

  private static Told commit(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("COMMIT");
      return Told.COMMITTED;
    } catch (SQLException e) {
      return e.getErrorCode() == DEADLOCK ? Told.ROLLED_BACK : Told.NOTHING;
    }
  }

  private interface Commit {
    Future<Told> start();
  }

  /** Brings the commit to the step, and kills; what held the commit lets it go then. */
  private Future<Told> killedAt(
      Step step, ClusterProcess cluster, DnDoors doors, Victim victim, Commit commit)
      throws Exception {
    String primary = places.get(0);
    String other = places.get(2);
    Future<Told> running;
    if (step == Step.PREPARING) {
      try (DnDoors.Held lock = doors.hold(other, HeldCommits.LOCK)) {
        running = commit.start();
        HeldCommits.await(doors, other, "XA PREPARE", "Waiting for");
        ClusterProcess.await("the first PREPARE", () -> listed(doors, places.get(1)));
        kill(cluster, victim);
        lock.release();
      }
      return running;
    }
    try (DnDoors.Held log = doors.hold(primary, HeldCommits.LOCK)) {
      running = commit.start();
      HeldCommits.await(doors, primary, "COMMIT", "Waiting for");
      switch (step) {
        case PREPARED -> kill(cluster, victim);
        case DECISION_LOGGED -> stopped(cluster, primary, log, doors, () -> kill(cluster, victim));
        case DECIDED, COMMIT_LOGGED -> {
          try (DnDoors.Held lock = doors.hold(other, HeldCommits.LOCK)) {
            log.release();
            HeldCommits.await(doors, other, "XA COMMIT", "Waiting for");
            if (step == Step.DECIDED) {
              kill(cluster, victim);
            } else {
              stopped(cluster, other, lock, doors, () -> kill(cluster, victim));
            }
          }
        }
        default -> throw new AssertionError(step);
      }
    }
    return running;
  }

  /** Lets a lock go while the agent is stopped: what waited is logged, and not acknowledged. */
  private static void stopped(
      ClusterProcess cluster, String dn, DnDoors.Held lock, DnDoors doors, Runnable action) {
    ProcessHandle agent = cluster.role(dn).orElseThrow();
    ClusterProcess.pause(agent);
    try {
      lock.release();
      HeldCommits.awaitUnacknowledged(doors, dn);
      action.run();
    } finally {
      if (ClusterProcess.runs(agent)) {
        ClusterProcess.resume(agent);
      }
    }
  }

  private static boolean listed(DnDoors doors, String dn) {
    return doors.prepared().stream().anyMatch(line -> line.startsWith(dn + " "));
  }

  private void kill(ClusterProcess cluster, Victim victim) {
    ProcessHandle process =
        switch (victim) {
          case CN -> cluster.role("cn-1").orElseThrow();
          case AGENT_OF_PRIMARY -> cluster.role(places.get(0)).orElseThrow();
          case MYSQLD_OF_PRIMARY -> cluster.mysqld(places.get(0)).orElseThrow();
          case AGENT_OF_OTHER -> cluster.role(places.get(2)).orElseThrow();
          case MYSQLD_OF_OTHER -> cluster.mysqld(places.get(2)).orElseThrow();
        };
    ClusterProcess.kill(process);
  }

  /** Whether the last transaction is there: on all DNs or on none. */
  private boolean isThere(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "steps", "");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT SUM(balance), COUNT(*), SUM(last = " + number + ") FROM account")) {
      assertTrue(rows.next());
      assertEquals(0, rows.getLong(1), "the total");
      assertEquals(DNS, rows.getInt(2));
      int done = rows.getInt(3);
      assertTrue(done == 0 || done == DNS, "half a transaction: on " + done + " DNs");
      return done == DNS;
    }
  }
}
