package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A transaction over two DNs becomes visible on one after the other: a session that has seen it
 * anywhere sees it everywhere, also by a statement that only one DN answers.
 */
@ExtendWith(Servers.Shared.class)
class OneDnReadsIT {
  private static final int KEYS = 16;
  private static final long SECONDS = 4;

  @Test
  void whatWasSeenOnceIsSeenOnEveryDn(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshRows(port, "onedn", KEYS, 0);
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      Future<Integer> writer = threads.submit(() -> write(port, over));
      Future<Integer> text = threads.submit(() -> read(port, "", over));
      Future<Integer> prepared = threads.submit(() -> read(port, "&useServerPrepStmts=true", over));
      Future<Integer> variable = threads.submit(() -> readIntoVariable(port, over));
      int reads;
      try {
        reads = text.get() + prepared.get() + variable.get();
      } finally {
        over.set(true);
      }
      assertTrue(writer.get() > 20, writer.get() + " writes");
      assertTrue(reads > 20, reads + " reads");
    }
  }

  /** All rows get the next number, in one transaction over all DNs. */
  private static int write(int port, AtomicBoolean over) throws SQLException {
    int number = 0;
    try (Connection connection = MiniCluster.connect(port, "onedn", "");
        Statement statement = connection.createStatement()) {
      while (!over.get()) {
        statement.executeUpdate("UPDATE t SET b = " + ++number);
      }
    }
    return number;
  }

  private static int read(int port, String properties, AtomicBoolean over) throws SQLException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    int reads = 0;
    try (Connection connection = MiniCluster.connect(port, "onedn", properties);
        PreparedStatement all = connection.prepareStatement("SELECT MIN(b), MAX(b) FROM t");
        PreparedStatement one = connection.prepareStatement("SELECT b FROM t WHERE a = ?")) {
      while (System.nanoTime() < end && !over.get()) {
        int seen;
        try (ResultSet rows = all.executeQuery()) {
          rows.next();
          assertEquals(rows.getInt(1), rows.getInt(2), "half a transaction");
          seen = rows.getInt(1);
        }
        for (int a = 1; a <= KEYS; a++) {
          one.setInt(1, a);
          try (ResultSet rows = one.executeQuery()) {
            rows.next();
            assertTrue(rows.getInt(1) >= seen, "row " + a + " goes back from " + seen);
            seen = Math.max(seen, rows.getInt(1));
          }
        }
        reads++;
      }
    }
    return reads;
  }

  /** As above, by statements that are not forwarded as they come. */
  private static int readIntoVariable(int port, AtomicBoolean over) throws SQLException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    int reads = 0;
    try (Connection connection = MiniCluster.connect(port, "onedn", "");
        Statement statement = connection.createStatement()) {
      int seen = 0;
      while (System.nanoTime() < end && !over.get()) {
        for (int a = 1; a <= KEYS; a++) {
          statement.execute("SELECT b INTO @b FROM t WHERE a = " + a);
          try (ResultSet rows = statement.executeQuery("SELECT @b")) {
            rows.next();
            assertTrue(rows.getInt(1) >= seen, "row " + a + " goes back from " + seen);
            seen = rows.getInt(1);
          }
        }
        reads++;
      }
    }
    return reads;
  }
}
