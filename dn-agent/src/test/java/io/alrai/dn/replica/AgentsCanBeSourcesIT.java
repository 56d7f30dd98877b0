package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What a stock replica needs from a source that is no mysqld. */
@TestInstance(Lifecycle.PER_CLASS)
class AgentsCanBeSourcesIT {
  private static final String FEEDER = "00000000-0000-4000-8000-000000000001";
  private static final UUID OTHER = UUID.fromString("00000000-0000-4000-8000-000000000002");
  private static final int FOLLOWER_ID = 2;
  private static final int FEEDER_ID = 99;
  private static final int GTID = 33;
  private static final int TIMEOUT_SECONDS = 2;

  /** After all places of the origin's log. */
  private static final int AHEAD = 1 << 20;

  @TempDir static Path temporary;
  private ReplicaServer origin;
  private ReplicaServer follower;
  private byte[] format;
  private List<BinlogTransaction> log;
  private String all;

  @BeforeAll
  void start() throws Exception {
    origin = new ReplicaServer(temporary.resolve("origin"), 1, config -> config);
    origin.query("CREATE DATABASE f;CREATE TABLE f.t (id INT PRIMARY KEY)");
    for (int i = 1; i <= 6; i++) {
      origin.query("INSERT INTO f.t VALUES (" + i + ")");
    }
    // a transaction that takes a while, and one that needs it
    origin.query(
        "CREATE TABLE f.large (id INT PRIMARY KEY AUTO_INCREMENT, v INT);SET"
            + " cte_max_recursion_depth=30000;INSERT INTO f.large (v) WITH RECURSIVE n (i) AS"
            + " (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<30000) SELECT i FROM n;"
            + "UPDATE f.large SET v=0 ORDER BY id DESC LIMIT 1");
    format = LogFiles.format(origin.dataDirectory());
    log = LogFiles.transactions(origin.dataDirectory());
    all = origin.executed();
    follower =
        new ReplicaServer(temporary.resolve("follower"), FOLLOWER_ID, ReplicaServer.following(2));
  }

  @BeforeEach
  void empty() throws Exception {
    follower.query(
        "SET GLOBAL super_read_only=OFF;STOP REPLICA;RESET REPLICA ALL;DROP DATABASE IF EXISTS f;"
            + "RESET BINARY LOGS AND GTIDS;SET GLOBAL super_read_only=ON");
  }

  @AfterEach
  void stop() throws Exception {
    follower.query("STOP REPLICA");
  }

  @AfterAll
  void end() {
    follower.close();
    origin.close();
  }

  private void follow(FakeSource source) throws Exception {
    follower.follow(source.port(), origin);
    follower.query("START REPLICA");
  }

  /** As a feeder that holds back. */
  private static void untilClosed(FakeSource.Stream stream) throws Exception {
    while (true) {
      stream.event(FakeSource.heartbeat(AHEAD));
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private static FakeSource source(FakeSource.Script script) throws IOException {
    return new FakeSource(FEEDER, FEEDER_ID, "CRC32", script);
  }

  private static void send(FakeSource.Stream stream, List<BinlogTransaction> transactions)
      throws Exception {
    for (BinlogTransaction one : transactions) {
      stream.all(LogFiles.events(one));
    }
  }

  private void begin(FakeSource.Stream stream) throws Exception {
    stream.event(FakeSource.rotation());
    stream.event(format);
  }

  /** Places in files are not looked at; the replica's own server id is taken. */
  @Test
  void transactionsOfSeveralServersComeInOneStream() throws Exception {
    GtidSet expected = new GtidSet();
    List<byte[]> events = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      UUID uuid = i % 2 == 0 ? UUID.fromString(origin.uuid()) : OTHER;
      for (byte[] event : LogFiles.events(log.get(i))) {
        events.add(renamed(event, uuid, i % 2 == 0 ? 1 : FOLLOWER_ID));
      }
      expected.add(new Gtid(uuid, "", i + 1));
    }
    try (FakeSource source =
        source(stream -> {
          begin(stream);
          stream.all(events);
          untilClosed(stream);
        })) {
      follow(source);
      follower.awaitApplied(expected.toString());
      assertEquals(expected, GtidSet.parse(follower.executed()));
      assertEquals("6", follower.value("SELECT COUNT(*) FROM f.t"));
    }
  }

  private static byte[] renamed(byte[] event, UUID uuid, int serverId) {
    byte[] renamed = event.clone();
    ByteBuffer buffer = ByteBuffer.wrap(renamed).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(5, serverId).putInt(13, 4);
    if (renamed[4] == GTID) {
      buffer.order(ByteOrder.BIG_ENDIAN);
      buffer.putLong(20, uuid.getMostSignificantBits());
      buffer.putLong(28, uuid.getLeastSignificantBits());
    }
    return FakeSource.summed(renamed);
  }

  /**
   * Logical times begin anew in each of a mysqld's files, and where another server's log follows:
   * what has the first time of all does not overtake what came before.
   */
  @Test
  void logicalTimesMayBeginAnew() throws Exception {
    List<BinlogTransaction> before = log.subList(0, log.size() - 1);
    List<byte[]> last = new ArrayList<>();
    for (byte[] event : LogFiles.events(log.getLast())) {
      last.add(event[4] == GTID ? timed(event, 0, 1) : event);
    }
    for (boolean tells : List.of(true, false)) {
      empty();
      try (FakeSource source =
          source(stream -> {
            begin(stream);
            send(stream, before);
            if (tells) {
              begin(stream);
            }
            stream.all(last);
            untilClosed(stream);
          })) {
        follow(source);
        follower.awaitApplied(all);
        assertEquals("0", follower.value("SELECT v FROM f.large WHERE id=30000"));
        follower.query("STOP REPLICA");
      }
    }
  }

  /**
   * A number that goes on by chance where another server's log follows: what is said to need the
   * second transaction only is done before its predecessor is, unless a rotation comes between.
   */
  @Test
  void logicalTimesThatGoOnByChanceNeedARotation() throws Exception {
    List<BinlogTransaction> before = log.subList(0, log.size() - 1);
    List<byte[]> last = new ArrayList<>();
    for (byte[] event : LogFiles.events(log.getLast())) {
      last.add(event[4] == GTID ? timed(event, 2, log.size()) : event);
    }
    for (boolean tells : List.of(false, true)) {
      empty();
      try (FakeSource source =
          source(stream -> {
            begin(stream);
            send(stream, before);
            if (tells) {
              stream.event(FakeSource.rotation());
            }
            stream.all(last);
            untilClosed(stream);
          })) {
        follow(source);
        if (tells) {
          follower.awaitApplied(all);
          assertEquals("0", follower.value("SELECT v FROM f.large WHERE id=30000"));
        } else {
          Eventually.await("a failure", () -> !follower.applierError().isEmpty());
          assertTrue(follower.applierError().contains("HA_ERR_KEY_NOT_FOUND"));
        }
        follower.query("STOP REPLICA");
      }
    }
  }

  private static byte[] timed(byte[] gtid, long committed, long sequence) {
    byte[] timed = gtid.clone();
    ByteBuffer.wrap(timed)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(45, committed)
        .putLong(53, sequence);
    return FakeSource.summed(timed);
  }

  @Test
  void eventsNeedNoChecksumWhenTheSourceSaysSo() throws Exception {
    byte[] without = format.clone();
    without[without.length - 5] = 0;
    try (FakeSource source =
        new FakeSource(
            FEEDER,
            FEEDER_ID,
            "NONE",
            stream -> {
              stream.event(FakeSource.bare(FakeSource.rotation()));
              stream.event(FakeSource.summed(without));
              for (BinlogTransaction one : log) {
                for (byte[] event : LogFiles.events(one)) {
                  stream.event(FakeSource.bare(event));
                }
              }
              new CountDownLatch(1).await(60, TimeUnit.SECONDS);
            })) {
      follow(source);
      follower.awaitApplied(all);
    }
  }

  /** Heartbeats alone keep the connection, for as long as a feeder holds back. */
  @Test
  void aSilentSourceIsLeftAndOneThatHoldsBackIsNot() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    CountDownLatch goOn = new CountDownLatch(1);
    try (FakeSource source =
        source(stream -> {
          int number = connections.incrementAndGet();
          begin(stream);
          if (number == 1) {
            stream.all(LogFiles.events(log.getFirst()));
            new CountDownLatch(1).await(60, TimeUnit.SECONDS);
          }
          while (goOn.getCount() > 0) {
            stream.event(FakeSource.heartbeat(AHEAD));
            goOn.await(500, TimeUnit.MILLISECONDS);
          }
          for (BinlogTransaction one : log.subList(1, log.size())) {
            stream.all(LogFiles.events(one));
          }
          untilClosed(stream);
        })) {
      follower.query("SET GLOBAL replica_net_timeout=" + TIMEOUT_SECONDS);
      long begin = System.nanoTime();
      follow(source);
      Eventually.await("a second connection", () -> connections.get() == 2);
      long silent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      TimeUnit.SECONDS.sleep(2 * TIMEOUT_SECONDS);
      assertEquals(2, connections.get());
      goOn.countDown();
      follower.awaitApplied(all);
      assertEquals(2, connections.get());
      Facts.print("a silent source is left after %d ms of %d s", silent, TIMEOUT_SECONDS);
      follower.query("SET GLOBAL replica_net_timeout=60");
    }
  }

  /** What was torn off is asked for again, and nothing of it was applied. */
  @Test
  void aTransactionThatEndsInTheMiddleIsAskedForAgain() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (FakeSource source =
        source(stream -> {
          int number = connections.incrementAndGet();
          begin(stream);
          if (number == 1) {
            stream.all(LogFiles.events(log.get(0)));
            stream.all(LogFiles.events(log.get(1)));
            List<byte[]> torn = LogFiles.events(log.get(2));
            stream.all(torn.subList(0, torn.size() - 1));
            return;
          }
          for (BinlogTransaction one : log.subList(2, log.size())) {
            stream.all(LogFiles.events(one));
          }
          untilClosed(stream);
        })) {
      follow(source);
      follower.awaitApplied(all);
      assertEquals(8 + 16 + 8 + 16, gtids(source.requests().get(1)).length);
      assertEquals("6", follower.value("SELECT COUNT(*) FROM f.t"));
    }
  }

  /** Only what the replica has received as a whole is in its request. */
  private static byte[] gtids(byte[] request) {
    int name = ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN).getInt(7);
    byte[] gtids = new byte[request.length - 11 - name - 8 - 4];
    System.arraycopy(request, 11 + name + 8 + 4, gtids, 0, gtids.length);
    return gtids;
  }

  /** Why a feeder's places only grow. */
  @Test
  void aHeartbeatFromThePastEndsTheReceiver() throws Exception {
    try (FakeSource source =
        source(stream -> {
          begin(stream);
          stream.all(LogFiles.events(log.getFirst()));
          stream.event(FakeSource.heartbeat(4));
          untilClosed(stream);
        })) {
      follow(source);
      Eventually.await("a refusal", () -> !error().isEmpty());
      assertTrue(error().contains("could not queue event"), error());
    }
  }

  private String error() throws Exception {
    return follower.receiver().getFirst().get(2);
  }

  /**
   * The replica's own format is taken: that of its version, with the checksum that it asked for.
   */
  @Test
  void aFormatNeedNotBeSent() throws Exception {
    try (FakeSource source =
        source(stream -> {
          stream.event(FakeSource.rotation());
          send(stream, log);
          untilClosed(stream);
        })) {
      follow(source);
      follower.awaitApplied(all);
      assertEquals("", error());
    }
  }

  @Test
  void heartbeatsNeedARotationBeforeThem() throws Exception {
    try (FakeSource source =
        source(stream -> {
          stream.event(format);
          send(stream, log);
          untilClosed(stream);
        })) {
      follow(source);
      follower.awaitApplied(all);
      Eventually.await("a refusal", () -> !error().isEmpty());
      assertTrue(error().contains("could not queue event"), error());
      assertEquals("OFF", follower.receiver().getFirst().getFirst());
    }
  }
}
