package io.alrai.e2e.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.e2e.machine.MemberDisk;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.Ports;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What goes wrong at night, one after the other: an alert names it within a minute, and one
 * statement finds it. With {@code -Dops.incidents=true} only.
 */
@Tag("alone")
@EnabledIfSystemProperty(named = "ops.incidents", matches = "true")
class IncidentIT {
  private static final List<String> JOBS = List.of("cn", "cn", "dn", "dn", "gms");
  private static final int NAMED_SECONDS = 60;
  private static final int DISK_MEBIBYTES = 6 << 10;
  private static final String SCHEMA = "n\u00e4cht_%'\"\\ .x";
  private static final String NAME = "w_%'` .\u00e9";
  private static final String QUOTED = "`" + SCHEMA + "`";
  private static final String TABLE = "`" + NAME.replace("`", "``") + "`";

  @TempDir Path directory;
  private final Optional<MemberDisk> disk = MemberDisk.open("dn-2", DISK_MEBIBYTES);
  private ClusterProcess cluster;
  private Prometheus prometheus;

  /** What ends an incident. */
  private interface End {
    void end() throws Exception;
  }

  @BeforeEach
  void start() throws Exception {
    Path programs = Prometheus.programs(directory);
    int metrics = Ports.free();
    List<ClusterProcess.Preparation> disks = new ArrayList<>();
    disk.ifPresent(disks::add);
    String[] arguments = {
      "--processes", "--cns", "2", "--dns", "2", "--metrics-port", Integer.toString(metrics)
    };
    cluster = ClusterProcess.upAfter(disks, arguments);
    prometheus = Prometheus.start(programs, directory, metrics, JOBS);
    ClusterProcess.await("every role is read", () -> prometheus.has("sum(up) == " + JOBS.size()));
    try (Connection client = connect()) {
      Servers.run(
          client,
          "CREATE DATABASE " + QUOTED,
          "USE " + QUOTED,
          "CREATE TABLE " + TABLE + " (a INT PRIMARY KEY, note INT)");
      StringBuilder rows = new StringBuilder("INSERT INTO " + TABLE + " VALUES (0,0)");
      for (int i = 1; i < 40_000; i++) {
        rows.append(",(").append(i).append(',').append(i).append(')');
      }
      Servers.run(client, rows.toString());
    }
  }

  @AfterEach
  void stop() throws Exception {
    if (prometheus != null) {
      prometheus.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (disk.isPresent()) {
      disk.get().close();
    }
  }

  /** Was there before: a login asks any DN something, also one that does not answer. */
  private Connection dba;

  private Connection connect() throws SQLException {
    return MiniCluster.connect(cluster.port(), "", "&socketTimeout=120000");
  }

  @Test
  void eachIsNamedAndFound() throws Exception {
    try (Connection before = connect()) {
      dba = before;
      missingIndex();
      lockHolder();
      slowDn();
      silentMysqld();
      deadDn();
      if (disk.isPresent()) {
        fullDisk(disk.get());
      }
    }
  }

  private void missingIndex() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      clients.add(Thread.startVirtualThread(() -> scan(over)));
    }
    expect(
        "missing index",
        "AlraiTablesScanned",
        "dn-1",
        () -> {
          String found = rows("SELECT query, db FROM sys.statement_analysis LIMIT 10");
          assertTrue(found.contains("`note` = ?"), found);
          assertTrue(found.contains(SCHEMA), found);
        });
    over.set(true);
    for (Thread client : clients) {
      client.join();
    }
  }

  private void scan(AtomicBoolean over) {
    try (Connection client = connect()) {
      Servers.run(client, "USE " + QUOTED);
      while (!over.get()) {
        Servers.column(client, "SELECT COUNT(*) FROM " + TABLE + " WHERE note = 7");
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void lockHolder() throws Exception {
    String update = "UPDATE " + TABLE + " SET note = note + 1 WHERE a = 5";
    try (Connection holder = connect();
        Connection waiter = connect()) {
      Servers.run(holder, "USE " + QUOTED, "BEGIN", update);
      String id = Servers.column(holder, "SELECT CONNECTION_ID()").getFirst();
      Servers.run(waiter, "USE " + QUOTED);
      AtomicBoolean done = new AtomicBoolean();
      Thread waits =
          Thread.startVirtualThread(() -> {
            try {
              Servers.run(waiter, update);
              done.set(true);
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          });
      expect(
          "lock holder",
          "AlraiLocksHeld",
          "dn-",
          () -> {
            try (Connection dba = connect();
                Statement statement = dba.createStatement();
                ResultSet found = statement.executeQuery("SELECT * FROM sys.innodb_lock_waits")) {
              assertTrue(found.next());
              assertEquals(id, found.getString("blocking_pid"));
              assertEquals(NAME, found.getString("locked_table_name"));
              Servers.run(dba, found.getString("sql_kill_blocking_connection"));
            }
          });
      waits.join();
      assertTrue(done.get(), "the statement went on");
    }
  }

  private void slowDn() throws Exception {
    ProcessHandle mysqld = cluster.mysqld("dn-2").orElseThrow();
    AtomicBoolean over = new AtomicBoolean();
    Thread slows =
        Thread.ofPlatform()
            .start(() -> {
              try {
                while (!over.get()) {
                  ClusterProcess.pause(mysqld);
                  TimeUnit.MILLISECONDS.sleep(1_700);
                  resume(mysqld);
                  TimeUnit.MILLISECONDS.sleep(30);
                }
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    try {
      expect(
          "slow DN",
          "AlraiMysqldSlow",
          "dn-2",
          () -> ClusterProcess.await("the slow one", 20, () -> isSlow("dn-2")));
    } finally {
      over.set(true);
      slows.join();
      resume(mysqld);
    }
  }

  private void silentMysqld() throws Exception {
    ProcessHandle mysqld = cluster.mysqld("dn-2").orElseThrow();
    ClusterProcess.pause(mysqld);
    try {
      expect(
          "mysqld that stands still",
          "AlraiMysqldSilent",
          "dn-2",
          () -> assertEquals("its mysqld does not answer", amiss("dn-2")));
    } finally {
      resume(mysqld);
    }
  }

  /** Unless its agent has killed it, as it does after a minute. */
  private static void resume(ProcessHandle mysqld) {
    if (ClusterProcess.runs(mysqld)) {
      ClusterProcess.resume(mysqld);
    }
  }

  private void deadDn() throws Exception {
    ProcessHandle agent = cluster.role("dn-2").orElseThrow();
    ClusterProcess.pause(agent);
    try {
      expect(
          "dead DN",
          "AlraiProcessDown",
          "\"job\":\"dn\"",
          () -> {
            String found = rows("SHOW STORAGE");
            assertTrue(found.contains("dn-2, null, null, false"), found);
            assertTrue(found.contains("dn-1, dn-1, "), found);
          });
    } finally {
      ClusterProcess.resume(agent);
    }
  }

  private void fullDisk(MemberDisk full) throws Exception {
    full.take(1 << 20);
    try {
      expect(
          "full disk",
          "AlraiDiskAlmostFull",
          "instance",
          () -> {
            String found = amiss("dn-2");
            assertTrue(found.matches("the disk of \\S+dn-2\\S* has [01] MiB left"), found);
            assertEquals("", amiss("dn-1"));
          });
    } finally {
      full.empty();
    }
  }

  private boolean isSlow(String dn) {
    try {
      return amiss(dn).contains("its mysqld takes ");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private String amiss(String dn) throws SQLException {
    try (Statement statement = dba.createStatement();
        ResultSet found = statement.executeQuery("SHOW STORAGE REPLICAS")) {
      while (found.next()) {
        if (found.getString("NODE").equals(dn)) {
          return found.getString("LAST_ERROR");
        }
      }
    }
    throw new AssertionError("no row of " + dn);
  }

  private String rows(String sql) throws SQLException {
    StringBuilder text = new StringBuilder();
    try (Statement statement = dba.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      while (found.next()) {
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          text.append(found.getString(i)).append(", ");
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  /** The alert fires in time, and what is looked for is found while it does. */
  private void expect(String incident, String alert, String about, End find) throws Exception {
    String firing = "ALERTS{alertname=\"" + alert + "\",alertstate=\"firing\"}";
    long begun = System.nanoTime();
    ClusterProcess.await(alert, NAMED_SECONDS, () -> prometheus.ask(firing).contains(about));
    double named = (System.nanoTime() - begun) / 1e9;
    long asked = System.nanoTime();
    find.end();
    double found = (System.nanoTime() - asked) / 1e9;
    System.out.printf("%s: %s after %.0f s, found in %.1f s%n", incident, alert, named, found);
  }
}
