package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcConnection;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Named locks between sessions of one CN. */
@ExtendWith(Servers.Shared.class)
@Timeout(120)
class NamedLocksIT {
  private static final int CROWD = 200;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private int port;
  private Connection holder;
  private Connection other;

  @BeforeEach
  void open(Servers servers) throws SQLException {
    port = servers.cluster().port();
    holder = MiniCluster.connect(port, "", "");
    other = MiniCluster.connect(port, "", "");
  }

  @AfterEach
  void close() throws SQLException {
    holder.close();
    other.close();
    threads.close();
  }

  @Test
  void oneSessionHasTheLockAndAllCanSeeWhich() throws SQLException {
    assertEquals("1", one(holder, "SELECT GET_LOCK('x', 0)"));
    assertEquals("0", one(other, "SELECT GET_LOCK('X', 0.1)"));
    assertEquals("0", one(other, "SELECT IS_FREE_LOCK('x')"));
    assertEquals(one(holder, "SELECT CONNECTION_ID()"), one(other, "SELECT IS_USED_LOCK('x')"));
    assertEquals("0", one(other, "SELECT RELEASE_LOCK('x')"));
    assertEquals("1", one(holder, "SELECT RELEASE_LOCK('x')"));
    assertEquals("1", one(other, "SELECT GET_LOCK('x', 0)"));
    assertEquals("1", one(holder, "SELECT IS_USED_LOCK('x') <> CONNECTION_ID()"));
  }

  @Test
  void aWaitEndsWhenTheHolderGivesTheLockBackOrGoes() throws Exception {
    one(holder, "SELECT GET_LOCK('x', 0)");
    Future<String> waiting = start(other, "SELECT GET_LOCK('x', 60)");
    assertFalse(waiting.isDone());
    one(holder, "SELECT RELEASE_ALL_LOCKS()");
    assertEquals("1", waiting.get(30, TimeUnit.SECONDS));
    Future<String> again = start(holder, "SELECT GET_LOCK('x', 60)");
    other.close();
    assertEquals("1", again.get(30, TimeUnit.SECONDS));
  }

  @Test
  void aKillEndsTheWaitAndTheNextStatementIsFine() throws Exception {
    one(holder, "SELECT GET_LOCK('x', 0)");
    String id = one(other, "SELECT CONNECTION_ID()");
    Future<String> waiting = start(other, "SELECT GET_LOCK('x', -1)");
    while (!waiting.isDone()) {
      run(holder, "KILL QUERY " + id);
    }
    SQLException error =
        (SQLException) assertThrows(ExecutionException.class, waiting::get).getCause();
    assertEquals(1317, error.getErrorCode());
    assertEquals("1", one(other, "SELECT GET_LOCK('y', 0)"));
    run(holder, "KILL " + id);
    assertEquals("1", one(holder, "SELECT GET_LOCK('y', 30)"));
  }

  @Test
  void aSessionThatBeginsAnewHasNoLocks() throws SQLException {
    one(holder, "SELECT GET_LOCK('x', 0), GET_LOCK('x', 0), IF(GET_LOCK('y', 0), 1, 0)");
    holder.unwrap(JdbcConnection.class).resetServerState();
    assertEquals("1", one(other, "SELECT GET_LOCK('x', 0) + GET_LOCK('y', 0) = 2"));
    assertEquals("0", one(holder, "SELECT RELEASE_ALL_LOCKS()"));
  }

  /** When both come at the same moment, a mysqld tells both of them one time in twenty. */
  @Test
  void aDeadlockIsFound() throws Exception {
    one(holder, "SELECT GET_LOCK('x', 0)");
    one(other, "SELECT GET_LOCK('y', 0)");
    Future<String> first = threads.submit(() -> gotOrError(other, "x"));
    Future<String> second = threads.submit(() -> gotOrError(holder, "y"));
    List<String> answers =
        List.of(first.get(60, TimeUnit.SECONDS), second.get(60, TimeUnit.SECONDS));
    assertTrue(answers.contains("3058"), answers::toString);
    assertTrue(Set.of("1", "3058").containsAll(answers), answers::toString);
  }

  /** The victim gives back what it has. */
  private static String gotOrError(Connection connection, String lock) throws SQLException {
    try {
      return one(connection, "SELECT GET_LOCK('" + lock + "', 50)");
    } catch (SQLException e) {
      one(connection, "SELECT RELEASE_ALL_LOCKS()");
      return Integer.toString(e.getErrorCode());
    }
  }

  @Test
  void aCrowdThatWaitsHoldsNobodyUp() throws Exception {
    one(holder, "SELECT GET_LOCK('crowd', 0)");
    AtomicInteger inside = new AtomicInteger();
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      all.add(
          threads.submit(() -> {
            try (Connection mine = MiniCluster.connect(port, "", "")) {
              boolean got = one(mine, "SELECT GET_LOCK('crowd', 90)").equals("1");
              boolean alone = inside.incrementAndGet() == 1;
              inside.decrementAndGet();
              return got && alone && one(mine, "SELECT RELEASE_LOCK('crowd')").equals("1");
            }
          }));
    }
    while (waiting() < CROWD) {
      assertEquals("2", one(other, "SELECT 1 + 1"));
    }
    Servers.freshRows(port, "crowd", 20, 1);
    assertEquals("20", one(other, "SELECT SUM(b) FROM crowd.t"));
    one(holder, "SELECT RELEASE_LOCK('crowd')");
    for (Future<Boolean> each : all) {
      assertTrue(each.get(90, TimeUnit.SECONDS));
    }
  }

  private int waiting() throws SQLException {
    int count = 0;
    try (Statement statement = other.createStatement();
        ResultSet rows = statement.executeQuery("SHOW FULL PROCESSLIST")) {
      while (rows.next()) {
        count += String.valueOf(rows.getString("Info")).contains("GET_LOCK('crowd'") ? 1 : 0;
      }
    }
    return count;
  }

  private Future<String> start(Connection connection, String sql) {
    return threads.submit(() -> one(connection, sql));
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next());
      return String.valueOf(rows.getString(1));
    }
  }
}
