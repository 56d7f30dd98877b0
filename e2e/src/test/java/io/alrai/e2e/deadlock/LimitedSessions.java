package io.alrai.e2e.deadlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** An account with limits, whose clients come to two CNs. */
final class LimitedSessions {
  private static final String USER = "_%'\"` é漢.limited";
  private static final String ACCOUNT = "'" + USER.replace("'", "''") + "'@'%'";
  private static final int MOST = 5;
  private static final int CLIENTS = 24;
  private static final int LIMIT_REACHED = 1226;

  private final int one;
  private final int two;

  LimitedSessions(int one, int two) {
    this.one = one;
    this.two = two;
  }

  void check() throws Exception {
    run("CREATE USER " + ACCOUNT + " IDENTIFIED BY 'p' WITH MAX_USER_CONNECTIONS " + MOST);
    for (int turn = 0; turn < 3; turn++) {
      storm();
    }
    statements();
  }

  private void run(String sql) throws SQLException {
    try (Connection root = connect(one, "root", "");
        Statement statement = root.createStatement()) {
      statement.execute(sql);
    }
  }

  /** All at once, half of them at each. */
  private void storm() throws Exception {
    ConcurrentLinkedQueue<Connection> open = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Integer> errors = new ConcurrentLinkedQueue<>();
    ClusterProcess.await("the sessions of before to end", () -> sessions() == 0);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> logins = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int port = i % 2 == 0 ? one : two;
        logins.add(
            clients.submit(() -> {
              try {
                open.add(connect(port, USER, "p"));
              } catch (SQLException e) {
                errors.add(e.getErrorCode());
              }
            }));
      }
      for (Future<?> login : logins) {
        login.get();
      }
    }
    try {
      assertTrue(open.size() <= MOST, open.size() + " sessions");
      // somebody may be refused for a login that has just failed
      assertTrue(open.size() >= MOST - 1, open.size() + " sessions");
      assertEquals(
          List.of(LIMIT_REACHED), errors.stream().distinct().toList(), errors.size() + " errors");
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
    }
  }

  private int sessions() {
    try (Connection root = connect(one, "root", "");
        Statement statement = root.createStatement();
        var row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM information_schema.processlist WHERE USER = '"
                    + USER.replace("'", "''")
                    + "'")) {
      row.next();
      return row.getInt(1);
    } catch (SQLException e) {
      return -1;
    }
  }

  /** Those of one CN count at the other a second later. */
  private void statements() throws Exception {
    run("ALTER USER " + ACCOUNT + " WITH MAX_USER_CONNECTIONS 0 MAX_QUERIES_PER_HOUR 60");
    try (Connection here = connect(one, USER, "p");
        Connection there = connect(two, USER, "p")) {
      run("FLUSH USER_RESOURCES");
      until(here, 50);
      ClusterProcess.await(
          "what the other CN has counted",
          () -> {
            try (Statement statement = there.createStatement()) {
              statement.execute("DO 1");
              return false;
            } catch (SQLException e) {
              return e.getErrorCode() == LIMIT_REACHED;
            }
          });
      run("FLUSH USER_RESOURCES");
      until(there, 5);
      until(here, 5);
    }
  }

  private static void until(Connection connection, int statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < statements; i++) {
        statement.execute("DO 1");
      }
    }
  }

  /** A CN that dies takes its sessions with it, and nothing of them stays counted. */
  void checkDeath(ClusterProcess cluster, String cn) throws Exception {
    run("ALTER USER " + ACCOUNT + " WITH MAX_USER_CONNECTIONS 1 MAX_QUERIES_PER_HOUR 0");
    Connection there = connect(two, USER, "p");
    // a CN that has just been stopped may be silent for a moment
    ClusterProcess.await(
        "the refusal",
        () -> {
          try {
            connect(one, USER, "p").close();
            return false;
          } catch (SQLException e) {
            assertEquals(LIMIT_REACHED, e.getErrorCode(), e.getMessage());
            return true;
          }
        });
    ClusterProcess.kill(cluster.role(cn).orElseThrow());
    ClusterProcess.await(
        "the place of the dead CN's session",
        () -> {
          try {
            connect(one, USER, "p").close();
            return true;
          } catch (SQLException e) {
            return false;
          }
        });
    there.abort(Runnable::run);
  }

  private static Connection connect(int port, String user, String password) throws SQLException {
    Properties login = new Properties();
    login.put("user", user);
    login.put("password", password);
    return DriverManager.getConnection("jdbc:mysql://127.0.0.1:" + port + "/", login);
  }
}
