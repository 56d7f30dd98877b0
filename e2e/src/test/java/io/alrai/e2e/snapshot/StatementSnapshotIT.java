package io.alrai.e2e.snapshot;

import static io.alrai.e2e.Servers.only;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Statements outside of transactions that read on two DNs. */
@ExtendWith(Servers.Shared.class)
class StatementSnapshotIT {
  private static final int WRONG_VALUE_FOR_VAR = 1231;
  private static final String JOIN =
      "SELECT SUM(x.b + y.b) FROM t x JOIN t y ON y.b = x.b AND y.a <> x.a";

  @Test
  void everyWriteThatWasAnsweredIsRead(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "stmtsnap", 8, 1);
    try (Connection writing = MiniCluster.connect(port, "stmtsnap", "");
        Connection reading = MiniCluster.connect(port, "stmtsnap", "");
        Statement write = writing.createStatement();
        Statement read = reading.createStatement()) {
      for (int i = 1; i <= 50; i++) {
        write.execute("UPDATE t SET b = b + 1 WHERE a = " + (1 + i % 8));
        assertEquals(Integer.toString(8 + i), only(write, "SELECT SUM(b) FROM t"));
        assertEquals(Integer.toString(8 + i), only(read, "SELECT SUM(b) FROM t"));
      }
    }
  }

  @Test
  void everyIsolationAndConsistencyGivesTheRows(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "stmtlevels", 8, 1);
    try (Connection connection = MiniCluster.connect(port, "stmtlevels", "");
        Statement statement = connection.createStatement()) {
      for (String level :
          new String[] {"READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"}) {
        statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL " + level);
        for (String consistency : new String[] {"strong", "eventual"}) {
          statement.execute("SET read_consistency = " + consistency);
          assertEquals("8", only(statement, "SELECT SUM(b) FROM t"));
          assertEquals("112", only(statement, JOIN));
          assertEquals("8", only(statement, "SELECT COUNT(*) FROM (SELECT * FROM t FOR SHARE) x"));
        }
      }
    }
  }

  /** All rows change at once, on two DNs: the table has two checksums, and no third. */
  @Test
  void aChecksumIsThatOfOneMoment(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshRows(port, "stmtsums", 8, 0);
    AtomicBoolean done = new AtomicBoolean();
    try (Connection writing = MiniCluster.connect(port, "stmtsums", "");
        Connection reading = MiniCluster.connect(port, "stmtsums", "");
        Statement write = writing.createStatement();
        Statement read = reading.createStatement();
        ExecutorService writer = Executors.newSingleThreadExecutor()) {
      Set<String> known = new HashSet<>();
      for (int i = 0; i < 4; i++) {
        known.add(checksum(read));
        write.execute("UPDATE t SET b = 1 - b");
      }
      assertEquals(2, known.size());
      Future<?> changes =
          writer.submit(() -> {
            while (!done.get()) {
              write.execute("UPDATE t SET b = 1 - b");
            }
            return null;
          });
      try {
        for (int i = 0; i < 200; i++) {
          String sum = checksum(read);
          assertTrue(known.contains(sum), sum + " is not among " + known);
        }
        read.execute("BEGIN");
        String first = checksum(read);
        for (int i = 0; i < 20; i++) {
          assertEquals(first, checksum(read));
        }
        read.execute("COMMIT");
      } finally {
        done.set(true);
        changes.get();
      }
    }
  }

  private static String checksum(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery("CHECKSUM TABLE t")) {
      assertTrue(rows.next());
      return rows.getString(2);
    }
  }

  @Test
  void theConsistencyIsAVariableOfTheSession(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      assertEquals("strong", only(statement, "SELECT @@read_consistency"));
      statement.execute("SET read_consistency = 'Eventual'");
      assertEquals("eventual", only(statement, "SELECT @@SESSION.read_consistency"));
      SQLException refused =
          assertThrows(SQLException.class, () -> statement.execute("SET read_consistency = 'x'"));
      assertEquals(WRONG_VALUE_FOR_VAR, refused.getErrorCode());
      assertEquals("eventual", only(statement, "SELECT @@read_consistency"));
      statement.execute("SET read_consistency = DEFAULT");
      assertEquals("strong", only(statement, "SELECT @@read_consistency"));
    }
  }
}
