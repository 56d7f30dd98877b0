package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Results far larger than the CN's memory, which is a heap of 96 MB here, for a client that stops
 * reading now and then. {@code -Dslow.rows=10000000} makes them as large as was promised.
 */
final class SlowClientIT {
  private static final int ROWS = Integer.getInteger("slow.rows", 400_000);
  private static final int SECOND = 1_000;
  private static final int FIRST = ROWS / SECOND;

  /** So that all rows are some 200 MB, and never under 20 bytes each. */
  private static final int PAD = Math.clamp(200_000_000L / ROWS, 20, 500);

  private static final long MOST_GROWTH_KILOBYTES = 200 << 10;
  private static final String IN_ORDER = "SELECT a, b, pad FROM f, s ORDER BY a, b";
  private static final List<String> DNS = List.of("dn-1", "dn-2");

  private static ClusterProcess cluster;
  private static long atFirst;

  @BeforeAll
  static void start() throws Exception {
    cluster = ClusterProcess.up(List.of("-Xmx96m", "-XX:MaxDirectMemorySize=64m"), "--dns", "2");
    try (Connection connection = MiniCluster.connect(cluster.port(), "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE slow");
      statement.execute(
          "CREATE TABLE slow.f (a INT PRIMARY KEY, pad VARCHAR(500))"
              + " PARTITION BY KEY(a) PARTITIONS 2");
      statement.execute("CREATE TABLE slow.s (b INT PRIMARY KEY) BROADCAST");
      statement.execute("CREATE TABLE slow.one (a INT PRIMARY KEY, pad VARCHAR(500)) SINGLE");
      insert(statement, "slow.f", FIRST, ", REPEAT('x', " + PAD + ")");
      insert(statement, "slow.one", FIRST, ", REPEAT('x', " + PAD + ")");
      insert(statement, "slow.s", SECOND, "");
    }
    atFirst = cluster.kilobytes("VmRSS");
  }

  private static void insert(Statement statement, String table, int rows, String rest)
      throws SQLException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append(i % 1_000 == 0 ? "INSERT INTO " + table + " VALUES " : ", ");
      text.append('(').append(i).append(rest).append(')');
      if (i % 1_000 == 999 || i == rows - 1) {
        statement.execute(text.toString());
        text.setLength(0);
      }
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void rowsOfAllShardsAsTheyCome() throws Exception {
    readSlowly(streaming(false), Integer.MIN_VALUE, "SELECT a, b, pad FROM f, s", false);
  }

  @Test
  void rowsMergedInOrder() throws Exception {
    readSlowly(streaming(false), Integer.MIN_VALUE, IN_ORDER, true);
  }

  @Test
  void rowsMergedForAPreparedStatement() throws Exception {
    readSlowly(streaming(true), Integer.MIN_VALUE, IN_ORDER, true);
  }

  @Test
  void rowsOfACursorAHundredAtATime() throws Exception {
    String properties = "&useServerPrepStmts=true&useCursorFetch=true";
    readSlowly(MiniCluster.connect(cluster.port(), "slow", properties), 100, IN_ORDER, true);
  }

  @Test
  void rowsOfOneShardForwarded() throws Exception {
    readSlowly(streaming(false), Integer.MIN_VALUE, "SELECT a, b, pad FROM one, s", false);
  }

  @Test
  void aClientThatGoesAwayLeavesNothingAtWork() throws Exception {
    Connection connection = streaming(false);
    ResultSet rows = streaming(connection).executeQuery("SELECT a, b, pad FROM f, s ORDER BY b, a");
    assertTrue(rows.next());
    connection.abort(Runnable::run);
    nothingAtWork();
  }

  @Test
  void aKilledSelectEndsOnTheShardsAndItsConnectionGoesOn() throws Exception {
    try (Connection connection = streaming(false);
        Connection other = MiniCluster.connect(cluster.port(), "slow", "");
        Statement killer = other.createStatement()) {
      long id;
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
        assertTrue(row.next());
        id = row.getLong(1);
      }
      SQLException end = null;
      try (Statement statement = streaming(connection);
          ResultSet rows = statement.executeQuery("SELECT a, b, pad FROM f, s")) {
        assertTrue(rows.next());
        killer.execute("KILL QUERY " + id);
        while (rows.next()) {
          assertFalse(rows.getString(3).isEmpty());
        }
      } catch (SQLException e) {
        end = e;
      }
      assertTrue(end != null && end.getErrorCode() == 1317, String.valueOf(end));
      nothingAtWork();
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM f")) {
        assertTrue(row.next());
        assertEquals(FIRST, row.getInt(1));
      }
    }
  }

  @Test
  void anErrorOfOneShardEndsTheStatementOnTheOthers() throws Exception {
    try (Connection connection = MiniCluster.connect(cluster.port(), "slow", "");
        Statement statement = connection.createStatement();
        DnDoors doors = new DnDoors(cluster.directory(), DNS)) {
      connection.setAutoCommit(false);
      statement.execute("UPDATE f SET pad = REPEAT('y', " + PAD + ") WHERE a = 1");
      long before = bytesSent(doors);
      SQLException error =
          assertThrows(
              SQLException.class,
              () ->
                  statement
                      .executeQuery(
                          "SELECT a, b, pad, EXP(IF(a = 0, 1000, 1)) FROM f, s ORDER BY b")
                      .close());
      assertEquals(1690, error.getErrorCode(), error.toString());
      assertTrue(bytesSent(doors) - before < (long) ROWS * PAD / 8);
      nothingAtWork();
      try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM f WHERE pad LIKE 'y%'")) {
        assertTrue(row.next());
        assertEquals(1, row.getInt(1), "the transaction goes on");
      }
      connection.rollback();
    }
  }

  private static long bytesSent(DnDoors doors) {
    return DNS.stream()
        .mapToLong(dn ->
            Long.parseLong(
                doors.query(dn, "SHOW GLOBAL STATUS LIKE 'Bytes_sent'").getFirst().get(1)))
        .sum();
  }

  /** Much of what the shards would send is never asked for: it must not be waited for. */
  private static void nothingAtWork() {
    try (DnDoors doors = new DnDoors(cluster.directory(), DNS)) {
      ClusterProcess.await(
          "the end of the shards' statements",
          10,
          () ->
              DNS.stream()
                  .allMatch(dn ->
                      doors
                          .query(
                              dn,
                              "SELECT COUNT(*) FROM information_schema.processlist"
                                  + " WHERE info LIKE '%pad%' AND id <> CONNECTION_ID()")
                          .equals(List.of(List.of("0")))));
    }
  }

  private static Connection streaming(boolean prepared) throws SQLException {
    return MiniCluster.connect(
        cluster.port(), "slow", "&tcpRcvBuf=65536&useServerPrepStmts=" + prepared);
  }

  private static Statement streaming(Connection connection) throws SQLException {
    Statement statement = connection.createStatement();
    statement.setFetchSize(Integer.MIN_VALUE);
    return statement;
  }

  private static void readSlowly(Connection client, int fetchSize, String sql, boolean ordered)
      throws Exception {
    long before = cluster.kilobytes("VmRSS");
    long started = System.nanoTime();
    try (client;
        PreparedStatement statement = client.prepareStatement(sql)) {
      statement.setFetchSize(fetchSize);
      try (ResultSet rows = statement.executeQuery()) {
        read(rows, ordered);
      }
    }
    System.out.printf(
        "%,d rows in %,d ms: resident %,d KB before, %,d KB now, %,d KB at most; %s%n",
        ROWS,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started),
        before,
        cluster.kilobytes("VmRSS"),
        cluster.kilobytes("VmHWM"),
        sql);
    assertFalse(cluster.output().contains("OutOfMemoryError"), cluster.output());
    assertTrue(cluster.kilobytes("VmHWM") - atFirst < MOST_GROWTH_KILOBYTES);
  }

  private static void read(ResultSet rows, boolean ordered) throws Exception {
    long count = 0;
    long sum = 0;
    long last = -1;
    while (rows.next()) {
      long key = rows.getLong(1) * SECOND + rows.getLong(2);
      if (ordered) {
        assertTrue(key > last);
        last = key;
      }
      sum += key;
      if (count % (ROWS / 4) == 1_000) {
        assertEquals(PAD, rows.getString(3).length());
        TimeUnit.SECONDS.sleep(1);
      }
      count++;
    }
    assertEquals(ROWS, count);
    assertEquals((long) ROWS * (ROWS - 1) / 2, sum);
  }
}
