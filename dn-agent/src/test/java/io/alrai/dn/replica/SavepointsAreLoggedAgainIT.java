package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.binlog.LogFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a follower logs of what it applies is, event by event, what its source has logged. */
class SavepointsAreLoggedAgainIT {
  @TempDir Path temporary;

  private static List<List<String>> log(ReplicaServer server) throws Exception {
    return LogFiles.transactions(server.dataDirectory()).stream().map(LogFiles::shown).toList();
  }

  @Test
  void atTheSamePlaceWithTheSameText() throws Exception {
    try (ReplicaServer source =
            new ReplicaServer(temporary.resolve("source"), 1, config -> config);
        RecordingRelay relay = new RecordingRelay(source.instance().socketPath());
        ReplicaServer follower =
            new ReplicaServer(temporary.resolve("follower"), 2, ReplicaServer.following(2))) {
      String name = "SAVEPOINT `x y z`;";
      source.query("CREATE DATABASE f;CREATE TABLE f.t (id INT PRIMARY KEY)");
      source.query(
          "BEGIN;INSERT INTO f.t VALUES (1);" + name + "INSERT INTO f.t VALUES (2);COMMIT");
      source.query("BEGIN;INSERT INTO f.t VALUES (3);" + name + "COMMIT");
      source.query(
          "BEGIN;INSERT INTO f.t VALUES (4);"
              + name
              + "INSERT INTO f.t VALUES (5);ROLLBACK TO `x y z`;INSERT INTO f.t VALUES (6);COMMIT");
      source.query(
          "XA START 'a';INSERT INTO f.t VALUES (7);"
              + name
              + "INSERT INTO f.t VALUES (8);XA END 'a';XA PREPARE 'a'");
      follower.follow(relay.port(), source);
      follower.query("START REPLICA");
      follower.awaitApplied(source.executed());
      List<List<String>> expected = log(source);
      assertEquals(6, expected.size());
      for (List<String> transaction : expected.subList(2, 6)) {
        assertTrue(transaction.contains("2 SAVEPOINT `x y z`"), transaction.toString());
      }
      assertEquals(expected, log(follower));
    }
  }
}
