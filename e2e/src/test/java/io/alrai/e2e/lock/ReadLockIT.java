package io.alrai.e2e.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * FLUSH TABLES WITH READ LOCK and LOCK INSTANCE FOR BACKUP do on Alrai what they do on a mysqld.
 */
@ExtendWith(Servers.Shared.class)
@Timeout(300)
class ReadLockIT {
  private static final String FTWRL = "FLUSH TABLES WITH READ LOCK";
  private static final String SCHEMA = "readlock";
  private static final String GLOBAL = "Waiting for global read lock";
  private static final String COMMIT = "Waiting for commit lock";
  private static final int INTERRUPTED = 1317;
  private static final int TIMED_OUT = 1205;

  /** Each look at what a mysqld has left of others begins with one. */
  private static final String LOOKS = "SHOW GLOBAL STATUS LIKE 'Com_xa_recover'";

  /** What is done on each server. */
  private interface Act {
    void on(LockClient holder, LockClient one, LockClient two) throws Exception;
  }

  private static void onBoth(Servers servers, Act act) throws Exception {
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      Servers.freshSchema(port, SCHEMA);
      try (Connection setup = MiniCluster.connect(port, SCHEMA, "")) {
        String spread = port == servers.plain().port() ? "" : " PARTITION BY KEY(a) PARTITIONS 4";
        Servers.run(
            setup,
            "CREATE TABLE t (a INT PRIMARY KEY, b INT)" + spread,
            "INSERT INTO t VALUES (1,0),(2,0),(3,0),(4,0),(5,0),(6,0)");
      }
      try (LockClient holder = new LockClient(port, SCHEMA);
          LockClient one = new LockClient(port, SCHEMA);
          LockClient two = new LockClient(port, SCHEMA)) {
        act.on(holder, one, two);
      }
    }
  }

  @Test
  void writesAndCommitsWaitUntilItIsGivenBack(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          two.run("BEGIN", "UPDATE t SET b = b + 1 WHERE a > 3");
          holder.run(FTWRL);
          Future<Integer> write = one.waiting("UPDATE t SET b = b + 10 WHERE a = 1", GLOBAL);
          Future<Integer> commit = two.waiting("COMMIT", COMMIT);
          assertEquals("0", holder.one("SELECT SUM(b) FROM t"));
          assertFalse(write.isDone() || commit.isDone());
          holder.run("UNLOCK TABLES");
          assertEquals(0, LockClient.answer(write));
          assertEquals(0, LockClient.answer(commit));
          assertEquals("13", holder.one("SELECT SUM(b) FROM t"));
        });
  }

  @Test
  void theEndOfTheHolderGivesItBack(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          holder.run(FTWRL);
          Future<Integer> write = one.waiting("UPDATE t SET b = 1", GLOBAL);
          holder.close();
          assertEquals(0, LockClient.answer(write));
          two.run(FTWRL);
          try (LockClient killer = new LockClient(two.port(), "")) {
            write = one.waiting("UPDATE t SET b = 2 WHERE a = 2", GLOBAL);
            killer.run("KILL " + two.id());
          }
          assertEquals(0, LockClient.answer(write));
        });
  }

  @Test
  void whoWaitsCanBeKilled(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          two.run("BEGIN", "UPDATE t SET b = b + 1 WHERE a > 3");
          holder.run(FTWRL);
          Future<Integer> write = one.waiting("UPDATE t SET b = b + 10 WHERE a = 1", GLOBAL);
          Future<Integer> commit = two.waiting("COMMIT", COMMIT);
          holder.run("KILL QUERY " + one.id(), "KILL QUERY " + two.id());
          assertEquals(INTERRUPTED, LockClient.answer(write));
          assertEquals(INTERRUPTED, LockClient.answer(commit));
          holder.run("UNLOCK TABLES");
          two.run("COMMIT");
          assertEquals("0", holder.one("SELECT SUM(b) FROM t"));
          one.run("UPDATE t SET b = b + 10 WHERE a = 1");
        });
  }

  @Test
  void aClientThatGoesWhileItsCommitWaitsHasCommittedNothing(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          two.run("BEGIN", "UPDATE t SET b = b + 1");
          holder.run(FTWRL);
          Future<Integer> commit = two.waiting("COMMIT", COMMIT);
          holder.run("KILL " + two.id());
          assertNotEquals(0, LockClient.answer(commit));
          // MySQL breaks the connection first: given the lock before it has ended, it commits
          two.awaitGone();
          holder.run("UNLOCK TABLES");
          one.run("UPDATE t SET b = b + 10 WHERE a = 1");
          assertEquals("10", holder.one("SELECT SUM(b) FROM t"));
        });
  }

  /** The statement waits for a row that a COMMIT lets go, which must not wait for the lock. */
  @Test
  void itWaitsForStatementsAtWorkAndLetsTheirBlockersCommit(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          one.run("BEGIN", "UPDATE t SET b = b + 1 WHERE a IN (2, 3, 4)");
          Future<Integer> behind = two.begin("UPDATE t SET b = b + 10 WHERE a > 0");
          two.awaitAtWork("UPDATE");
          Future<Integer> lock = holder.begin(FTWRL);
          holder.awaitAtWork("FLUSH");
          try (LockClient late = new LockClient(one.port(), SCHEMA)) {
            Future<Integer> later = late.waiting("INSERT INTO t VALUES (9, 0)", GLOBAL);
            assertFalse(lock.isDone() || behind.isDone());
            one.run("COMMIT");
            assertEquals(0, LockClient.answer(behind));
            assertEquals(0, LockClient.answer(lock));
            assertEquals("63", holder.one("SELECT SUM(b) FROM t"));
            assertFalse(later.isDone());
            holder.run("UNLOCK TABLES");
            assertEquals(0, LockClient.answer(later));
          }
        });
  }

  @Test
  void theWaitForItEndsByTimeAndByKillAndHoldsNobodyUpBehind(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          one.run("LOCK TABLES t WRITE");
          holder.run("SET lock_wait_timeout = 1");
          assertEquals(TIMED_OUT, holder.error(FTWRL));
          holder.run("SET lock_wait_timeout = 100");
          Future<Integer> lock = holder.begin(FTWRL);
          holder.awaitAtWork("FLUSH");
          two.run("KILL QUERY " + holder.id());
          assertEquals(INTERRUPTED, LockClient.answer(lock));
          one.run("UPDATE t SET b = b + 1");
          one.run("UNLOCK TABLES");
          two.run("UPDATE t SET b = b + 1");
          assertEquals("12", holder.one("SELECT SUM(b) FROM t"));
        });
  }

  @Test
  void twoWithOpenWritesBothGetIt(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          one.run("BEGIN", "UPDATE t SET b = b + 1 WHERE a < 4");
          two.run("BEGIN", "UPDATE t SET b = b + 1 WHERE a > 3");
          Future<Integer> first = one.begin(FTWRL);
          Future<Integer> second = two.begin(FTWRL);
          if (LockClient.first(first, second) == first) {
            one.run("UNLOCK TABLES");
          } else {
            two.run("UNLOCK TABLES");
          }
          assertEquals(0, LockClient.answer(first) + LockClient.answer(second));
          assertEquals("6", holder.one("SELECT SUM(b) FROM t"));
        });
  }

  @Test
  void definitionsWaitForBackups(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          holder.run("LOCK INSTANCE FOR BACKUP");
          one.run("BEGIN", "UPDATE t SET b = b + 1");
          Future<Integer> alter =
              one.waiting("ALTER TABLE t ADD COLUMN c INT", "Waiting for backup lock");
          // its implicit commit did not wait
          two.run("SET innodb_lock_wait_timeout = 1", "UPDATE t SET b = b + 1");
          holder.run("UNLOCK INSTANCE");
          assertEquals(0, LockClient.answer(alter));
          assertEquals("12", holder.one("SELECT SUM(b) FROM t WHERE c IS NULL"));
        });
  }

  @Test
  void aBackupWaitsForDefinitionsAtWork(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          two.run("BEGIN");
          assertEquals("6", two.one("SELECT COUNT(*) FROM t"));
          Future<Integer> alter = one.begin("ALTER TABLE t ADD COLUMN c INT");
          one.awaitAtWork("ALTER");
          Future<Integer> lock = holder.begin("LOCK INSTANCE FOR BACKUP");
          holder.awaitAtWork("LOCK");
          assertFalse(lock.isDone());
          two.run("COMMIT");
          assertEquals(0, LockClient.answer(alter) + LockClient.answer(lock));
        });
  }

  @Test
  void aNewBeginningOfTheSessionGivesThemBack(Servers servers) throws Exception {
    onBoth(
        servers,
        (holder, one, two) -> {
          holder.run(FTWRL, "LOCK INSTANCE FOR BACKUP");
          Future<Integer> write = one.waiting("UPDATE t SET b = 1", GLOBAL);
          Future<Integer> create = two.begin("CREATE TABLE x (a INT)");
          two.awaitAtWork("CREATE");
          holder.reset();
          assertEquals(0, LockClient.answer(write) + LockClient.answer(create));
          holder.run("DROP TABLE x");
        });
  }

  /** A mysqld shows transactions that ended long ago while it is asked for them again and again. */
  @Test
  void whatHasEndedAtAMysqldIsNotWaitedFor(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshSchema(port, SCHEMA);
    Path socket = servers.cluster().cluster().agents().getFirst().supervisor().socketPath();
    try (LockClient holder = new LockClient(port, SCHEMA);
        DnDoors doors = new DnDoors(socket.resolve("../..").normalize(), List.of("dn-1", "dn-2"))) {
      holder.run("CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 4");
      String physical =
          Servers.cells(port, SCHEMA, "SHOW TOPOLOGY FROM t").stream()
              .filter(place -> place.get(1).equals("dn-1"))
              .findFirst()
              .orElseThrow()
              .get(2);
      // nobody counts it: as of a CN that is gone
      String begun =
          "XA START 'left';INSERT INTO "
              + physical
              + ".t VALUES (1, 1);XA END 'left';"
              + "XA PREPARE 'left'";
      doors.hold("dn-1", begun).close();
      Future<Integer> lock = holder.begin(FTWRL);
      holder.awaitAtWork("FLUSH");
      long before = looks(doors);
      ClusterProcess.await("looks at the mysqld", () -> looks(doors) > before + 5);
      assertFalse(lock.isDone());
      doors.query("dn-1", "XA ROLLBACK 'left'");
      assertEquals(0, LockClient.answer(lock));
      holder.run("UNLOCK TABLES");
    }
  }

  private static long looks(DnDoors doors) {
    return Long.parseLong(doors.query("dn-1", LOOKS).getFirst().getLast());
  }
}
