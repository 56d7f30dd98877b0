package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.LogFiles;
import io.alrai.dn.link.Branch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower becomes a leader by statements alone, and no commit slips through meanwhile. */
class PromotionBySqlIT {
  private static final int WRITERS = 4;
  private static final int READ_ONLY = 1290;

  @TempDir Path temporary;

  @Test
  void noCommitReturnsBeforeItIsAcknowledged() throws Exception {
    ReplicaServer source =
        new ReplicaServer(temporary.resolve("source"), 1, config -> config.withDurable(false));
    try (source;
        RecordingRelay relay = new RecordingRelay(source.instance().socketPath());
        XaLoad load = new XaLoad(source);
        ReplicaServer follower =
            new ReplicaServer(temporary.resolve("follower"), 2, ReplicaServer.following(2))) {
      source.query(
          "CREATE TABLE f.auto (id INT PRIMARY KEY AUTO_INCREMENT, v INT);"
              + "CREATE TABLE f.written (v INT)");
      follower.follow(relay.port(), source);
      follower.query("START REPLICA");
      load.start(Facts.SEED);
      TimeUnit.SECONDS.sleep(1);
      load.end();
      burn(source);
      List<String> prepared = source.prepared();
      assertFalse(prepared.isEmpty());
      String all = source.executed();
      Path log = source.dataDirectory();
      source.kill();
      List<Writer> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(new Writer(follower.connect(), i));
      }
      writers.forEach(Writer::start);
      promote(follower, all);
      assertEquals(prepared, follower.prepared());
      assertEquals(all, follower.executed());
      Eventually.await("waiting commits", () -> waiting(follower) > 0);
      TimeUnit.MILLISECONDS.sleep(500);
      assertEquals(0, load.assertPrefix(log, follower));
      for (Writer writer : writers) {
        assertEquals(0, writer.succeeded, "a commit without an acknowledgement");
      }
      // a branch of the old leader, and numbers above all that were ever given out
      Branch branch = follower.connect();
      CompletableFuture<Answer> commit =
          ReplicaServer.send(branch, "XA COMMIT '" + prepared.getFirst() + "'");
      Branch other = follower.connect();
      CompletableFuture<Answer> insert =
          ReplicaServer.send(other, "INSERT INTO f.auto (v) VALUES (1);SELECT LAST_INSERT_ID()");
      assertThrows(TimeoutException.class, () -> commit.get(200, TimeUnit.MILLISECONDS));
      follower.query("SET GLOBAL rpl_semi_sync_source_enabled=OFF"); // instead of an ACK
      ReplicaServer.get(commit);
      assertEquals("7", ReplicaServer.get(insert).rows().getFirst().getFirst());
      for (Writer writer : writers) {
        writer.end();
        assertTrue(writer.refused > 0, "never refused");
      }
      assertTrue(LogFiles.transactions(follower.dataDirectory()).size() > 0);
    }
  }

  /**
   * Numbers 1 and 2 stay, 3 is rolled back, 4 is prepared, 5 and 6 are prepared and rolled back.
   */
  private static void burn(ReplicaServer source) throws Exception {
    String insert = "INSERT INTO f.auto (v) VALUES (0)";
    source.query(insert + ";" + insert + ";BEGIN;" + insert + ";ROLLBACK");
    source.query("XA START 'a';" + insert + ";XA END 'a';XA PREPARE 'a'");
    source.query(
        "XA START 'b';" + insert + ";" + insert + ";XA END 'b';XA PREPARE 'b';XA ROLLBACK 'b'");
    source.query("XA ROLLBACK 'a'");
  }

  private static void promote(ReplicaServer follower, String all) throws Exception {
    Branch branch = follower.connect();
    StringBuilder times = new StringBuilder();
    long begin = System.nanoTime();
    for (String step :
        List.of(
            "SELECT WAIT_FOR_EXECUTED_GTID_SET('" + all + "',60)",
            "STOP REPLICA",
            "RESET REPLICA ALL",
            "SET GLOBAL innodb_flush_log_at_trx_commit=1",
            "SET GLOBAL sync_binlog=1",
            "SET GLOBAL rpl_semi_sync_source_timeout=4294967295",
            "SET GLOBAL rpl_semi_sync_source_enabled=ON",
            "XA RECOVER",
            "SHOW BINARY LOG STATUS",
            "SET GLOBAL super_read_only=OFF",
            "SET GLOBAL read_only=OFF")) {
      long from = System.nanoTime();
      ReplicaServer.run(branch, step);
      String name = step.replaceFirst("\\(.*", "").replaceFirst("SET GLOBAL (rpl_)?", "");
      times.append(", %s %.1f".formatted(name, (System.nanoTime() - from) / 1e6));
    }
    Facts.print("promotion %.1f ms%s", (System.nanoTime() - begin) / 1e6, times);
  }

  private static long waiting(ReplicaServer server) throws Exception {
    return Long.parseLong(
        server
            .query("SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_source_wait_sessions'")
            .getFirst()
            .getLast());
  }

  /** Tries to write all the time. */
  private static final class Writer {
    private final Branch branch;
    private final int number;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean ending;
    private volatile int refused;
    private volatile int succeeded;

    Writer(Branch branch, int number) {
      this.branch = branch;
      this.number = number;
    }

    void start() {
      Thread.ofVirtual()
          .start(() -> {
            try {
              while (!ending) {
                try {
                  ReplicaServer.run(branch, "INSERT INTO f.written VALUES (" + number + ")");
                  succeeded++;
                } catch (Answer.Failed e) {
                  if (!e.is(READ_ONLY)) {
                    throw e;
                  }
                  refused++;
                }
              }
              ended.complete(null);
            } catch (Exception e) {
              ended.completeExceptionally(e);
            }
          });
    }

    void end() throws Exception {
      ending = true;
      ReplicaServer.get(ended);
    }
  }
}
