package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogFiles;
import io.alrai.dn.group.ApplierWatch;
import io.alrai.dn.group.MemoryGroup;
import io.alrai.dn.group.MysqldRoles;
import io.alrai.dn.group.ReplicaFeeder;
import io.alrai.dn.link.Branch;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who waits for good is noticed, and who is busy is let be. */
class AppliersAreWatchedIT {
  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final int LOOKS = 5;
  private static final int GTID = 33;

  @TempDir Path temporary;
  private final MemoryGroup group = new MemoryGroup(1);
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private List<BinlogTransaction> log;
  private ReplicaFeeder feeder;
  private ReplicaServer member;
  private MysqldRoles roles;
  private ApplierWatch watch;

  @BeforeEach
  void start() throws Exception {
    try (ReplicaServer origin =
        new ReplicaServer(temporary.resolve("a"), 1, config -> config.withDurable(false))) {
      origin.query(
          "CREATE DATABASE f;CREATE TABLE f.t (id INT PRIMARY KEY, v INT);"
              + "INSERT INTO f.t VALUES (1,1),(2,2);SET cte_max_recursion_depth=100000;"
              + "CREATE TABLE f.large (id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(200));"
              + "INSERT INTO f.large (v) WITH RECURSIVE n (i) AS"
              + " (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<100000)"
              + " SELECT REPEAT('x',200) FROM n;"
              + "ALTER TABLE f.large ADD INDEX (v), ALGORITHM=COPY;"
              + "UPDATE f.t SET v=3 WHERE id=1");
      log = LogFiles.transactions(origin.dataDirectory(), 100 << 20);
    }
    feeder = new ReplicaFeeder("dn-1", group, ReplicaServer.loop(), System::currentTimeMillis);
    feeder.start();
    member = new ReplicaServer(temporary.resolve("b"), 2, MysqldConfig::withGroup);
    roles = member.roles();
    watch = new ApplierWatch(roles, feeder, SHORT, LOOKS, () -> false, reports::add);
  }

  @AfterEach
  void stop() {
    watch.close();
    feeder.close();
    member.close();
  }

  private void follow() throws Exception {
    roles.follow(feeder.port(), ReplicaFeeder.USER, feeder.password());
    watch.start();
  }

  @Test
  void whoIsBusyIsLetBeAndWhoWaitsIsNot() throws Exception {
    follow();
    List<String> sleepers = new CopyOnWriteArrayList<>();
    long begin;
    try (ApplierWatch full =
        new ApplierWatch(roles, feeder, SHORT, LOOKS, () -> true, sleepers::add)) {
      full.start();
      group.commit(log.subList(0, log.size() - 1));
      begin = System.nanoTime();
      roles.awaitApplied(group.all(), BOUND);
    }
    // what looks busy after its disk was full may be asleep
    assertTrue(sleepers.getFirst().contains("its disk has room again"), sleepers.toString());
    long millis = (System.nanoTime() - begin) / 1_000_000;
    assertTrue(millis > SHORT.toMillis() * LOOKS * 2, "too fast: " + millis);
    assertEquals(List.of(), reports);
    Branch other = member.connect();
    ReplicaServer.run(other, "BEGIN;SELECT * FROM f.t WHERE id=1 FOR SHARE");
    group.commit(log.subList(log.size() - 1, log.size()));
    Eventually.await("a report", () -> !reports.isEmpty());
    assertTrue(reports.getFirst().contains("nothing is applied"), reports.toString());
    assertEquals(
        "READ COMMITTED",
        member.value(
            "SELECT trx_isolation_level FROM information_schema.innodb_trx"
                + " WHERE trx_state='LOCK WAIT'"));
    MysqldException late =
        assertThrows(
            MysqldException.class, () -> roles.awaitApplied(group.all(), Duration.ofMillis(200)));
    assertEquals(MysqldException.Reason.TIMEOUT, late.reason());
    ReplicaServer.run(other, "ROLLBACK");
    roles.awaitApplied(group.all(), BOUND);
    assertEquals(1, reports.size());
    keepsLittle();
  }

  /** What it logs while it follows goes, and is not missed. */
  private void keepsLittle() throws Exception {
    roles.flushEngineLogs();
    member.query("FLUSH BINARY LOGS");
    assertTrue(LogFiles.in(member.dataDirectory()).size() > 1);
    roles.purgeOwnBinlog();
    assertEquals(1, LogFiles.in(member.dataDirectory()).size());
    assertEquals(group.all(), roles.state().received());
    assertEquals(group.all(), roles.executed());
  }

  @Test
  void anErrorIsReportedWithItsText() throws Exception {
    follow();
    BinlogTransaction insert = log.get(2);
    group.commit(log.subList(0, 3));
    group.commit(List.of(again(insert)));
    GtidSet all = group.all();
    MysqldException error =
        assertThrows(MysqldException.class, () -> roles.awaitApplied(all, BOUND));
    assertEquals(MysqldException.Reason.START_FAILED, error.reason());
    assertTrue(error.sentence().contains("Duplicate entry '1'"), error.sentence());
    Eventually.await("a report", () -> !reports.isEmpty());
    assertTrue(reports.getFirst().contains("Duplicate entry '1'"), reports.toString());
  }

  /** The transaction under another name. */
  private static BinlogTransaction again(BinlogTransaction transaction) {
    Gtid gtid = new Gtid(UUID.fromString("00000000-0000-4000-8000-000000000002"), "", 1);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] event : LogFiles.events(transaction)) {
      if (event[4] == GTID) {
        ByteBuffer.wrap(event)
            .putLong(20, gtid.source().getMostSignificantBits())
            .putLong(28, gtid.source().getLeastSignificantBits())
            .putLong(36, Long.reverseBytes(1));
      }
      all.writeBytes(FakeSource.summed(event));
    }
    return new BinlogTransaction(
        gtid,
        new BinlogPosition("binlog.000001", 4),
        all.size(),
        true,
        transaction.kind(),
        1,
        List.of(),
        Optional.of(new EventBytes(all.toByteArray())));
  }

  @Test
  void aReceiverThatIsNotLetInIsReported() throws Exception {
    roles.follow(feeder.port(), ReplicaFeeder.USER, "wrong");
    watch.start();
    group.commit(log.subList(0, 1));
    Eventually.await("a report", () -> !reports.isEmpty());
    assertTrue(reports.getFirst().contains("CONNECTING"), reports.toString());
    assertTrue(roles.executed().isEmpty());
  }
}
