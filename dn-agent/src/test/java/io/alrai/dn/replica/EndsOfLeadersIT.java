package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Answer;
import io.alrai.dn.link.Branch;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a leader's waiting commits when it is to end, and what read-only lets pass. */
class EndsOfLeadersIT {
  private static final int READ_ONLY = 1290;

  @TempDir Path temporary;
  private ReplicaServer leader;

  @BeforeEach
  void start() throws Exception {
    leader = new ReplicaServer(temporary.resolve("leader"), 1, ReplicaServer.leading());
    leader.query(
        "SET GLOBAL rpl_semi_sync_source_enabled=OFF;CREATE DATABASE f;"
            + "CREATE TABLE f.t (id INT PRIMARY KEY)");
  }

  @AfterEach
  void stop() {
    leader.close();
  }

  private static void assertWaits(CompletableFuture<?> what) {
    assertThrows(TimeoutException.class, () -> what.get(300, TimeUnit.MILLISECONDS));
  }

  @Test
  void readOnlyIsNoFenceForPreparedBranches() throws Exception {
    for (String branch : List.of("1", "2")) {
      leader.query(
          "XA START '%1$s';INSERT INTO f.t VALUES (%1$s);XA END '%1$s';XA PREPARE '%1$s'"
              .formatted(branch));
    }
    leader.query("SET GLOBAL super_read_only=ON");
    Answer.Failed refused =
        assertThrows(Answer.Failed.class, () -> leader.query("INSERT INTO f.t VALUES (3)"));
    assertTrue(refused.is(READ_ONLY));
    leader.query("XA COMMIT '1'");
    leader.query("XA ROLLBACK '2'");
    assertEquals("1", leader.value("SELECT GROUP_CONCAT(id) FROM f.t"));
    assertEquals(leader.uuid() + ":1-6", leader.executed());
  }

  @Test
  void readOnlyWaitsForCommitsThatWait() throws Exception {
    leader.query("SET GLOBAL rpl_semi_sync_source_enabled=ON");
    Branch releasing = leader.connect();
    CompletableFuture<Answer> insert =
        ReplicaServer.send(leader.connect(), "INSERT INTO f.t VALUES (1)");
    assertWaits(insert);
    CompletableFuture<Answer> readOnly =
        ReplicaServer.send(leader.connect(), "SET GLOBAL super_read_only=ON");
    assertWaits(readOnly);
    assertEquals("0", leader.value("SELECT COUNT(*) FROM f.t"));
    ReplicaServer.run(releasing, "SET GLOBAL rpl_semi_sync_source_enabled=OFF");
    ReplicaServer.get(insert);
    ReplicaServer.get(readOnly);
  }

  @Test
  void anOrderedEndLetsCommitsGo() throws Exception {
    leader.query("SET GLOBAL rpl_semi_sync_source_enabled=ON");
    assertWaits(ReplicaServer.send(leader.connect(), "INSERT INTO f.t VALUES (1)"));
    leader.stop();
    leader.deleteBinlog();
    leader.start(ReplicaServer.leading());
    assertEquals("1", leader.value("SELECT GROUP_CONCAT(id) FROM f.t"));
    assertEquals(leader.uuid() + ":1-3", leader.executed());
  }
}
