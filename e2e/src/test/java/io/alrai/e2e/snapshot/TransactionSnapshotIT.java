package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions that read on two DNs while others write there. */
@ExtendWith(Servers.Shared.class)
class TransactionSnapshotIT {
  private static final int KEYS = 8;

  private static int number(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** A session that is tested, and one that writes meanwhile. */
  private record Sessions(Connection mine, Connection other) implements AutoCloseable {
    static Sessions open(Servers servers, String schema) throws SQLException {
      int port = servers.cluster().port();
      Servers.freshRows(port, schema, KEYS, 0);
      Sessions sessions =
          new Sessions(
              MiniCluster.connect(port, schema, ""), MiniCluster.connect(port, schema, ""));
      sessions.others("CREATE TABLE all_dns (a INT PRIMARY KEY, b INT) BROADCAST");
      sessions.others("INSERT INTO all_dns VALUES (1,0)");
      return sessions;
    }

    void run(String sql) throws SQLException {
      try (Statement statement = mine.createStatement()) {
        statement.execute(sql);
      }
    }

    void others(String sql) throws SQLException {
      try (Statement statement = other.createStatement()) {
        statement.execute(sql);
      }
    }

    int mine(String query) throws SQLException {
      try (Statement statement = mine.createStatement()) {
        return number(statement, query);
      }
    }

    int readByKeys() throws SQLException {
      int sum = 0;
      for (int a = 1; a <= KEYS; a++) {
        sum += mine("SELECT b FROM t WHERE a = " + a);
      }
      return sum;
    }

    @Override
    public void close() throws SQLException {
      mine.close();
      other.close();
    }
  }

  @Test
  void readsRepeatOnEveryDn(Servers servers) throws SQLException {
    try (Sessions sessions = Sessions.open(servers, "txrepeat")) {
      sessions.run("BEGIN");
      assertEquals(0, sessions.mine("SELECT b FROM t WHERE a = 1"));
      sessions.others("UPDATE t SET b = b + 1");
      sessions.others("UPDATE all_dns SET b = 1");
      assertEquals(0, sessions.readByKeys());
      assertEquals(0, sessions.mine("SELECT SUM(b) FROM t"));
      assertEquals(0, sessions.mine("SELECT b FROM all_dns"));
      assertEquals(0, sessions.mine("SELECT SUM(x.b) FROM t x JOIN t y ON x.a = y.b + 1"));
      sessions.run("COMMIT");
      assertEquals(KEYS, sessions.readByKeys());
    }
  }

  @Test
  void ownWritesAreSeenOnTopOfTheSnapshot(Servers servers) throws SQLException {
    try (Sessions sessions = Sessions.open(servers, "txown")) {
      sessions.run("BEGIN");
      sessions.run("UPDATE t SET b = 10 WHERE a IN (1,2,3,4)");
      assertEquals(40, sessions.mine("SELECT SUM(b) FROM t"));
      sessions.others("UPDATE t SET b = 1 WHERE a IN (5,6,7,8)");
      assertEquals(40, sessions.readByKeys());
      sessions.run("UPDATE t SET b = b + 1 WHERE a = 1");
      assertEquals(41, sessions.mine("SELECT SUM(b) FROM t"));
      sessions.run("COMMIT");
      assertEquals(45, sessions.mine("SELECT SUM(b) FROM t"));
    }
  }

  @Test
  void aSnapshotFromTheBeginning(Servers servers) throws SQLException {
    try (Sessions sessions = Sessions.open(servers, "txsnap")) {
      for (String begin :
          new String[] {
            "START TRANSACTION WITH CONSISTENT SNAPSHOT",
            "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"
          }) {
        int before = sessions.mine("SELECT SUM(b) FROM t");
        sessions.run(begin);
        sessions.others("UPDATE t SET b = b + 1");
        assertEquals(before, sessions.readByKeys());
        assertEquals(before, sessions.mine("SELECT SUM(b) FROM t"));
        sessions.run("ROLLBACK");
        assertEquals(before + KEYS, sessions.mine("SELECT SUM(b) FROM t"));
      }
    }
  }

  @Test
  void statementsWithoutTablesChooseNoSnapshot(Servers servers) throws SQLException {
    try (Sessions sessions = Sessions.open(servers, "txnone")) {
      sessions.run("BEGIN");
      assertEquals(1, sessions.mine("SELECT 1"));
      assertEquals(1, sessions.mine("SELECT @@autocommit"));
      sessions.others("UPDATE t SET b = 1");
      assertEquals(KEYS, sessions.mine("SELECT SUM(b) FROM t"));
      sessions.others("UPDATE t SET b = 2");
      assertEquals(KEYS, sessions.readByKeys());
      sessions.run("COMMIT");
    }
  }

  @Test
  void readCommittedSeesWhatIsCommittedBeforeEachStatement(Servers servers) throws SQLException {
    try (Sessions sessions = Sessions.open(servers, "txcommitted")) {
      sessions.run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      sessions.run("BEGIN");
      assertEquals(0, sessions.mine("SELECT SUM(b) FROM t"));
      sessions.others("UPDATE t SET b = 1");
      assertEquals(KEYS, sessions.mine("SELECT SUM(b) FROM t"));
      sessions.run("UPDATE t SET b = 5 WHERE a = 1");
      assertEquals(KEYS + 4, sessions.mine("SELECT SUM(b) FROM t"));
      sessions.others("UPDATE t SET b = 2 WHERE a > 1");
      assertEquals(5 + 2 * (KEYS - 1), sessions.mine("SELECT SUM(b) FROM t"));
      sessions.run("COMMIT");
    }
  }

  @Test
  void transactionsThatStayOnOneDnLearnToDoSo(Servers servers) throws SQLException {
    try (Sessions sessions = Sessions.open(servers, "txstay")) {
      for (int i = 0; i < 20; i++) {
        sessions.run("BEGIN");
        assertEquals(i, sessions.mine("SELECT b FROM t WHERE a = 3"));
        sessions.run("UPDATE t SET b = b + 1 WHERE a = 3");
        assertEquals(i + 1, sessions.mine("SELECT b FROM t WHERE a = 3"));
        sessions.run("COMMIT");
      }
    }
  }

  @Test
  void aTransactionThatUndidItsWritesLeavesTheSnapshotsAlone(Servers servers) throws SQLException {
    try (Sessions sessions = Sessions.open(servers, "txundone")) {
      sessions.run("BEGIN");
      sessions.run("SAVEPOINT s");
      sessions.run("UPDATE t SET b = 1");
      sessions.run("ROLLBACK TO s");
      sessions.run("COMMIT");
      // its prepared branches left no trace in the logs, and nobody waits for one
      assertEquals(0, sessions.mine("SELECT SUM(b) FROM t"));
      assertEquals(0, sessions.readByKeys());
    }
  }

  @Test
  void savepointsHoldOnEveryDn(Servers servers) throws SQLException {
    try (Sessions sessions = Sessions.open(servers, "txsave")) {
      sessions.run("BEGIN");
      sessions.run("SAVEPOINT s");
      assertEquals(0, sessions.mine("SELECT b FROM t WHERE a = 1"));
      sessions.run("UPDATE t SET b = 1");
      assertEquals(KEYS, sessions.mine("SELECT SUM(b) FROM t"));
      sessions.run("ROLLBACK TO s");
      assertEquals(0, sessions.mine("SELECT SUM(b) FROM t"));
      sessions.run("UPDATE t SET b = 2");
      sessions.run("COMMIT");
      assertEquals(2 * KEYS, sessions.mine("SELECT SUM(b) FROM t"));
    }
  }
}
