package io.alrai.e2e.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcStatement;
import io.alrai.common.thread.Pause;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Files that are larger than the memory of the CN, here a heap of 48 MB. */
final class LargeFileIT {
  private static final int ROWS = Integer.getInteger("load.rows", 80_000);
  private static final String PAD = "\t" + "x".repeat(1_000) + "\n";

  private static ClusterProcess cluster;

  /** How many rows the present client has been asked for. */
  private static final AtomicInteger sent = new AtomicInteger();

  @BeforeAll
  static void start() throws Exception {
    cluster = ClusterProcess.up(List.of("-Xmx48m"), "--dns", "2");
    try (Connection connection = MiniCluster.connect(cluster.port(), "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE large");
      statement.execute("CREATE TABLE large.t (a INT PRIMARY KEY, pad VARCHAR(1000))");
      statement.execute("CREATE VIEW large.v AS SELECT * FROM large.t WITH CHECK OPTION");
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Rows that come as they are asked for; {@code middle} runs after half of them. */
  private static InputStream rows(Runnable middle) {
    return new InputStream() {
      private byte[] row = new byte[0];
      private int at;
      private int number;

      @Override
      public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        if (at == row.length) {
          if (number == ROWS) {
            return -1;
          }
          if (number == ROWS / 2) {
            middle.run();
          }
          sent.set(number);
          row = (number++ + PAD).getBytes(StandardCharsets.US_ASCII);
          at = 0;
        }
        int count = Math.min(length, row.length - at);
        System.arraycopy(row, at, into, offset, count);
        at += count;
        return count;
      }
    };
  }

  private static Connection connection() throws SQLException {
    return MiniCluster.connect(cluster.port(), "large", "&allowLoadLocalInfile=true");
  }

  private static int load(Connection connection, String into, Runnable middle) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(rows(middle));
      return statement.executeUpdate("LOAD DATA LOCAL INFILE 'x' INTO TABLE " + into);
    }
  }

  private static String count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return Servers.only(statement, "SELECT COUNT(*) FROM t");
    }
  }

  @Test
  void aFileThatIsLargerThanTheHeapIsLoaded() throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      assertEquals(ROWS, load(connection, "t", () -> {}));
      assertEquals(Integer.toString(ROWS), count(connection));
      statement.execute("TRUNCATE TABLE t");
      // as rows of INSERTs
      assertEquals(ROWS, load(connection, "v", () -> {}));
      assertEquals(Integer.toString(ROWS), count(connection));
      statement.execute("TRUNCATE TABLE t");
    }
  }

  @Test
  void aKilledLoadLeavesNothingAndItsConnectionGoesOn() throws SQLException {
    try (Connection connection = connection();
        Connection other = connection();
        Statement killer = other.createStatement();
        Statement statement = connection.createStatement()) {
      String id = Servers.only(statement, "SELECT CONNECTION_ID()");
      SQLException end =
          assertThrows(
              SQLException.class,
              () ->
                  load(
                      connection,
                      "t",
                      () -> {
                        try {
                          String state =
                              Servers.only(
                                  killer,
                                  "SELECT STATE FROM information_schema.PROCESSLIST WHERE ID = "
                                      + id);
                          assertTrue(state.startsWith("Reading the client's file: "), state);
                          killer.execute("KILL QUERY " + id);
                        } catch (SQLException e) {
                          throw new IllegalStateException(e);
                        }
                      }));
      assertEquals(1317, end.getErrorCode(), end.getMessage());
      assertEquals("0", count(connection));
      assertEquals("0", count(other));
    }
  }

  /** The client sends on while its statement waits for a lock. */
  @Test
  void aLoadThatIsKilledWhileAMysqldDoesNotTakeItsLines() throws Exception {
    try (Connection connection = connection();
        Connection other = connection();
        Statement killer = other.createStatement();
        Statement statement = connection.createStatement();
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      String id = Servers.only(statement, "SELECT CONNECTION_ID()");
      killer.execute("BEGIN");
      for (int row = 0; row < 64; row++) {
        killer.execute("INSERT INTO t VALUES (" + row * (ROWS / 64) + ", 'here')");
      }
      sent.set(0);
      Future<Integer> loading = threads.submit(() -> load(connection, "t", () -> {}));
      awaitStandstill();
      assertFalse(loading.isDone());
      killer.execute("KILL QUERY " + id);
      ExecutionException end =
          assertThrows(ExecutionException.class, () -> loading.get(60, TimeUnit.SECONDS));
      assertEquals(1317, ((SQLException) end.getCause()).getErrorCode(), end.toString());
      killer.execute("ROLLBACK");
      statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(null);
      assertEquals("0", count(connection));
    }
  }

  /** A part waits for the lock, those of the other partitions are full: the client is not read. */
  private static void awaitStandstill() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    int before;
    do {
      before = sent.get();
      Pause.ofMillis(500);
    } while ((before == 0 || before != sent.get()) && System.nanoTime() < end);
    assertTrue(before > 0 && before == sent.get(), "the client is read on: " + sent);
    assertTrue(before < ROWS, "the client has sent everything");
  }

  @Test
  @EnabledIfSystemProperty(named = "load.kills", matches = "true")
  void whatIsKilledInTheMiddleLeavesNothing() throws Exception {
    try (ExecutorService threads = Executors.newSingleThreadExecutor();
        Connection connection = connection()) {
      Future<Integer> loading = threads.submit(() -> load(connection, "t", () -> cluster.kill()));
      assertThrows(ExecutionException.class, () -> loading.get(60, TimeUnit.SECONDS));
    }
    cluster.startAgain();
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      assertEquals("0", count(connection));
      assertEquals(ROWS, load(connection, "t", () -> {}));
      statement.execute("TRUNCATE TABLE t");
    }
  }
}
