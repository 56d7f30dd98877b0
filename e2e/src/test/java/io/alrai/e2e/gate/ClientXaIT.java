package io.alrai.e2e.gate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.MysqlXADataSource;
import com.mysql.cj.jdbc.MysqlXid;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * XA transactions of clients over two DNs, through two CNs: what is prepared outlives every process
 * and keeps its locks, anybody ends it, and nobody sees a half.
 */
@Tag("faults")
final class ClientXaIT {
  private static final int DNS = 2;
  private static final int ROWS = 10;
  private static final int UNKNOWN = 1397;
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int DEADLOCK = 1213;
  private static final int ROLLED_BACK = 1614;
  private static final int WRONG_STATE = 1399;

  /** Longer than the agents wait for a silent coordinator. */
  private static final long SILENT_SECONDS = 4;

  private static final long ENDED_SECONDS = 60;

  @Test
  void overTwoCns() throws Exception {
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "" + DNS, "--processes", "--cns", "2")) {
      Faults faults = new Faults(cluster, 2, DNS, List.of(Faults.Kind.KILLED_CN), 1);
      faults.prepare();
      faults.awaitService();
      create(cluster.port());
      asDataSource(cluster.port(), cluster.port() + 1);
      sessionsThatGo(cluster.port(), cluster.port() + 1);
      endedTwice(cluster.port(), cluster.port() + 1);
      deadlock(cluster.port());
      try (DnDoors doors = faults.doors()) {
        waits(cluster, doors);
        outlives(cluster, faults, doors, List.of("cn-1"));
        outlives(cluster, faults, doors, List.of("dn-1"));
        outlives(cluster, faults, doors, List.of("dn-2"));
        outlives(cluster, faults, doors, List.of("mysqld of dn-1"));
        outlives(cluster, faults, doors, List.of("mysqld of dn-2"));
        outlives(cluster, faults, doors, List.of("dn-1", "mysqld of dn-2", "cn-1", "cn-2"));
      }
      bank(cluster, faults);
    }
  }

  private static void create(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "")) {
      Servers.run(
          connection,
          "CREATE DATABASE xa",
          "CREATE TABLE xa.account (id INT PRIMARY KEY, balance INT NOT NULL) PARTITION BY HASH(id)"
              + " PARTITIONS "
              + DNS);
      for (int id = 0; id < ROWS; id++) {
        Servers.run(connection, "INSERT INTO xa.account VALUES (" + id + ", 0)");
      }
    }
  }

  private static Connection connect(int port) throws SQLException {
    return MiniCluster.connect(port, "xa", "");
  }

  /** What transaction managers use. */
  private static void asDataSource(int one, int two) throws Exception {
    XAConnection first = dataSource(one).getXAConnection();
    XAConnection second = dataSource(two).getXAConnection();
    try {
      XAResource begins = first.getXAResource();
      XAResource ends = second.getXAResource();
      Xid committed = xid("committed");
      Xid rolledBack = xid("rolled back");
      for (Xid xid : List.of(committed, rolledBack)) {
        begins.start(xid, XAResource.TMNOFLAGS);
        moveBy(first.getConnection(), xid == committed ? 5 : 100, xid == committed ? 0 : 4);
        begins.end(xid, XAResource.TMSUCCESS);
        assertEquals(XAResource.XA_OK, begins.prepare(xid));
      }
      Xid[] listed = ends.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
      assertEquals(2, listed.length);
      assertTrue(Arrays.stream(listed).anyMatch(committed::equals), Arrays.toString(listed));
      assertTrue(Arrays.stream(listed).anyMatch(rolledBack::equals), Arrays.toString(listed));
      ends.commit(committed, false);
      ends.rollback(rolledBack);
      assertEquals(0, ends.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN).length);
      assertEquals(
          XAException.XAER_NOTA,
          assertThrows(XAException.class, () -> ends.commit(committed, false)).errorCode);

      Xid atOnce = xid("at once");
      begins.start(atOnce, XAResource.TMNOFLAGS);
      moveBy(first.getConnection(), 2, 0);
      begins.end(atOnce, XAResource.TMSUCCESS);
      begins.commit(atOnce, true);
      assertArrayEquals(new int[] {-7, 7}, balances(second.getConnection(), 0));
      assertArrayEquals(new int[] {0, 0}, balances(second.getConnection(), 4));
    } finally {
      first.close();
      second.close();
    }
  }

  private static MysqlXADataSource dataSource(int port) {
    MysqlXADataSource source = new MysqlXADataSource();
    source.setUrl("jdbc:mysql://127.0.0.1:" + port + "/xa");
    source.setUser("root");
    source.setPassword("");
    return source;
  }

  private static Xid xid(String name) {
    byte[] part = {0, (byte) 0xff, 1};
    return new MysqlXid(name.getBytes(StandardCharsets.UTF_8), part, 4711);
  }

  /** Money from a row of one DN to one of the other. */
  private static void moveBy(Connection connection, int amount, int row) throws SQLException {
    Servers.run(
        connection,
        "UPDATE account SET balance = balance - " + amount + " WHERE id = " + row,
        "UPDATE account SET balance = balance + " + amount + " WHERE id = " + (row + 1));
  }

  private static int[] balances(Connection connection, int row) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      String query = "SELECT balance FROM account WHERE id = ";
      return new int[] {
        Integer.parseInt(Servers.only(statement, query + row)),
        Integer.parseInt(Servers.only(statement, query + (row + 1)))
      };
    }
  }

  private static int total(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return Integer.parseInt(Servers.only(statement, "SELECT SUM(balance) FROM account"));
    }
  }

  private static void prepare(int port, String xid, int amount, int row) throws SQLException {
    try (Connection connection = connect(port)) {
      Servers.run(connection, "XA START '" + xid + "'");
      moveBy(connection, amount, row);
      Servers.run(connection, "XA END '" + xid + "'", "XA PREPARE '" + xid + "'");
    }
  }

  private static int error(Connection connection, String sql) {
    try {
      Servers.run(connection, sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static List<String> recovered(Connection connection) throws SQLException {
    List<String> xids = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery("XA RECOVER")) {
      while (rows.next()) {
        xids.add(rows.getString("data"));
      }
    }
    return xids;
  }

  /** What is not prepared goes with its session. */
  private static void sessionsThatGo(int one, int two) throws SQLException {
    try (Connection other = connect(two)) {
      for (String end : List.of("DO 0", "XA END 'gone'")) {
        try (Connection connection = connect(one)) {
          Servers.run(connection, "XA START 'gone'");
          moveBy(connection, 1000, 2);
          Servers.run(connection, end);
        }
        ClusterProcess.await("the locks", () -> error(other, "UPDATE account SET id = id") == 0);
        assertArrayEquals(new int[] {0, 0}, balances(other, 2));
        assertEquals(List.of(), recovered(other));
      }
      prepare(one, "gone", 1, 2);
      assertEquals(0, error(other, "XA ROLLBACK 'gone'"));
    }
  }

  private static void endedTwice(int one, int two) throws Exception {
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor();
        Connection first = connect(one);
        Connection second = connect(two)) {
      for (int i = 0; i < 10; i++) {
        int before = balances(first, 6)[1];
        prepare(one, "twice", 1, 6);
        String late = i % 2 == 0 ? "XA COMMIT 'twice'" : "XA ROLLBACK 'twice'";
        Future<Integer> commit = runner.submit(() -> error(first, "XA COMMIT 'twice'"));
        Future<Integer> other = runner.submit(() -> error(second, late));
        List<Integer> answers = List.of(commit.get(), other.get());
        assertTrue(answers.contains(0) && answers.contains(UNKNOWN), answers + " of " + late);
        boolean committed = commit.get() == 0 || i % 2 == 0;
        int now = before + (committed ? 1 : 0);
        assertArrayEquals(new int[] {-now, now}, balances(second, 6));
      }
    }
  }

  /** A transaction that gives way in a deadlock over two DNs can only be rolled back. */
  private static void deadlock(int port) throws Exception {
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor();
        Connection first = connect(port);
        Connection second = connect(port)) {
      String write = "UPDATE account SET balance = balance + 1 WHERE id = ";
      Servers.run(first, "XA START 'first'", write + 4);
      Servers.run(second, "XA START 'second'", write + 5);
      Future<Integer> one = runner.submit(() -> error(first, write + 5));
      Future<Integer> two = runner.submit(() -> error(second, write + 4));
      assertEquals(DEADLOCK, one.get() + two.get());
      boolean firstLost = one.get() == DEADLOCK;
      Connection lost = firstLost ? first : second;
      String xid = firstLost ? "'first'" : "'second'";
      assertEquals(ROLLED_BACK, error(lost, "SELECT COUNT(*) FROM account"));
      assertEquals(ROLLED_BACK, error(lost, write + 4));
      assertEquals(WRONG_STATE, error(lost, "COMMIT"));
      assertEquals(WRONG_STATE, error(lost, "CREATE TABLE n (a INT)"));
      assertEquals(ROLLED_BACK, error(lost, "XA END " + xid));
      assertEquals(WRONG_STATE, error(lost, "XA PREPARE " + xid));
      assertEquals(0, error(lost, "XA ROLLBACK " + xid));
      assertEquals(UNKNOWN, error(lost, "XA ROLLBACK " + xid));
      Connection won = firstLost ? second : first;
      String other = firstLost ? "'second'" : "'first'";
      Servers.run(won, "XA END " + other, "XA ROLLBACK " + other);
      assertArrayEquals(new int[] {0, 0}, balances(lost, 4));
    }
  }

  /** The agents leave it alone, and its readers do not wait. */
  private static void waits(ClusterProcess cluster, DnDoors doors) throws Exception {
    prepare(cluster.port(), "waits", 1, 8);
    List<String> branches = doors.prepared();
    assertEquals(2, branches.size(), branches.toString());
    try (Connection reader = connect(cluster.port() + 1)) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SILENT_SECONDS);
      long longest = 0;
      while (System.nanoTime() - end < 0) {
        long start = System.nanoTime();
        assertEquals(0, total(reader));
        longest = Math.max(longest, System.nanoTime() - start);
      }
      assertTrue(longest < TimeUnit.SECONDS.toNanos(1), "a read took " + longest / 1e6 + " ms");
      assertEquals(branches, doors.prepared());
      Servers.run(reader, "FLUSH TABLES WITH READ LOCK", "UNLOCK TABLES", "XA COMMIT 'waits'");
      assertArrayEquals(new int[] {-1, 1}, balances(reader, 8));
    }
  }

  private static void outlives(
      ClusterProcess cluster, Faults faults, DnDoors doors, List<String> victims) throws Exception {
    prepare(cluster.port(), "commits", 10, 0);
    prepare(cluster.port(), "rolls back", 10, 2);
    int[] before;
    try (Connection connection = connect(cluster.port())) {
      before = balances(connection, 0);
    }
    for (String victim : victims) {
      kill(cluster, victim);
    }
    faults.awaitService();
    String when = "after the death of " + victims;
    try (Connection other = connect(cluster.port() + 1)) {
      assertEquals(2, recovered(other).size(), when);
      assertArrayEquals(before, balances(other, 0), when);
      Servers.run(other, "SET innodb_lock_wait_timeout = 1");
      for (int row = 0; row < 4; row++) {
        String write = "UPDATE account SET balance = 0 WHERE id = " + row;
        assertEquals(LOCK_WAIT_TIMEOUT, error(other, write), when + ": row " + row);
      }
      assertEquals(4, doors.prepared().size(), when);
      Servers.run(other, "XA COMMIT 'commits'", "XA ROLLBACK 'rolls back'");
      assertArrayEquals(new int[] {before[0] - 10, before[1] + 10}, balances(other, 0), when);
      assertArrayEquals(new int[] {0, 0}, balances(other, 2), when);
      assertEquals(List.of(), recovered(other), when);
    }
    faults.awaitNothingPrepared();
  }

  private static void kill(ClusterProcess cluster, String victim) {
    (victim.startsWith("mysqld of ")
            ? cluster.mysqld(victim.substring("mysqld of ".length()))
            : cluster.role(victim))
        .ifPresent(ClusterProcess::kill);
  }

  /** Transfers that one CN prepares and the other one ends, while totals are read and DNs die. */
  private static void bank(ClusterProcess cluster, Faults faults) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger transfers = new AtomicInteger();
    AtomicInteger readings = new AtomicInteger();
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int writer = i;
        int begins = cluster.port() + i % 2;
        int ends = cluster.port() + (i + 1) % 2;
        all.add(runner.submit(() -> transfer(begins, ends, writer, stop, transfers)));
        all.add(runner.submit(() -> read(begins, stop, readings)));
      }
      try {
        for (String victim : List.of("dn-1", "mysqld of dn-2", "cn-1", "mysqld of dn-1")) {
          int done = transfers.get();
          int read = readings.get();
          ClusterProcess.await(
              "transfers", () -> transfers.get() > done + 20 && readings.get() > read + 20);
          kill(cluster, victim);
          faults.awaitService();
        }
      } finally {
        stop.set(true);
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    System.out.println(transfers + " transfers, " + readings + " readings");
    try (Connection last = connect(cluster.port())) {
      assertEquals(List.of(), recovered(last));
      faults.awaitNothingPrepared();
      assertEquals(0, total(last));
    }
  }

  /** Returns what must have come to the second of the writer's two rows. */
  private static int transfer(
      int begins, int ends, int writer, AtomicBoolean stop, AtomicInteger transfers)
      throws InterruptedException {
    int row = 2 * writer;
    int expected = balance(begins, row + 1);
    for (int i = 0; !stop.get(); i++) {
      String xid = "bank-" + writer + "-" + i;
      boolean commits = i % 3 != 2;
      boolean prepared = false;
      try (Connection first = connect(begins);
          Connection second = connect(ends)) {
        Servers.run(first, "XA START '" + xid + "'");
        moveBy(first, 1 + writer, row);
        Servers.run(first, "XA END '" + xid + "'", "XA PREPARE '" + xid + "'");
        prepared = true;
        Servers.run(second, (commits ? "XA COMMIT '" : "XA ROLLBACK '") + xid + "'");
        expected += commits ? 1 + writer : 0;
        transfers.incrementAndGet();
      } catch (SQLException e) {
        // something died: what was prepared must be there, or ended as it was ordered before
        boolean wanted = prepared && commits;
        end(ends, (wanted ? "XA COMMIT '" : "XA ROLLBACK '") + xid + "'");
        expected += wanted ? 1 + writer : 0;
        assertEquals(expected, balance(ends, row + 1), xid + " after " + e);
      }
    }
    return expected;
  }

  /** Until somebody says that it is ended. */
  private static void end(int port, String sql) {
    AtomicInteger last = new AtomicInteger();
    ClusterProcess.await(
        () -> "the end of " + sql + ", which fails with " + last + ",",
        ENDED_SECONDS,
        50,
        () -> {
          try (Connection connection = connect(port)) {
            last.set(error(connection, sql));
            return last.get() == 0 || last.get() == UNKNOWN;
          } catch (SQLException e) {
            return false; // the CN is not back yet
          }
        });
  }

  /** After whatever still holds the row. */
  private static int balance(int port, int row) {
    AtomicInteger found = new AtomicInteger();
    ClusterProcess.await(
        "the lock of row " + row,
        ENDED_SECONDS,
        50,
        () -> {
          try (Connection connection = connect(port);
              Statement statement = connection.createStatement()) {
            String query = "SELECT balance FROM account WHERE id = " + row + " FOR UPDATE";
            found.set(Integer.parseInt(Servers.only(statement, query)));
            return true;
          } catch (SQLException e) {
            return false;
          }
        });
    return found.get();
  }

  private static void read(int port, AtomicBoolean stop, AtomicInteger readings) {
    while (!stop.get()) {
      try (Connection connection = connect(port)) {
        while (!stop.get()) {
          assertEquals(0, total(connection), "a torn total");
          readings.incrementAndGet();
        }
      } catch (SQLException e) {
        // a DN died
      }
    }
  }
}
