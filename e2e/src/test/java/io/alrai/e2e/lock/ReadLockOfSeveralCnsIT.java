package io.alrai.e2e.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.metrics.Metric;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A lock that a session of one CN has holds the sessions of all CNs off, and dies with its CN. */
final class ReadLockOfSeveralCnsIT {
  private static final int METRICS = Ports.free();
  private static final String FTWRL = "FLUSH TABLES WITH READ LOCK";
  private static final String SCHEMA = "readlock";
  private static final String GLOBAL = "Waiting for global read lock";
  private static final String COMMIT = "Waiting for commit lock";

  @Test
  void overTwoCns() throws Exception {
    try (ClusterProcess cluster =
        ClusterProcess.up(
            List.of(),
            "--dns",
            "2",
            "--processes",
            "--cns",
            "2",
            "--metrics-port",
            Integer.toString(METRICS))) {
      int one = cluster.port();
      int two = cluster.port() + 1;
      Servers.freshRows(one, SCHEMA, 8, 0);
      ClusterProcess.await("the schema on the other CN", () -> served(two));
      kept(one, two);
      heldOff(one, two);
      heldOff(two, one);
      bothHaveIt(one, two);
      definitions(one, two);
      restarted(cluster, one, two);
      dead(cluster, one, two);
    }
  }

  /** LOCK TABLES of one CN keeps another one from replies that agents found for it before. */
  private static void kept(int one, int two) throws Exception {
    String read = "SELECT b FROM t WHERE a = 3";
    try (LockClient holder = new LockClient(one, SCHEMA);
        LockClient reader = new LockClient(two, SCHEMA)) {
      ClusterProcess.await("a kept reply", () -> found(reader, read) >= 5);
      holder.run("LOCK TABLES t WRITE", "UPDATE t SET b = 9");
      Future<Integer> waits = reader.begin(read);
      assertThrows(TimeoutException.class, () -> waits.get(300, TimeUnit.MILLISECONDS));
      holder.run("UNLOCK TABLES");
      assertEquals(0, LockClient.answer(waits));
      assertEquals("9", reader.one(read));
      ClusterProcess.await("it is kept again", () -> found(reader, read) >= 5);
      holder.run("UPDATE t SET b = 10 WHERE a = 3");
      assertEquals("10", reader.one(read));
    }
  }

  /** How many of ten reads the agents have answered. */
  private static long found(LockClient reader, String read) {
    try {
      long before = found();
      for (int i = 0; i < 10; i++) {
        reader.one(read);
      }
      return found() - before;
    } catch (SQLException | IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static long found() throws IOException, InterruptedException {
    long sum = 0;
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int dn = 0; dn < 2; dn++) {
        URI uri = URI.create("http://127.0.0.1:" + (METRICS + 2 + dn) + "/metrics");
        String text =
            client
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        sum +=
            text.lines()
                .filter(line -> line.startsWith(Metric.ROWS_FOUND.label()))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
      }
    }
    return sum;
  }

  private static boolean served(int port) {
    try (LockClient client = new LockClient(port, SCHEMA)) {
      return client.one("SELECT COUNT(*) FROM t").equals("8");
    } catch (SQLException e) {
      return false;
    }
  }

  /** Two transactions over both DNs, one at its statement and one at its commit. */
  private static void heldOff(int holders, int others) throws Exception {
    try (LockClient holder = new LockClient(holders, SCHEMA);
        LockClient writer = new LockClient(others, SCHEMA);
        LockClient committer = new LockClient(others, SCHEMA)) {
      holder.run("UPDATE t SET b = 0");
      committer.run("BEGIN", "UPDATE t SET b = b + 1 WHERE a > 4");
      holder.run(FTWRL);
      Future<Integer> write = writer.waiting("UPDATE t SET b = b + 10 WHERE a = 1", GLOBAL);
      Future<Integer> commit = committer.waiting("COMMIT", COMMIT);
      assertEquals("0", holder.one("SELECT SUM(b) FROM t"));
      try (LockClient reader = new LockClient(others, SCHEMA)) {
        assertEquals("0", reader.one("SELECT SUM(b) FROM t"));
      }
      assertFalse(write.isDone() || commit.isDone());
      holder.run("UNLOCK TABLES");
      assertEquals(0, LockClient.answer(write) + LockClient.answer(commit));
      assertEquals("14", holder.one("SELECT SUM(b) FROM t"));
    }
  }

  private static void bothHaveIt(int one, int two) throws Exception {
    try (LockClient first = new LockClient(one, SCHEMA);
        LockClient second = new LockClient(two, SCHEMA);
        LockClient writer = new LockClient(two, SCHEMA)) {
      first.run("BEGIN", "UPDATE t SET b = b + 1 WHERE a < 4");
      second.run("BEGIN", "UPDATE t SET b = b + 1 WHERE a > 3");
      Future<Integer> one1 = first.begin(FTWRL);
      Future<Integer> two1 = second.begin(FTWRL);
      (LockClient.first(one1, two1) == one1 ? first : second).run("UNLOCK TABLES");
      assertEquals(0, LockClient.answer(one1) + LockClient.answer(two1));
      first.run("UNLOCK TABLES", FTWRL);
      second.run("UNLOCK TABLES", FTWRL);
      Future<Integer> write = writer.waiting("UPDATE t SET b = 5", GLOBAL);
      first.run("UNLOCK TABLES");
      assertEquals("22", second.one("SELECT SUM(b) FROM t"));
      assertFalse(write.isDone());
      second.run("UNLOCK TABLES");
      assertEquals(0, LockClient.answer(write));
    }
  }

  private static void definitions(int one, int two) throws Exception {
    try (LockClient holder = new LockClient(one, SCHEMA);
        LockClient other = new LockClient(two, SCHEMA)) {
      holder.run("LOCK INSTANCE FOR BACKUP");
      Future<Integer> create = other.waiting("CREATE TABLE n (a INT)", "Waiting for backup lock");
      try (LockClient writer = new LockClient(two, SCHEMA)) {
        writer.run("UPDATE t SET b = 6");
      }
      assertFalse(create.isDone());
      holder.run("UNLOCK INSTANCE");
      assertEquals(0, LockClient.answer(create));
      other.run("DROP TABLE n");
    }
  }

  /** kill -9 of the CN that has it; the one that is started in its place takes the lock out. */
  private static void restarted(ClusterProcess cluster, int one, int two) throws Exception {
    try (LockClient holder = new LockClient(one, SCHEMA);
        LockClient writer = new LockClient(two, SCHEMA)) {
      holder.run(FTWRL, "LOCK INSTANCE FOR BACKUP");
      Future<Integer> write = writer.waiting("UPDATE t SET b = 7", GLOBAL);
      ClusterProcess.kill(cluster.role("cn-1").orElseThrow());
      assertEquals(0, LockClient.answer(write));
      ClusterProcess.await("the killed CN", () -> served(one));
      writer.run("CREATE TABLE n (a INT)", "DROP TABLE n");
      assertEquals("56", writer.one("SELECT SUM(b) FROM t"));
    }
  }

  /**
   * A CN that says nothing for longer than its lease: what it had is gone, also when it is back.
   */
  private static void dead(ClusterProcess cluster, int one, int two) throws Exception {
    try (LockClient holder = new LockClient(one, SCHEMA);
        LockClient writer = new LockClient(two, SCHEMA);
        LockClient late = new LockClient(one, SCHEMA);
        LockClient committer = new LockClient(one, SCHEMA);
        LockClient next = new LockClient(two, SCHEMA)) {
      committer.run("BEGIN", "UPDATE t SET b = b + 1 WHERE a = 3", "SET @a = 1");
      holder.run(FTWRL);
      ProcessHandle cn = cluster.role("cn-1").orElseThrow();
      Future<Integer> write = writer.waiting("UPDATE t SET b = 8 WHERE a <> 3", GLOBAL);
      ClusterProcess.pause(cn);
      Future<Integer> lateWrite;
      Future<Integer> lateCommit;
      try {
        assertEquals(0, LockClient.answer(write));
        // nor is it waited for
        next.run(FTWRL);
        assertEquals("63", next.one("SELECT SUM(b) FROM t"));
        // it finds these as soon as it goes on, before it can have heard of the lock
        lateWrite = late.begin("UPDATE t SET b = 100 WHERE a = 1");
        lateCommit = committer.begin("COMMIT");
      } finally {
        ClusterProcess.resume(cn);
      }
      Future<Integer> read = holder.begin("SELECT SUM(b) FROM t");
      assertNotEquals(0, LockClient.answer(read), "it was told that it still has the lock");
      late.awaitShown(GLOBAL);
      committer.awaitShown(COMMIT);
      assertEquals("63", next.one("SELECT SUM(b) FROM t"));
      next.run("UNLOCK TABLES");
      assertEquals(0, LockClient.answer(lateWrite));
      LockClient.answer(lateCommit);
      ClusterProcess.await("the CN that was stopped", () -> served(one));
      writer.run("UPDATE t SET b = 9");
    }
  }
}
