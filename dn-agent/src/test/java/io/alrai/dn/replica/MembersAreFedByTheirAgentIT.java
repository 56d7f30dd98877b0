package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogFiles;
import io.alrai.dn.group.MemoryGroup;
import io.alrai.dn.group.MysqldRoles;
import io.alrai.dn.group.OwnBinlog;
import io.alrai.dn.group.ReplicaFeeder;
import io.alrai.dn.link.Branch;
import io.alrai.dn.mysqld.MysqldConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of a group start without a log of their own, are fed from the group's, and lead. */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class MembersAreFedByTheirAgentIT {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final int KEPT_BYTES = 100 << 20;

  /** A database, two tables and their rows. */
  private static final int TABLES = 4;

  private static final int READ_ONLY = 1290;
  private static final String HOSTILE = "`a\"b``c'd; -- é/*`";

  @TempDir Path temporary;
  private final MemoryGroup group = new MemoryGroup(Facts.SEED);
  private ReplicaFeeder feeder;

  @BeforeEach
  void listen() {
    feeder = new ReplicaFeeder("dn-1", group, ReplicaServer.loop(), System::currentTimeMillis);
    feeder.start();
  }

  @AfterEach
  void close() {
    feeder.close();
  }

  /** As the attendant of a group's member does. */
  private void startFed(ReplicaServer member) throws Exception {
    OwnBinlog.delete(member.instance());
    member.start(MysqldConfig::withGroup);
    MysqldRoles roles = member.roles();
    assertThrows(
        Answer.Failed.class, () -> member.query("CREATE DATABASE slips_through"), "read-only");
    roles.follow(feeder.port(), ReplicaFeeder.USER, feeder.password());
  }

  @Test
  void killedMembersGoOnAndLead() throws Exception {
    ReplicaServer leader =
        new ReplicaServer(temporary.resolve("a"), 1, config -> config.withDurable(false));
    try (leader;
        XaLoad load = new XaLoad(leader)) {
      writeAll(leader, load);
      GtidSet all = GtidSet.parse(leader.executed());
      List<String> prepared = leader.prepared();
      assertFalse(prepared.isEmpty());
      leader.kill();
      List<BinlogTransaction> log = LogFiles.transactions(leader.dataDirectory(), KEPT_BYTES);
      ReplicaServer member = new ReplicaServer(temporary.resolve("b"), 2, MysqldConfig::withGroup);
      try (member) {
        killWhileItIsFed(member, log, load, leader.dataDirectory());
        assertEquals(all, member.roles().executed());
        assertEquals(prepared, member.prepared());
        startFed(leader); // its log is deleted, and all of it comes back as far as it is missing
        leader.roles().awaitApplied(all, BOUND);
        assertSame(leader, member);
        promote(member);
        writeWithoutAcknowledgement(member);
        member.kill();
        List<BinlogTransaction> own = own(member);
        assertEquals(4, own.size());
        group.commit(own);
        startFed(member);
        for (ReplicaServer one : List.of(leader, member)) {
          one.roles().awaitApplied(group.all(), BOUND);
          assertEquals(group.all(), one.roles().executed());
          assertEquals("", one.roles().state().error());
        }
        assertSame(leader, member);
        ReplicaServer fed = member;
        Eventually.await("the receiver", () -> isOn(fed));
        assertEquals("1", leader.value("SELECT COUNT(*) FROM f.journal WHERE id<0"));
        assertEquals("0", leader.value("SELECT COUNT(*) FROM f.new"));
        leadAgain(leader);
        member.roles().awaitApplied(group.all(), BOUND);
        assertSame(leader, member);
      }
    }
  }

  private void writeAll(ReplicaServer leader, XaLoad load) throws Exception {
    load.start(Facts.SEED);
    TimeUnit.MILLISECONDS.sleep(Facts.ALL ? 20_000 : 1_500);
    leader.query(
        "CREATE TABLE f.large (id INT PRIMARY KEY, b LONGBLOB);CREATE DATABASE "
            + HOSTILE
            + ";CREATE TABLE "
            + HOSTILE
            + "."
            + HOSTILE
            + " ("
            + HOSTILE
            + " INT PRIMARY KEY, t VARCHAR(50)) COMMENT 'it''s; a \\\\ comment'"
            + ";INSERT INTO "
            + HOSTILE
            + "."
            + HOSTILE
            + " VALUES (1,'😀\\\\''\"')");
    leader.query("SET GLOBAL max_allowed_packet=1<<30");
    leader.query(
        "INSERT INTO f.large VALUES (1,REPEAT('a',20<<20))"
            + ",(2,REPEAT('b',(16<<20)-1)),(3,REPEAT('c',4<<20))");
    leader.query(
        "ALTER TABLE f.large ADD COLUMN w INT DEFAULT 5;ALTER TABLE f.large ENGINE=InnoDB;DROP"
            + " DATABASE IF EXISTS none");
    TimeUnit.MILLISECONDS.sleep(500);
    load.end();
  }

  /** The log comes bit by bit, so that a kill may come anywhere. */
  private void killWhileItIsFed(
      ReplicaServer member, List<BinlogTransaction> log, XaLoad load, Path logOfLeader)
      throws Exception {
    Random random = new Random(Facts.SEED);
    GtidSet tables = new GtidSet(); // without which nothing can be compared
    log.subList(0, TABLES).forEach(transaction -> tables.add(transaction.gtid()));
    int given = 0;
    member.kill();
    for (int kill = 0; kill < Facts.KILLS; kill++) {
      startFed(member);
      int until = given + (log.size() - given) / (Facts.KILLS - kill);
      group.commit(log.subList(given, until));
      given = until;
      member.roles().awaitApplied(tables, BOUND);
      TimeUnit.MILLISECONDS.sleep(random.nextInt(100, 1_000));
      GtidSet before = member.roles().executed();
      member.kill();
      OwnBinlog.delete(member.instance());
      member.start(MysqldConfig::withGroup);
      int missing = load.assertPrefix(logOfLeader, member);
      Facts.print("killed with %s, has not %d of %d", before, missing, log.size());
      member.kill();
    }
    startFed(member);
    member.roles().awaitApplied(group.all(), BOUND);
    assertEquals(0, load.assertPrefix(logOfLeader, member));
    assertThrows(
        Answer.Failed.class, () -> member.query("INSERT INTO f.journal VALUES (-1)"), "read-only");
  }

  private static void assertSame(ReplicaServer one, ReplicaServer other) throws Exception {
    String sums = "CHECKSUM TABLE f.counter,f.journal,f.large," + HOSTILE + "." + HOSTILE;
    assertEquals(one.query(sums), other.query(sums));
    assertEquals(one.prepared(), other.prepared());
    assertEquals(one.query("SHOW DATABASES"), other.query("SHOW DATABASES"));
  }

  private static void promote(ReplicaServer member) throws Exception {
    long begin = System.nanoTime();
    MysqldRoles roles = member.roles();
    member.query(
        "SET GLOBAL super_read_only=OFF;SET sql_log_bin=0;CREATE DATABASE alrai_gather_cn_1_7_1;"
            + "CREATE TABLE alrai_gather_cn_1_7_1.copy (v INT);SET GLOBAL super_read_only=ON");
    roles.leaveSource();
    Branch early = member.connect();
    Answer.Failed refused =
        assertThrows(
            Answer.Failed.class,
            () -> ReplicaServer.run(early, "INSERT INTO f.journal VALUES (-1)"));
    assertTrue(refused.is(READ_ONLY));
    roles.openForWrites();
    Facts.print("promotion %d ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    assertEquals(
        "REPEATABLE-READ,1,1",
        member.value(
            "SELECT CONCAT_WS(',',@@transaction_isolation,@@global.sync_binlog,"
                + "@@global.innodb_flush_log_at_trx_commit)"));
    assertFalse(roles.state().applies());
    assertFalse(member.isThere("alrai_gather%"), "copies of a statement that has ended");
  }

  /** The first commits of a new leader return to nobody, and nobody sees them. */
  private static void writeWithoutAcknowledgement(ReplicaServer member) throws Exception {
    temporaryTablesOfAnyEngineAreInNoLog(member);
    List<String> waiting =
        List.of(
            "CREATE TABLE f.new (v INT)",
            "XA START 'new';INSERT INTO f.journal VALUES (-2);XA END 'new';XA PREPARE 'new'",
            "INSERT INTO f.journal VALUES (-3)",
            "XA COMMIT '" + member.prepared().getFirst() + "'");
    List<CompletableFuture<Answer>> answers = new CopyOnWriteArrayList<>();
    for (int i = 0; i < waiting.size(); i++) {
      answers.add(ReplicaServer.send(member.connect(), waiting.get(i)));
      int wanted = i + 1;
      Eventually.await("the log", () -> own(member).size() == wanted);
    }
    for (CompletableFuture<Answer> answer : answers) {
      assertThrows(TimeoutException.class, () -> answer.get(50, TimeUnit.MILLISECONDS));
    }
    assertEquals("0", member.value("SELECT COUNT(*) FROM f.journal WHERE id<0"));
  }

  /** CNs see to it that all other tables are InnoDB's. */
  private static void temporaryTablesOfAnyEngineAreInNoLog(ReplicaServer member) throws Exception {
    for (String engine : List.of("MyISAM", "MEMORY", "CSV")) {
      String table = "CREATE TEMPORARY TABLE f.own (v INT NOT NULL) ENGINE=" + engine;
      assertEquals("7", member.value(table + ";INSERT INTO f.own VALUES (7);TABLE f.own"));
    }
    assertEquals(List.of(), own(member));
  }

  /** Its numbers in its log begin anew, and the other one's come before. */
  private void leadAgain(ReplicaServer leader) throws Exception {
    leader.roles().leaveSource();
    leader.query("SET GLOBAL rpl_semi_sync_source_enabled=OFF"); // instead of ACKs
    leader.roles().openForWrites();
    Branch branch = leader.connect();
    for (int i = 100; i < 200; i++) {
      String sql = "INSERT INTO f.journal VALUES (-" + i + ")";
      String xid = "'again" + i + "'";
      ReplicaServer.run(
          branch,
          i % 2 == 0
              ? sql + ";DELETE FROM f.journal WHERE id=-" + (i - 50)
              : "XA START "
                  + xid
                  + ";"
                  + sql
                  + ";XA END "
                  + xid
                  + ";XA PREPARE "
                  + xid
                  + ";XA COMMIT "
                  + xid);
    }
    GtidSet known = group.all();
    group.commit(
        own(leader).stream().filter(transaction -> !known.contains(transaction.gtid())).toList());
  }

  /** What it has logged as its first writer. */
  private static List<BinlogTransaction> own(ReplicaServer member) throws Exception {
    UUID uuid = UUID.fromString(member.uuid());
    return LogFiles.transactions(member.dataDirectory(), KEPT_BYTES).stream()
        .filter(transaction -> transaction.gtid().source().equals(uuid))
        .toList();
  }

  private static boolean isOn(ReplicaServer member) {
    try {
      return member.receiver().getFirst().getFirst().equals("ON");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
