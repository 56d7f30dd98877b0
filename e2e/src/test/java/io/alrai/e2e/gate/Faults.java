package io.alrai.e2e.gate;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * What happens to a cluster of separate processes while it works: in rounds, each of which has
 * every kind of fault once, in random order, on random victims. One thread.
 */
final class Faults {
  /** The kinds. */
  enum Kind {
    KILLED_CN,
    KILLED_AGENT,
    KILLED_MYSQLD,
    PAUSED_CN,
    PAUSED_AGENT,
    WRONG_CLOCK_OF_CN,
    WRONG_CLOCK_OF_AGENT
  }

  private static final long PATIENCE_SECONDS = 120;
  private static final long PREPARED_SECONDS = 10;
  private static final long WRONG_MILLIS = 200;

  private final ClusterProcess cluster;
  private final int cns;
  private final int dns;
  private final Random random;
  private final List<Kind> kinds;
  private final List<Kind> round = new ArrayList<>();

  Faults(ClusterProcess cluster, int cns, int dns, List<Kind> kinds, long seed) {
    this.cluster = cluster;
    this.cns = cns;
    this.dns = dns;
    this.kinds = kinds;
    this.random = new Random(seed);
  }

  /** The ports of all CNs. */
  List<Integer> ports() {
    return IntStream.range(0, cns).mapToObj(i -> cluster.port() + i).toList();
  }

  /** Lets the next fault happen; returns when all CNs serve again. */
  void strike() throws InterruptedException {
    if (round.isEmpty()) {
      round.addAll(kinds);
      Collections.shuffle(round, random);
    }
    Kind kind = round.removeFirst();
    String cn = "cn-" + (1 + random.nextInt(cns));
    String dn = "dn-" + (1 + random.nextInt(dns));
    long millis = random.nextBoolean() ? WRONG_MILLIS : -WRONG_MILLIS;
    long start = System.nanoTime();
    String what =
        switch (kind) {
          case KILLED_CN -> kill(cn);
          case KILLED_AGENT -> kill(dn);
          case KILLED_MYSQLD -> {
            cluster.mysqld(dn).ifPresent(ClusterProcess::kill);
            yield "mysqld of " + dn;
          }
          case PAUSED_CN -> pause(cn);
          case PAUSED_AGENT -> pause(dn);
          case WRONG_CLOCK_OF_CN -> {
            cluster.clockOffset(cn, millis);
            yield kill(cn) + " by " + millis + " ms";
          }
          case WRONG_CLOCK_OF_AGENT -> {
            cluster.clockOffset(dn, millis);
            yield kill(dn) + " by " + millis + " ms";
          }
        };
    awaitService();
    System.out.printf(
        "%s: %s, all serve after %d ms%n", kind, what, (System.nanoTime() - start) / 1_000_000);
  }

  private String kill(String role) {
    cluster.role(role).ifPresent(ClusterProcess::kill);
    return role;
  }

  private String pause(String role) throws InterruptedException {
    ProcessHandle process = cluster.role(role).orElseThrow();
    long millis = 50 + random.nextInt(1_500);
    ClusterProcess.pause(process);
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } finally {
      ClusterProcess.resume(process);
    }
    return role + " for " + millis + " ms";
  }

  /** Waits until each CN reads from all DNs and writes to each. */
  void awaitService() {
    for (int port : ports()) {
      ClusterProcess.await("the service of port " + port, PATIENCE_SECONDS, () -> serves(port));
    }
  }

  /** Makes the table that {@link #awaitService} looks at. */
  void prepare() throws SQLException {
    try (Connection connection = MiniCluster.connect(cluster.port(), "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE IF NOT EXISTS faults");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS faults.alive (id INT PRIMARY KEY, n INT NOT NULL)"
              + " PARTITION BY HASH(id) PARTITIONS "
              + dns);
      statement.execute("DELETE FROM faults.alive");
      for (int id = 0; id < dns; id++) {
        statement.execute("INSERT INTO faults.alive VALUES (" + id + ", 0)");
      }
    }
  }

  private boolean serves(int port) {
    try (Connection connection =
            MiniCluster.connect(port, "faults", "&connectTimeout=2000&socketTimeout=5000");
        Statement statement = connection.createStatement()) {
      for (int id = 0; id < dns; id++) {
        statement.executeUpdate("UPDATE alive SET n = n + 1 WHERE id = " + id);
      }
      try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM alive")) {
        return row.next() && row.getInt(1) == dns;
      }
    } catch (SQLException e) {
      return false;
    }
  }

  /** Nothing stays prepared when nobody commits any more. */
  void awaitNothingPrepared() {
    try (DnDoors doors = doors()) {
      ClusterProcess.await(
          "the end of all prepared transactions",
          PREPARED_SECONDS,
          () -> doors.prepared().isEmpty());
    }
  }

  /** Ways to all mysqlds. */
  DnDoors doors() {
    return new DnDoors(
        cluster.directory(), IntStream.rangeClosed(1, dns).mapToObj(i -> "dn-" + i).toList());
  }
}
