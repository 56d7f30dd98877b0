package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Commands of more than one packet; the cluster shares this JVM's memory. */
@ExtendWith(Servers.Shared.class)
class LargeCommandsIT {
  private static final int BYTES = 17 << 20;
  private static final int COMMANDS = 6;
  private static final int NO_MEMORY = 1041;

  private static long used() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  @Test
  void theirMemoryIsGivenBack(Servers servers) throws Exception {
    for (boolean prepared : List.of(false, true)) {
      String properties = "sslMode=DISABLED&useServerPrepStmts=" + prepared;
      try (Connection connection =
              Logins.connect("127.0.0.1", servers.cluster().port(), properties);
          PreparedStatement statement = connection.prepareStatement("SELECT LENGTH(?)")) {
        statement.setString(1, "x".repeat(BYTES));
        long before = -1;
        for (int i = 0; i <= COMMANDS; i++) {
          try (ResultSet rows = statement.executeQuery()) {
            assertTrue(rows.next());
            assertEquals(BYTES, rows.getInt(1));
          }
          before = before < 0 ? used() : before;
        }
        assertTrue(used() - before < 2L * BYTES, "from " + before + " to " + used() + " bytes");
      }
    }
  }

  @Test
  void largeTextsNeedLittleMoreThanThemselves() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.up(List.of());
        Connection connection =
            Logins.connect(
                "127.0.0.1", cluster.port(), "sslMode=DISABLED&useServerPrepStmts=false");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE large");
      statement.execute("CREATE TABLE large.t (id INT PRIMARY KEY, note LONGTEXT)");
      for (int megabytes : List.of(17, 24)) {
        int length = megabytes << 20;
        statement.execute("REPLACE INTO large.t VALUES (1, '" + "x".repeat(length) + "')");
        assertEquals(length, number(statement, "SELECT LENGTH(note) FROM large.t"));
        // texts of different shapes, whose plans are not kept with them
        for (int turn = 1; turn < 6; turn++) {
          String query = "SELECT LENGTH('" + "é".repeat(length / 2) + "')" + "+0".repeat(turn);
          assertEquals(length, number(statement, query));
        }
      }
    }
  }

  @Test
  void manyLargeTextsAtOnceEndInAnswersOrErrors() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.up(List.of("-XX:MaxDirectMemorySize=72m"));
        ExecutorService clients = Executors.newFixedThreadPool(3)) {
      String text = "SELECT LENGTH('" + "x".repeat(BYTES) + "')";
      List<Callable<Integer>> work =
          Collections.nCopies(
              3,
              () -> {
                try (Connection connection =
                        Logins.connect(
                            "127.0.0.1",
                            cluster.port(),
                            "sslMode=DISABLED&useServerPrepStmts=false");
                    Statement statement = connection.createStatement()) {
                  return number(statement, text);
                } catch (SQLException e) {
                  if (e.getErrorCode() == NO_MEMORY) {
                    return -1;
                  }
                  throw e;
                }
              });
      Set<Integer> answers = new HashSet<>();
      for (Future<Integer> answer : clients.invokeAll(work)) {
        answers.add(answer.get());
      }
      assertTrue(Set.of(BYTES, -1).containsAll(answers), "answers " + answers);
      try (Connection connection = Logins.connect("127.0.0.1", cluster.port(), "sslMode=DISABLED");
          Statement statement = connection.createStatement()) {
        assertEquals(7, number(statement, "SELECT 7"));
      }
    }
  }

  private static int number(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      assertTrue(rows.next());
      return rows.getInt(1);
    }
  }
}
