package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a session has seen follows its client. */
class SessionStampIT {
  private static final int WRONG_VALUE_FOR_VAR = 1231;
  private static final int CLOCK_SKEW = 8503;
  private static final String STAMP = "SELECT @@alrai_session_stamp";

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  @ExtendWith(Servers.Shared.class)
  void theStampGrowsWithWhatTheSessionSees(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "stamps", 8, 0);
    try (Connection connection = MiniCluster.connect(port, "stamps", "");
        Statement statement = connection.createStatement()) {
      long before = number(statement, STAMP);
      statement.execute("UPDATE t SET b = 1");
      long written = number(statement, STAMP);
      assertTrue(written > before, written + " after " + before);
      assertEquals(8, number(statement, "SELECT SUM(b) FROM t"));
      long read = number(statement, STAMP);
      assertTrue(read > written, read + " after " + written);
      statement.execute("SET alrai_session_stamp = " + (read + 5));
      assertTrue(number(statement, STAMP) >= read + 5);
      statement.execute("SET alrai_session_stamp = 7");
      assertTrue(number(statement, STAMP) >= read + 5);
    }
  }

  @Test
  @ExtendWith(Servers.Shared.class)
  void stampsThatCannotBeAreRefused(Servers servers) throws SQLException {
    try (Connection connection = servers.cluster().connect("");
        Statement statement = connection.createStatement()) {
      for (String wrong : List.of("'x'", "-1", "1.5", "9223372036854775807")) {
        SQLException refused =
            assertThrows(
                SQLException.class,
                () -> statement.execute("SET alrai_session_stamp = " + wrong),
                wrong);
        assertEquals(WRONG_VALUE_FOR_VAR, refused.getErrorCode(), wrong);
      }
      long nextYear = System.currentTimeMillis() + 31_000_000_000L << 16;
      SQLException skew =
          assertThrows(
              SQLException.class, () -> statement.execute("SET alrai_session_stamp = " + nextYear));
      assertEquals(CLOCK_SKEW, skew.getErrorCode());
    }
  }

  @Test
  void aClientReadsItsWritesAtAnotherCn() throws SQLException {
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--processes", "--cns", "2")) {
      int first = cluster.port();
      Servers.freshRows(first, "twocns", 8, 0);
      try (Connection one = MiniCluster.connect(first, "twocns", "");
          Connection other = MiniCluster.connect(first + 1, "twocns", "");
          Statement here = one.createStatement();
          Statement there = other.createStatement()) {
        for (int i = 1; i <= 30; i++) {
          here.execute("UPDATE t SET b = " + i);
          long stamp = number(here, STAMP);
          there.execute("SET alrai_session_stamp = " + stamp);
          assertEquals(8L * i, number(there, "SELECT SUM(b) FROM t"));
          assertTrue(number(there, STAMP) >= stamp);
        }
      }
    }
  }
}
