package io.alrai.e2e.snapshot;

import static io.alrai.e2e.Servers.only;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A COMMIT over two DNs is answered while the second one still holds locks: nobody may see that
 * otherwise than by waiting.
 */
@ExtendWith(Servers.Shared.class)
class AnsweredCommitIT {
  private static final int ROWS = 8;
  private static final int ROUNDS = 60;

  private static void addEverywhere(Statement statement) throws SQLException {
    statement.execute("BEGIN");
    statement.execute("UPDATE t SET b = b + 1");
    statement.execute("COMMIT");
  }

  private static void prepareCopies(Statement statement, String isolation) throws SQLException {
    statement.execute(
        "CREATE TABLE copied (a INT PRIMARY KEY, b INT) PARTITION BY KEY (a) PARTITIONS 4");
    statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL " + isolation);
  }

  @Test
  void statementsThatDoNotWaitForLocksFindNone(Servers servers) throws SQLException {
    try (TwoSessions sessions = TwoSessions.open(servers, "answered", ROWS);
        Statement write = sessions.other().createStatement();
        Statement lock = sessions.mine().createStatement()) {
      for (int round = 1; round <= ROUNDS; round++) {
        addEverywhere(write);
        String now = Integer.toString(round);
        for (int a = 1; a <= ROWS; a++) {
          String row = "SELECT b FROM t WHERE a = " + a + " FOR UPDATE ";
          assertEquals(now, only(lock, row + "NOWAIT"));
          assertEquals(now, only(lock, row + "SKIP LOCKED"));
        }
        addEverywhere(write);
        write.execute("UPDATE t SET b = b - 1");
        lock.execute("BEGIN");
        for (int a = 1; a <= ROWS; a++) {
          assertEquals(now, only(lock, "SELECT b FROM t WHERE a = " + a + " FOR SHARE NOWAIT"));
        }
        lock.execute("ROLLBACK");
      }
    }
  }

  @Test
  void aReadCommittedTransactionThatHasWrittenReadsIt(Servers servers) throws SQLException {
    try (TwoSessions sessions = TwoSessions.open(servers, "answeredrc", ROWS);
        Statement write = sessions.other().createStatement();
        Statement read = sessions.mine().createStatement()) {
      write.execute(
          "CREATE TABLE own (a INT PRIMARY KEY, b INT) PARTITION BY KEY (a) PARTITIONS 2");
      read.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      for (int round = 1; round <= ROUNDS; round++) {
        addEverywhere(write);
        read.execute("BEGIN");
        read.execute("REPLACE INTO own VALUES (1, 1), (2, 1), (3, 1), (4, 1)");
        addEverywhere(write);
        for (int a = 1; a <= ROWS; a++) {
          assertEquals(Integer.toString(2 * round), only(read, "SELECT b FROM t WHERE a = " + a));
        }
        read.execute("COMMIT");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ"})
  void writesReadWhatTheirSessionHasCommitted(String isolation, Servers servers)
      throws SQLException {
    try (TwoSessions session = TwoSessions.open(servers, "answeredcopy", ROWS);
        Statement statement = session.mine().createStatement()) {
      prepareCopies(statement, isolation);
      for (int round = 1; round <= ROUNDS; round++) {
        addEverywhere(statement);
        for (int a = 1; a <= ROWS; a++) {
          String key = " WHERE a = " + a;
          statement.execute("REPLACE INTO copied SELECT a, b FROM t" + key);
          assertEquals(
              Integer.toString(round), only(statement, "SELECT b FROM copied" + key), "copied");
        }
        addEverywhere(statement);
        statement.execute("UPDATE t SET b = b - 1");
        addEverywhere(statement);
        statement.execute("UPDATE copied SET b = (SELECT b FROM t WHERE t.a = 3) WHERE a = 3");
        assertEquals(
            Integer.toString(round + 1), only(statement, "SELECT b FROM copied WHERE a = 3"));
        statement.execute("UPDATE t SET b = b - 1");
      }
    }
  }

  /** It is answered before all DNs show it, and the query's only DN opens no view. */
  @ParameterizedTest
  @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
  void rowsAreCopiedRightAfterTheyWereInserted(String isolation, Servers servers)
      throws SQLException {
    try (TwoSessions session = TwoSessions.open(servers, "answeredrows", ROWS);
        Statement statement = session.mine().createStatement()) {
      statement.execute(
          "CREATE TABLE rows_of (a INT PRIMARY KEY, b INT) PARTITION BY KEY (a) PARTITIONS 3");
      prepareCopies(statement, isolation);
      for (int first = 1; first <= 4 * ROUNDS; first += 4) {
        statement.execute(
            "INSERT INTO rows_of VALUES (%d, 1), (%d, 2), (%d, 3), (%d, 4)"
                .formatted(first, first + 1, first + 2, first + 3));
        int copied = first + first / 4 % 4;
        assertEquals(
            1,
            statement.executeUpdate(
                "INSERT INTO copied SELECT * FROM rows_of WHERE a = " + copied));
      }
    }
  }

  @Test
  void triggersReadWhatTheirSessionHasCommitted(Servers servers) throws SQLException {
    try (TwoSessions session = TwoSessions.open(servers, "answeredfired", ROWS);
        Statement statement = session.mine().createStatement()) {
      statement.execute("CREATE TABLE s (id INT PRIMARY KEY, v INT) SINGLE");
      statement.execute("CREATE TABLE l (id INT PRIMARY KEY, v INT) SINGLE");
      statement.execute("INSERT INTO s VALUES (1, 0)");
      statement.execute(
          "CREATE TRIGGER seen BEFORE INSERT ON l FOR EACH ROW"
              + " SET NEW.v = (SELECT v FROM s WHERE id = 1)");
      for (int round = 1; round <= ROUNDS; round++) {
        statement.execute("BEGIN");
        statement.execute("UPDATE t SET b = b + 1 WHERE a = " + (1 + round % ROWS));
        statement.execute("UPDATE s SET v = " + round);
        statement.execute("COMMIT");
        statement.execute("INSERT INTO l VALUES (" + round + ", 0)");
        assertEquals(
            Integer.toString(round), only(statement, "SELECT v FROM l WHERE id = " + round));
      }
    }
  }

  @Test
  void theNextTransactionOfTheSessionWaitsForItsOwnLocks(Servers servers) throws SQLException {
    try (TwoSessions session = TwoSessions.open(servers, "answerednext", ROWS);
        Statement statement = session.mine().createStatement()) {
      statement.execute("SET innodb_lock_wait_timeout = 1");
      for (int round = 1; round <= ROUNDS; round++) {
        addEverywhere(statement);
        assertEquals(Integer.toString(round), only(statement, "SELECT MIN(b) FROM t"));
        assertEquals(Integer.toString(round), only(statement, "SELECT MAX(b) FROM t FOR UPDATE"));
      }
      statement.execute("ALTER TABLE t ADD COLUMN c INT");
      assertTrue(only(statement, "SHOW CREATE TABLE t").startsWith("t"));
    }
  }
}
