package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.dn.backend.Answer;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** While a statement about accounts waits for its acknowledgement, nobody logs in. */
class AccountStatementsShutOutLoginsIT {
  @TempDir Path temporary;

  private static void assertWaits(CompletableFuture<?> what) {
    assertThrows(TimeoutException.class, () -> what.get(500, TimeUnit.MILLISECONDS));
  }

  @Test
  void whoIsLoggedInReadsTablesButSeesNoBranches() throws Exception {
    try (ReplicaServer leader =
        new ReplicaServer(temporary.resolve("leader"), 1, ReplicaServer.leading())) {
      leader.query(
          "SET GLOBAL rpl_semi_sync_source_enabled=OFF;CREATE DATABASE f;CREATE TABLE f.t (id INT"
              + " PRIMARY KEY);CREATE USER u;SET GLOBAL rpl_semi_sync_source_enabled=ON");
      Branch granting = leader.connect();
      Branch reading = leader.connect();
      Branch recovering = ReplicaServer.get(leader.connecting(BackendAccount.AGENT));
      Branch releasing = leader.connect();
      CompletableFuture<Answer> insert =
          ReplicaServer.send(leader.connect(), "INSERT INTO f.t VALUES (1)");
      assertWaits(insert);
      leader.connect(); // another statement that waits shuts nobody out
      CompletableFuture<Answer> grant = ReplicaServer.send(granting, "GRANT SELECT ON f.* TO u");
      assertWaits(grant);
      CompletableFuture<Branch> admin = leader.connecting(BackendAccount.ADMIN);
      CompletableFuture<Branch> agent = leader.connecting(BackendAccount.AGENT);
      assertWaits(admin);
      assertWaits(agent);
      assertEquals(
          "0", ReplicaServer.run(reading, "SELECT COUNT(*) FROM f.t").getFirst().getFirst());
      // who has its privileges by a role has them in the session
      ReplicaServer.run(reading, "XA RECOVER");
      CompletableFuture<Answer> recover = ReplicaServer.send(recovering, "XA RECOVER");
      assertWaits(recover);
      ReplicaServer.run(releasing, "SET GLOBAL rpl_semi_sync_source_enabled=OFF");
      ReplicaServer.get(insert);
      ReplicaServer.get(grant);
      ReplicaServer.get(admin);
      ReplicaServer.get(agent);
      ReplicaServer.get(recover);
    }
  }
}
