package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.protocol.ServerSessionStateController;
import com.mysql.cj.protocol.ServerSessionStateController.SessionStateChangesListener;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The session's stamp in OK packets, as Connector/J reads them. */
class SessionTrackIT {
  private static final String TRACKING = "&trackSessionState=true";
  private static final String ASK =
      "SET session_track_system_variables = 'autocommit,alrai_session_stamp'";

  private final List<Long> told = new ArrayList<>();

  /** Connections hold it weakly, and stumble over one that is gone. */
  private final SessionStateChangesListener listener = this::changed;

  private Connection tracked(int port, String properties) throws SQLException {
    Connection connection = MiniCluster.connect(port, "tracked", TRACKING + properties);
    connection
        .unwrap(JdbcConnection.class)
        .getServerSessionStateController()
        .addSessionStateChangesListener(listener);
    return connection;
  }

  private void changed(ServerSessionStateController.ServerSessionStateChanges changes) {
    changes.getSessionStateChangesList().stream()
        .filter(change ->
            change.getType() == ServerSessionStateController.SESSION_TRACK_SYSTEM_VARIABLES)
        .map(ServerSessionStateController.SessionStateChange::getValues)
        .filter(values -> values.getFirst().equals("alrai_session_stamp"))
        .forEach(values -> told.add(Long.parseLong(values.get(1))));
  }

  private static long stamp(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT @@alrai_session_stamp")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private long lastTold() {
    assertTrue(!told.isEmpty(), "nothing was told");
    long last = told.getLast();
    told.clear();
    return last;
  }

  @Test
  @ExtendWith(Servers.Shared.class)
  void whoAsksIsToldTheStampOfEveryChange(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "tracked", 8, 0);
    try (Connection connection = tracked(port, "");
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE t SET b = 1 WHERE a = 1");
      assertEquals(List.of(), told);
      statement.execute(ASK);
      told.clear();
      statement.execute("UPDATE t SET b = 2 WHERE a = 1");
      long one = lastTold();
      statement.execute("UPDATE t SET b = 3");
      long everywhere = lastTold();
      assertTrue(everywhere > one, everywhere + " after " + one);
      assertEquals(everywhere, stamp(statement));
      connection.setAutoCommit(false);
      statement.execute("UPDATE t SET b = 4 WHERE a < 4");
      told.clear();
      connection.commit();
      long committed = lastTold();
      assertTrue(committed > everywhere, committed + " after " + everywhere);
      connection.setAutoCommit(true);
      try (ResultSet rows = statement.executeQuery("SELECT SUM(b) FROM t")) {
        assertTrue(rows.next());
      }
      assertTrue(lastTold() > committed);
      statement.execute("SET session_track_system_variables = DEFAULT");
      told.clear();
      statement.execute("UPDATE t SET b = 5");
      assertEquals(List.of(), told);
      statement.execute("SET session_track_system_variables = '*'");
      statement.execute("UPDATE t SET b = 6");
      assertEquals(lastTold(), stamp(statement));
    }
  }

  @Test
  @ExtendWith(Servers.Shared.class)
  void thePacketsStayReadable(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "tracked", 8, 0);
    for (String properties : List.of("&useServerPrepStmts=true", "&useCursorFetch=true", "")) {
      try (Connection connection = tracked(port, properties);
          Statement statement = connection.createStatement()) {
        statement.execute(ASK);
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE t SET b = b + 1 WHERE a = ?");
            PreparedStatement select = connection.prepareStatement("SELECT b FROM t WHERE a = ?");
            PreparedStatement sum = connection.prepareStatement("SELECT SUM(b) FROM t")) {
          for (int a = 1; a <= 8; a++) {
            update.setInt(1, a);
            assertEquals(1, update.executeUpdate());
            long written = lastTold();
            select.setInt(1, a);
            assertEquals(1, number(select));
            sum.setFetchSize(a);
            assertEquals(a, number(sum));
            assertTrue(lastTold() > written);
          }
        }
        statement.execute("UPDATE t SET b = 0");
      }
    }
  }

  private static long number(PreparedStatement query) throws SQLException {
    try (ResultSet rows = query.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
