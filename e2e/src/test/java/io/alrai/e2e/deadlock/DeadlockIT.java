package io.alrai.e2e.deadlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.e2e.deadlock.Client.Waiting;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Cycles over two DNs, and waits that are none, in one CN. */
@Tag("alone")
@ExtendWith(Servers.Shared.class)
final class DeadlockIT {
  private static final String SCHEMA = "deadlocks";
  private static final long SOON_MILLIS = 1_500;

  private static Rows rows(Servers servers) throws SQLException {
    Path socket = servers.cluster().cluster().agents().getFirst().supervisor().socketPath();
    Path directory = socket.resolve("../..").normalize();
    return Rows.fresh(servers.cluster().port(), SCHEMA, directory);
  }

  private static String raise(int row) {
    return "UPDATE t SET b = b + 1 WHERE a = " + row;
  }

  private static void deadlock(Waiting victim) throws Exception {
    SQLException error = victim.error();
    System.out.println("found after " + victim.millis() + " ms");
    assertEquals(1213, error.getErrorCode(), error.toString());
    assertEquals("40001", error.getSQLState());
    assertEquals(
        "Deadlock found when trying to get lock; try restarting transaction", error.getMessage());
    assertTrue(victim.millis() < SOON_MILLIS, victim.millis() + " ms");
  }

  @Test
  void theYoungerOfTwoThatCross(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Rows rows = rows(servers);
    int one = rows.one().getFirst();
    int two = rows.two().getFirst();
    try (Client older = Client.holding(port, SCHEMA, one);
        Client younger = Client.holding(port, SCHEMA, two)) {
      Waiting waits = older.begin(raise(two)).stillThereAfter(800);
      deadlock(younger.begin(raise(one)));
      assertEquals(1, waits.rows());
      older.run("COMMIT");
      assertEquals("1 1", younger.one("SELECT b FROM t WHERE a IN (" + one + "," + two + ")"));
      assertEquals(1, younger.run(raise(one)));
      assertEquals("2 1", older.one("SELECT b FROM t WHERE b > 0 ORDER BY b DESC"));
    }
  }

  @Test
  void theYoungerAlsoWhenItWaitedFirst(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Rows rows = rows(servers);
    int one = rows.one().getFirst();
    int two = rows.two().getFirst();
    try (Client older = Client.holding(port, SCHEMA, one);
        Client younger = Client.holding(port, SCHEMA, two)) {
      Waiting waits = younger.beginPrepared(raise(one)).stillThereAfter(700);
      Waiting closes = older.beginPrepared(raise(two));
      assertEquals(1213, waits.error().getErrorCode());
      assertEquals(1, closes.rows());
      assertTrue(closes.millis() < SOON_MILLIS, closes.millis() + " ms");
      older.run("COMMIT");
    }
  }

  @Test
  void statementsOverAllShards(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Rows rows = rows(servers);
    try (Client older = Client.holding(port, SCHEMA, rows.one().getFirst());
        Client younger = Client.holding(port, SCHEMA, rows.two().getFirst())) {
      Waiting waits = older.begin("UPDATE t SET b = b + 10").stillThereAfter(50);
      deadlock(younger.begin("UPDATE t SET b = b + 100"));
      assertEquals(40, waits.rows());
      older.run("COMMIT");
      assertEquals("401", younger.one("SELECT SUM(b) FROM t"));
    }
  }

  @Test
  void aStatementThatIsATransactionIsRunAgain(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Rows rows = rows(servers);
    try (Client older = Client.holding(port, SCHEMA, rows.two().getFirst());
        Client alone = Client.open(port, SCHEMA)) {
      Waiting all = alone.begin("UPDATE t SET b = b + 10").stillThereAfter(300);
      assertEquals(1, older.run(raise(rows.one().getFirst())));
      assertFalse(all.done());
      older.run("COMMIT");
      assertEquals(40, all.rows());
      assertEquals("402", older.one("SELECT SUM(b) FROM t"));
    }
  }

  @Test
  void lockingReadsAndInsertedRows(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Rows rows = rows(servers);
    int one = rows.one().getFirst();
    int two = rows.two().getFirst();
    try (Client older = Client.open(port, SCHEMA);
        Client younger = Client.open(port, SCHEMA)) {
      older.run("DELETE FROM t WHERE a IN (" + one + "," + two + ")");
      older.run("BEGIN");
      older.run("INSERT INTO t VALUES (" + one + ", 5)");
      younger.run("BEGIN");
      younger.run("INSERT INTO t VALUES (" + two + ", 7)");
      Waiting waits = older.begin("INSERT INTO t VALUES (" + two + ", 5)").stillThereAfter(50);
      deadlock(younger.begin("SELECT b FROM t WHERE a = " + one + " FOR UPDATE"));
      assertEquals(1, waits.rows());
      older.run("COMMIT");
      assertEquals("10", younger.one("SELECT SUM(b) FROM t"));
    }
  }

  @Test
  void aCycleOfThree(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Rows rows = rows(servers);
    int first = rows.one().get(0);
    int second = rows.two().get(0);
    int third = rows.one().get(1);
    try (Client oldest = Client.holding(port, SCHEMA, first);
        Client middle = Client.holding(port, SCHEMA, second);
        Client youngest = Client.holding(port, SCHEMA, third)) {
      youngest.run(raise(rows.two().get(1)));
      Waiting one = oldest.begin(raise(second)).stillThereAfter(50);
      Waiting two = middle.begin(raise(third)).stillThereAfter(300);
      deadlock(youngest.begin(raise(first)));
      assertEquals(1, two.rows());
      assertFalse(one.done());
      middle.run("COMMIT");
      assertEquals(1, one.rows());
      oldest.run("COMMIT");
      assertEquals("4", youngest.one("SELECT SUM(b) FROM t"));
    }
  }

  @Test
  void aTransactionOfOneDnMayCloseTheCycle(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Rows rows = rows(servers);
    int first = rows.one().get(0);
    int second = rows.two().get(0);
    int third = rows.one().get(1);
    try (Client oldest = Client.holding(port, SCHEMA, first);
        Client middle = Client.holding(port, SCHEMA, second);
        Client local = Client.holding(port, SCHEMA, third)) {
      Waiting one = oldest.begin(raise(second)).stillThereAfter(50);
      Waiting two = middle.begin(raise(third)).stillThereAfter(1_000);
      Waiting closes = local.begin(raise(first));
      assertEquals(1213, two.error().getErrorCode());
      assertTrue(closes.millis() < SOON_MILLIS, closes.millis() + " ms");
      assertEquals(1, one.rows());
      oldest.run("COMMIT");
      assertEquals(1, closes.rows());
      local.run("COMMIT");
    }
  }

  @Test
  void aWaitThatIsNoDeadlockEndsByItsTimeout(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Rows rows = rows(servers);
    int one = rows.one().get(0);
    int two = rows.two().get(0);
    try (Client holder = Client.holding(port, SCHEMA, one);
        Client waits = Client.open(port, SCHEMA)) {
      holder.run(raise(two));
      waits.run("SET innodb_lock_wait_timeout = 2");
      waits.run("BEGIN");
      waits.run(raise(rows.one().get(1)));
      waits.run(raise(rows.two().get(1)));
      Waiting late = waits.begin(raise(two)).stillThereAfter(1_500);
      SQLException error = late.error();
      assertEquals(1205, error.getErrorCode(), error.toString());
      holder.run("COMMIT");
      waits.run("COMMIT");
      assertEquals("4", waits.one("SELECT SUM(b) FROM t"));
    }
  }

  @Test
  void openTransactionsAreShown(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Rows rows = rows(servers);
    int one = rows.one().getFirst();
    try (Client holder = Client.holding(port, SCHEMA, one);
        Client waits = Client.open(port, SCHEMA)) {
      String local = waits.one("SHOW TRANS");
      assertTrue(local.matches("\\d+ null IDLE \\d+ null dn-1:\\d+ primary wrote cn-1"), local);
      holder.run(raise(rows.two().getFirst()));
      String both = waits.one("SHOW TRANS");
      assertTrue(
          both.matches(
              "\\d+ a:cn-1:\\w+:\\w+:dn-1 IDLE \\d+ null dn-1:\\d+ primary wrote, dn-2:\\d+ wrote cn-1"),
          both);
      waits.run("BEGIN");
      Waiting late = waits.begin(raise(one)).stillThereAfter(300);
      assertTrue(holder.one("SHOW TRANS").contains(" null AT_WORK "));
      holder.run("COMMIT");
      assertEquals(1, late.rows());
      waits.run("COMMIT");
      assertEquals("", holder.one("SHOW TRANS"));
    }
  }
}
