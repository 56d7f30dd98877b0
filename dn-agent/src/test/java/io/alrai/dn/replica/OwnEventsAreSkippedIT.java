package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.LogFiles;
import io.alrai.dn.mysqld.MysqldConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An old leader has lost what it wrote last, and the group has it: whether it takes back what bears
 * its own number.
 */
class OwnEventsAreSkippedIT {
  private static final String FEEDER = "00000000-0000-4000-8000-000000000001";

  @TempDir Path temporary;

  @Test
  void silentlyUnlessItIsSaidThatTheyAreWanted() throws Exception {
    try (ReplicaServer leader =
        new ReplicaServer(temporary.resolve("leader"), 1, ReplicaServer.leading())) {
      writeAndWait(leader);
      List<BinlogTransaction> log = log(leader);
      byte[] format = LogFiles.format(leader.dataDirectory());
      leader.kill();
      leader.deleteBinlog();
      UnaryOperator<MysqldConfig> skipping =
          config ->
              ReplicaServer.following(2)
                  .apply(config)
                  .withOption("replicate-same-server-id", "OFF");
      leader.start(skipping);
      String kept = leader.uuid() + ":1-2";
      assertEquals(kept, leader.executed());
      CountDownLatch sent = new CountDownLatch(1);
      try (FakeSource source =
          new FakeSource(
              FEEDER,
              99,
              "CRC32",
              stream -> {
                stream.event(FakeSource.rotation());
                stream.event(format);
                for (BinlogTransaction one : log.subList(2, log.size())) {
                  stream.all(LogFiles.events(one));
                }
                stream.event(FakeSource.heartbeat(1 << 20));
                sent.countDown();
                new CountDownLatch(1).await(60, TimeUnit.SECONDS);
              })) {
        leader.follow(source.port(), leader);
        leader.query("START REPLICA");
        sent.await();
        Eventually.await("the heartbeat", () -> heartbeats(leader) > 0);
        assertEquals(List.of("ON", "0", "", ""), leader.receiver().getFirst());
        assertEquals("", leader.applierError());
        assertEquals(kept, leader.executed());
        assertThrows(Answer.Failed.class, () -> leader.query("SELECT * FROM f.u"));
        leader.kill();
        leader.deleteBinlog();
        leader.start(ReplicaServer.following(2));
        leader.query("START REPLICA");
        leader.awaitApplied(leader.uuid() + ":1-5");
        assertEquals(List.of("a"), leader.prepared());
        assertEquals("1", leader.value("SELECT GROUP_CONCAT(id) FROM f.t"));
        leader.query("STOP REPLICA;SET GLOBAL super_read_only=OFF;SET GLOBAL read_only=OFF");
        leader.query("XA COMMIT 'a'");
        assertEquals(leader.uuid() + ":1-6", leader.executed());
      }
    }
  }

  /** Two transactions that are acknowledged, and three that are in the log and wait. */
  private static void writeAndWait(ReplicaServer leader) throws Exception {
    leader.query(
        "SET GLOBAL rpl_semi_sync_source_enabled=OFF;CREATE DATABASE f;"
            + "CREATE TABLE f.t (id INT PRIMARY KEY);SET GLOBAL rpl_semi_sync_source_enabled=ON");
    List<String> waiting =
        List.of(
            "INSERT INTO f.t VALUES (1)",
            "CREATE TABLE f.u (id INT PRIMARY KEY)",
            "XA START 'a';INSERT INTO f.t VALUES (2);XA END 'a';XA PREPARE 'a'");
    for (int i = 0; i < waiting.size(); i++) {
      ReplicaServer.send(leader.connect(), waiting.get(i));
      int wanted = 3 + i;
      Eventually.await("the log", () -> log(leader).size() == wanted);
    }
  }

  private static List<BinlogTransaction> log(ReplicaServer server) throws Exception {
    return LogFiles.transactions(server.dataDirectory());
  }

  private static long heartbeats(ReplicaServer server) throws Exception {
    return Long.parseLong(
        server.value(
            "SELECT count_received_heartbeats FROM"
                + " performance_schema.replication_connection_status"));
  }
}
