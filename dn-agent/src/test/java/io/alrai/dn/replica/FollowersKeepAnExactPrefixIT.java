package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.mysqld.MysqldConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Followers that are killed at random moments while they apply, half of it XA. */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class FollowersKeepAnExactPrefixIT {
  @TempDir Path temporary;
  private ReplicaServer source;
  private RecordingRelay relay;
  private XaLoad load;
  private ReplicaServer follower;

  @BeforeEach
  void start() throws Exception {
    source = new ReplicaServer(temporary.resolve("source"), 1, config -> config.withDurable(false));
    relay = new RecordingRelay(source.instance().socketPath());
    load = new XaLoad(source);
  }

  @AfterEach
  void stop() throws Exception {
    load.close();
    relay.close();
    follower.close();
    source.close();
  }

  private void follower(UnaryOperator<MysqldConfig> options) throws Exception {
    follower = new ReplicaServer(temporary.resolve("follower"), 2, options);
    follower.follow(relay.port(), source);
  }

  @Test
  void withoutAnyFlushTheyLoseASuffixAtMost() throws Exception {
    killsUnderLoad(0);
  }

  @Test
  void flushedToTheSystemTheyLoseTheLastCommitsAtMost() throws Exception {
    killsUnderLoad(2);
  }

  private void killsUnderLoad(int flush) throws Exception {
    UnaryOperator<MysqldConfig> options = ReplicaServer.following(flush);
    follower(options);
    Random random = new Random(Facts.SEED + flush);
    follower.query("START REPLICA");
    follower.awaitApplied(source.executed());
    load.start(Facts.SEED);
    long most = 0;
    long restarts = 0;
    for (int kill = 0; kill < Facts.KILLS; kill++) {
      follower.query("START REPLICA");
      TimeUnit.MILLISECONDS.sleep(random.nextInt(300, 1_200));
      String before = follower.executed();
      follower.kill();
      follower.deleteBinlog();
      long begin = System.nanoTime();
      follower.start(options);
      restarts += System.nanoTime() - begin;
      load.assertPrefix(source.dataDirectory(), follower);
      most = Math.max(most, lost(before, follower));
    }
    load.end();
    follower.query("START REPLICA");
    follower.awaitApplied(source.executed());
    assertSame();
    List<String> prepared = source.prepared();
    for (String branch : prepared) {
      source.query("XA COMMIT '" + branch + "'");
    }
    follower.awaitApplied(source.executed());
    assertSame();
    Facts.print(
        "follower, flush %d: %d kills over %s, one took %d at most, start %d ms, %d prepared",
        flush,
        Facts.KILLS,
        source.executed().replaceFirst(".*:", ""),
        most,
        TimeUnit.NANOSECONDS.toMillis(restarts / Facts.KILLS),
        prepared.size());
  }

  /** How many transactions of one origin it had and has not. */
  private static long lost(String before, ReplicaServer server) throws Exception {
    String gone = server.value("SELECT GTID_SUBTRACT('" + before + "',@@global.gtid_executed)");
    if (gone.isEmpty()) {
      return 0;
    }
    String[] ends = gone.replaceFirst(".*:", "").split("-", -1);
    return Long.parseLong(ends[ends.length - 1]) - Long.parseLong(ends[0]) + 1;
  }

  private void assertSame() throws Exception {
    assertEquals("", follower.applierError());
    assertEquals(source.prepared(), follower.prepared());
    String sums = "CHECKSUM TABLE f.counter,f.journal";
    assertEquals(source.query(sums), follower.query(sums));
    assertEquals(0, load.assertPrefix(source.dataDirectory(), follower));
  }

  /** Why a follower logs what it applies, though it deletes that log at each start. */
  @Test
  void whoHasALogAndDoesNotLogWhatItAppliesLosesPreparedBranches() throws Exception {
    UnaryOperator<MysqldConfig> options =
        config -> ReplicaServer.following(1).apply(config).withOption("log-replica-updates", "OFF");
    follower(options);
    source.query("XA START 'a';INSERT INTO f.journal VALUES (1);XA END 'a';XA PREPARE 'a'");
    String prepare = source.executed();
    source.query("INSERT INTO f.journal VALUES (2)");
    follower.query("START REPLICA");
    follower.awaitApplied(source.executed());
    assertEquals(List.of("0x61"), hex(follower));
    follower.stop();
    follower.start(options);
    assertEquals(List.of(), follower.prepared());
    assertEquals(
        "0", follower.value("SELECT GTID_SUBSET('" + prepare + "',@@global.gtid_executed)"));
    assertEquals("2", follower.value("SELECT GROUP_CONCAT(id) FROM f.journal"));
    assertTrue(follower.executed().contains(source.uuid()));
  }

  private static List<String> hex(ReplicaServer server) throws Exception {
    return server.query("XA RECOVER CONVERT XID").stream().map(List::getLast).toList();
  }
}
