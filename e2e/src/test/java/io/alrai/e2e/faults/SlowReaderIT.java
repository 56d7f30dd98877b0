package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that take large rows slowly: what they do not read holds up nobody, neither their own
 * next statement nor what others do on the same connections to the mysqlds. A statement is answered
 * within the bound of a test, or it hangs.
 */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SlowReaderIT {
  private static final int CLIENTS = 6;
  private static final int LARGE = 3 << 20;
  private static final int PAUSE_MILLIS = 2_000;

  private static MiniCluster cluster;

  @BeforeAll
  static void start() throws SQLException {
    cluster = MiniCluster.start(2);
    try (Connection connection = cluster.connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE slowly");
      statement.execute(
          "CREATE TABLE slowly.t (id INT PRIMARY KEY, text LONGTEXT)"
              + " PARTITION BY KEY(id) PARTITIONS 4");
      for (int id = 0; id < CLIENTS; id++) {
        statement.execute("INSERT INTO slowly.t VALUES (" + id + ", REPEAT('x', " + LARGE + "))");
      }
    }
  }

  /** Fails where a connection went back to its pool in a state in which it serves nobody. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Connection connect() throws SQLException {
    return MiniCluster.connect(cluster.port(), "slowly", "&tcpRcvBuf=16384");
  }

  private static void one(Statement statement, String sql, int expected) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      assertTrue(row.next());
      assertEquals(expected, row.getInt(1), sql);
    }
  }

  private static void createAndDrop(String name) throws SQLException {
    try (Connection other = cluster.connect("");
        Statement ddl = other.createStatement()) {
      ddl.execute("CREATE DATABASE " + name);
      ddl.execute("DROP DATABASE " + name);
    }
  }

  /** Its packet is continued by another, and the end of the result comes in the same read. */
  private static void readOfMorePacketsThanOne(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT REPEAT('z', 16777216), 1")) {
      assertTrue(row.next());
      assertEquals(16_777_216, row.getString(1).length());
      assertEquals(1, row.getInt(2));
    }
    one(statement, "SELECT FOUND_ROWS()", 1);
  }

  @Test
  void aRowOfSixteenMegabytes() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (int round = 0; round < 3; round++) {
        readOfMorePacketsThanOne(statement);
        one(statement, "SELECT 7", 7);
        createAndDrop("beside");
      }
    }
  }

  @Test
  void aRowOfSixteenMegabytesInATransaction() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      one(statement, "SELECT COUNT(*) FROM t", CLIENTS);
      statement.execute("INSERT INTO t VALUES (1000, 'a')");
      readOfMorePacketsThanOne(statement);
      try (ResultSet rows =
          statement.executeQuery("SELECT id, REPEAT('y', 16777216) FROM t WHERE id = 1000")) {
        assertTrue(rows.next());
      }
      one(statement, "SELECT id FROM t WHERE id = 1000", 1000);
      connection.rollback();
      createAndDrop("within");
    }
  }

  @Test
  void sixClientsThatReadTheirRowTwoSecondsLater() throws Exception {
    readLater("SELECT id, text FROM t WHERE id = ", false);
  }

  @Test
  void sixClientsThatReadWhatIsGatheredTwoSecondsLater() throws Exception {
    readLater(
        "SELECT id, text FROM t WHERE id >= 0 AND id <> 77 ORDER BY id LIMIT 1 OFFSET ", true);
  }

  private static void readLater(String sql, boolean othersMeanwhile) throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int id = i;
        all.add(
            clients.submit(() -> {
              try (Connection connection = connect();
                  Statement streaming = connection.createStatement()) {
                streaming.setFetchSize(Integer.MIN_VALUE);
                try (ResultSet row = streaming.executeQuery(sql + id)) {
                  TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                  assertTrue(row.next());
                  assertEquals(LARGE, row.getString(2).length());
                }
                for (int again = 0; again < 20; again++) {
                  one(streaming, "SELECT id FROM t WHERE id = " + again % CLIENTS, again % CLIENTS);
                }
              }
              return null;
            }));
      }
      if (othersMeanwhile) {
        try (Connection connection = cluster.connect("slowly");
            Statement statement = connection.createStatement()) {
          for (int i = 0; i < 100; i++) {
            one(statement, "SELECT id FROM t WHERE id = " + i % CLIENTS, i % CLIENTS);
            one(statement, "SELECT COUNT(*) FROM t", CLIENTS);
          }
        }
      }
      for (Future<?> client : all) {
        client.get();
      }
    }
    createAndDrop("after");
  }
}
