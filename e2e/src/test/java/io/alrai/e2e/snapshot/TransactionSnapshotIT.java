package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.e2e.Servers;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions that read on two DNs while others write there. */
@ExtendWith(Servers.Shared.class)
class TransactionSnapshotIT {
  private static final int KEYS = 8;

  private static TwoSessions open(Servers servers, String schema) throws SQLException {
    TwoSessions sessions = TwoSessions.open(servers, schema, KEYS);
    sessions.others("CREATE TABLE all_dns (a INT PRIMARY KEY, b INT) BROADCAST");
    sessions.others("INSERT INTO all_dns VALUES (1,0)");
    return sessions;
  }

  private static int readByKeys(TwoSessions sessions) throws SQLException {
    int sum = 0;
    for (int a = 1; a <= KEYS; a++) {
      sum += sessions.number("SELECT b FROM t WHERE a = " + a);
    }
    return sum;
  }

  /** By keys, one DN after the other, and over all of them. */
  private static void reads(TwoSessions sessions, int sum) throws SQLException {
    assertEquals(sum, readByKeys(sessions));
    assertEquals(sum, sessions.number("SELECT SUM(b) FROM t"));
  }

  @Test
  void readsRepeatOnEveryDn(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txrepeat")) {
      sessions.run("BEGIN");
      assertEquals(0, sessions.number("SELECT b FROM t WHERE a = 1"));
      sessions.others("UPDATE t SET b = b + 1");
      sessions.others("UPDATE all_dns SET b = 1");
      reads(sessions, 0);
      assertEquals(0, sessions.number("SELECT b FROM all_dns"));
      assertEquals(0, sessions.number("SELECT SUM(x.b) FROM t x JOIN t y ON x.a = y.b + 1"));
      sessions.run("COMMIT");
      assertEquals(KEYS, readByKeys(sessions));
    }
  }

  @Test
  void anIsolationThatIsSetWithinATransactionIsTheNextOnes(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txlevel")) {
      sessions.run("BEGIN");
      assertEquals(0, sessions.number("SELECT SUM(b) FROM t"));
      sessions.run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      sessions.others("UPDATE t SET b = b + 1");
      reads(sessions, 0);
      sessions.run("COMMIT");
      sessions.run("BEGIN");
      assertEquals(KEYS, sessions.number("SELECT SUM(b) FROM t"));
      sessions.run("SET SESSION transaction_isolation = 'REPEATABLE-READ'");
      sessions.others("UPDATE t SET b = b + 1");
      reads(sessions, 2 * KEYS);
      sessions.run("COMMIT");
    }
  }

  @Test
  void aBranchThatBeginsLaterHasTheIsolationOfItsTransaction(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txlater")) {
      sessions.run("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
      sessions.run("BEGIN");
      sessions.run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      assertEquals(0, readByKeys(sessions));
      sessions.others("SET innodb_lock_wait_timeout = 1");
      for (int a = 1; a <= KEYS; a++) {
        String row = "UPDATE t SET b = 1 WHERE a = " + a;
        SQLException locked = assertThrows(SQLException.class, () -> sessions.others(row));
        assertEquals(1205, locked.getErrorCode(), row);
      }
      sessions.run("COMMIT");
    }
  }

  @Test
  void ownWritesAreSeenOnTopOfTheSnapshot(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txown")) {
      sessions.run("BEGIN");
      sessions.run("UPDATE t SET b = 10 WHERE a IN (1,2,3,4)");
      assertEquals(40, sessions.number("SELECT SUM(b) FROM t"));
      sessions.others("UPDATE t SET b = 1 WHERE a IN (5,6,7,8)");
      assertEquals(40, readByKeys(sessions));
      sessions.run("UPDATE t SET b = b + 1 WHERE a = 1");
      assertEquals(41, sessions.number("SELECT SUM(b) FROM t"));
      sessions.run("COMMIT");
      assertEquals(45, sessions.number("SELECT SUM(b) FROM t"));
    }
  }

  @Test
  void aSnapshotFromTheBeginning(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txsnap")) {
      for (String begin :
          new String[] {
            "START TRANSACTION WITH CONSISTENT SNAPSHOT",
            "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"
          }) {
        int before = sessions.number("SELECT SUM(b) FROM t");
        sessions.run(begin);
        sessions.others("UPDATE t SET b = b + 1");
        reads(sessions, before);
        sessions.run("ROLLBACK");
        assertEquals(before + KEYS, sessions.number("SELECT SUM(b) FROM t"));
      }
    }
  }

  @Test
  void statementsWithoutTablesChooseNoSnapshot(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txnone")) {
      sessions.run("BEGIN");
      assertEquals(1, sessions.number("SELECT 1"));
      assertEquals(1, sessions.number("SELECT @@autocommit"));
      sessions.others("UPDATE t SET b = 1");
      assertEquals(KEYS, sessions.number("SELECT SUM(b) FROM t"));
      sessions.others("UPDATE t SET b = 2");
      assertEquals(KEYS, readByKeys(sessions));
      sessions.run("COMMIT");
    }
  }

  @Test
  void readCommittedSeesWhatIsCommittedBeforeEachStatement(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txcommitted")) {
      sessions.run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      sessions.run("BEGIN");
      assertEquals(0, sessions.number("SELECT SUM(b) FROM t"));
      sessions.others("UPDATE t SET b = 1");
      assertEquals(KEYS, sessions.number("SELECT SUM(b) FROM t"));
      sessions.run("UPDATE t SET b = 5 WHERE a = 1");
      assertEquals(KEYS + 4, sessions.number("SELECT SUM(b) FROM t"));
      sessions.others("UPDATE t SET b = 2 WHERE a > 1");
      assertEquals(5 + 2 * (KEYS - 1), sessions.number("SELECT SUM(b) FROM t"));
      sessions.run("COMMIT");
    }
  }

  @Test
  void transactionsThatStayOnOneDnLearnToDoSo(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txstay")) {
      for (int i = 0; i < 20; i++) {
        sessions.run("BEGIN");
        assertEquals(i, sessions.number("SELECT b FROM t WHERE a = 3"));
        sessions.run("UPDATE t SET b = b + 1 WHERE a = 3");
        assertEquals(i + 1, sessions.number("SELECT b FROM t WHERE a = 3"));
        sessions.run("COMMIT");
      }
    }
  }

  @Test
  void aTransactionThatUndidItsWritesLeavesTheSnapshotsAlone(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txundone")) {
      sessions.run("BEGIN");
      sessions.run("SAVEPOINT s");
      sessions.run("UPDATE t SET b = 1");
      sessions.run("ROLLBACK TO s");
      sessions.run("COMMIT");
      // its prepared branches left no trace in the logs, and nobody waits for one
      reads(sessions, 0);
    }
  }

  @Test
  void savepointsHoldOnEveryDn(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txsave")) {
      sessions.run("BEGIN");
      sessions.run("SAVEPOINT s");
      assertEquals(0, sessions.number("SELECT b FROM t WHERE a = 1"));
      sessions.run("UPDATE t SET b = 1");
      assertEquals(KEYS, sessions.number("SELECT SUM(b) FROM t"));
      sessions.run("ROLLBACK TO s");
      assertEquals(0, sessions.number("SELECT SUM(b) FROM t"));
      sessions.run("UPDATE t SET b = 2");
      sessions.run("COMMIT");
      assertEquals(2 * KEYS, sessions.number("SELECT SUM(b) FROM t"));
    }
  }

  /** Makes transactions of this session known as such that only read. */
  private static void readOnlySoFar(TwoSessions sessions, int sum) throws SQLException {
    readOnlySoFar(sessions, sum, "SELECT SUM(b) FROM t");
  }

  private static void readOnlySoFar(TwoSessions sessions, int sum, String first)
      throws SQLException {
    for (int i = 0; i < 8; i++) {
      sessions.run("BEGIN");
      assertEquals(sum, sessions.number(first));
      assertEquals(sum, readByKeys(sessions));
      sessions.run("COMMIT");
    }
  }

  @Test
  void aSessionThatHasOnlyReadSoFarWritesOnBothDns(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txfirstwrite")) {
      for (String end : new String[] {"ROLLBACK", "COMMIT"}) {
        readOnlySoFar(sessions, 0);
        sessions.run("BEGIN");
        sessions.run("SAVEPOINT s");
        assertEquals(0, sessions.number("SELECT SUM(b) FROM t"));
        sessions.run("UPDATE t SET b = 1 WHERE a = 1");
        sessions.run("UPDATE t SET b = b + 1");
        assertEquals(KEYS + 1, sessions.number("SELECT SUM(b) FROM t"));
        sessions.run("ROLLBACK TO s");
        assertEquals(0, sessions.number("SELECT SUM(b) FROM t"));
        sessions.run("UPDATE t SET b = b + 2");
        assertEquals(2 * KEYS, readByKeys(sessions));
        sessions.run(end);
        assertEquals(
            end.equals("COMMIT") ? 2 * KEYS : 0, sessions.number("SELECT SUM(b) FROM t"), end);
      }
    }
  }

  @Test
  void itsWritesOnOneDnNeedNoSecondTry(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txonewrite")) {
      readOnlySoFar(sessions, 0);
      for (int a = 1; a <= KEYS; a++) {
        sessions.run("BEGIN");
        assertEquals(a - 1, sessions.number("SELECT SUM(b) FROM t"));
        sessions.others("UPDATE t SET b = b + 1 WHERE a = " + a);
        assertEquals(a - 1, readByKeys(sessions));
        sessions.run("UPDATE t SET b = b + 1 WHERE a = " + a);
        assertEquals(a + 1, sessions.number("SELECT SUM(b) FROM t"));
        sessions.run(a % 2 == 0 ? "COMMIT" : "ROLLBACK");
        sessions.others("UPDATE t SET b = 1 WHERE a = " + a);
      }
    }
  }

  @Test
  void itsSecondDnMayHaveMovedOn(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txmoved")) {
      // a first read of its own, as what other tests did after theirs is remembered for long
      String first = "SELECT SUM(b) AS moved FROM t";
      readOnlySoFar(sessions, 0, first);
      sessions.run("BEGIN");
      assertEquals(0, sessions.number(first));
      sessions.others("UPDATE all_dns SET b = b + 1");
      SQLException moved =
          assertThrows(SQLException.class, () -> sessions.run("UPDATE t SET b = b + 1"));
      assertEquals(1213, moved.getErrorCode(), moved.getMessage());
      assertEquals(0, sessions.number("SELECT SUM(b) FROM t"));
      sessions.run("BEGIN");
      assertEquals(0, sessions.number(first));
      sessions.others("UPDATE all_dns SET b = b + 1");
      sessions.run("UPDATE t SET b = b + 1");
      sessions.run("COMMIT");
      assertEquals(KEYS, sessions.number("SELECT SUM(b) FROM t"));
    }
  }

  /** Transactions that begin with this read are known to stay on its DN from now on. */
  private static void staysOnItsDn(TwoSessions sessions, String read) throws SQLException {
    for (int i = 0; i < 8; i++) {
      sessions.run("BEGIN");
      assertEquals(0, sessions.number(read));
      sessions.run("COMMIT");
    }
  }

  @Test
  void whoComesToADnLateReadsAgainAtALaterSnapshot(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txlate")) {
      String read = "SELECT b AS late FROM t WHERE a = 1";
      staysOnItsDn(sessions, read);
      sessions.run("BEGIN");
      assertEquals(0, sessions.number(read));
      sessions.run("SAVEPOINT s");
      sessions.others("UPDATE t SET b = 1 WHERE a > 1");
      assertEquals(KEYS - 1, readByKeys(sessions));
      sessions.others("UPDATE t SET b = 2");
      assertEquals(KEYS - 1, readByKeys(sessions));
      sessions.run("ROLLBACK TO s");
      sessions.run("COMMIT");
      assertEquals(2 * KEYS, readByKeys(sessions));
    }
  }

  @Test
  void whoComesToADnLateAndHasReadWhatIsGoneBeginsAnew(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "txgone")) {
      String read = "SELECT b AS gone FROM t WHERE a = 1";
      staysOnItsDn(sessions, read);
      sessions.run("BEGIN");
      assertEquals(0, sessions.number(read));
      sessions.others("UPDATE t SET b = 1");
      SQLException gone = assertThrows(SQLException.class, () -> readByKeys(sessions));
      assertEquals(1213, gone.getErrorCode(), gone.getMessage());
      assertEquals(KEYS, readByKeys(sessions));
    }
  }
}
