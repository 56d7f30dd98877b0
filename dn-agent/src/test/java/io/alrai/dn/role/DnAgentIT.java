package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldState;
import io.alrai.dn.ship.FeedReader;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.ResolvedPlace;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose mysqld lets nothing through without it. */
class DnAgentIT {
  private static final DnId DN = new DnId("dn-1");

  @TempDir Path temporary;
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private DnAgent agent;

  @BeforeEach
  void start() {
    MysqldInstance instance =
        TestMembers.mysqld(temporary.resolve("dn-1"), 1, MysqldConfig::withSemiSync);
    agent =
        DnAgent.start(
            DN,
            instance,
            TestMembers.context(loops, new Metrics()),
            new LeaderContext(
                new PoolLimits(20, 4, Duration.ofSeconds(10).toNanos()),
                other -> agent.lead().link().participant(),
                CoordinatorPulse.OF_THIS_PROCESS));
  }

  @AfterEach
  void stop() throws Exception {
    agent.supervisor().stopNow();
    agent.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(2_000);
  }

  private Branch take() throws Exception {
    return RealNode.take(agent.lead().link(), loops.next());
  }

  private List<List<String>> run(String sql) throws Exception {
    Branch branch = RealNode.take(agent.lead().link(), loops.next(), BackendAccount.ADMIN);
    try {
      return RealNode.run(branch, sql);
    } finally {
      branch.eventLoop().execute(branch::release);
    }
  }

  private String value(String sql) throws Exception {
    return run(sql).getFirst().getFirst();
  }

  private String errorLog() throws Exception {
    return Files.readString(agent.supervisor().instance().errorLog());
  }

  /** What follows in a text runs where Alrai has put it together, and nowhere else. */
  @Test
  void aSecondStatementIsRefusedUnlessItIsAlraisOwn() throws Exception {
    for (BackendAccount account : List.of(BackendAccount.DATA, BackendAccount.DDL)) {
      Branch branch = RealNode.take(agent.lead().link(), loops.next(), account);
      for (int i = 0; i < 2; i++) {
        Answer.Failed refused =
            assertThrows(
                Answer.Failed.class,
                () ->
                    RealNode.get(
                        RealNode.onLoop(
                            branch,
                            () -> Answer.of(branch, Sql.of("DO 1;CREATE DATABASE second")))));
        assertTrue(refused.is(1064), refused::getMessage);
        assertEquals("[[;]]", RealNode.run(branch, "SELECT ';'").toString());
        assertEquals("[[1], [2]]", RealNode.run(branch, "SELECT 1;SELECT 2").toString());
        CompletableFuture<Answer> reset = new CompletableFuture<>();
        branch
            .eventLoop()
            .execute(() -> {
              Answer.send(branch, Command.RESET_CONNECTION, Sql.EMPTY, ReplyKind.STATUS, reset);
              branch.flush();
            });
        RealNode.get(reset);
      }
      branch.eventLoop().execute(branch::release);
    }
    assertEquals(
        "0", value("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name='second'"));
  }

  @Test
  void statementsWaitForTheStreamOnly() throws Exception {
    run("CREATE DATABASE d;CREATE TABLE d.t (a INT PRIMARY KEY)");
    run("INSERT INTO d.t VALUES (1),(2)");
    assertEquals("2", value("SELECT COUNT(*) FROM d.t"));
    assertEquals("1", value("SELECT @@global.rpl_semi_sync_source_enabled"));
  }

  @Test
  void itEndsInOrderAlthoughABranchIsPrepared() throws Exception {
    Branch branch = take();
    RealNode.run(branch, "CREATE DATABASE d;CREATE TABLE d.t (a INT PRIMARY KEY)");
    RealNode.run(branch, "XA START 'x';INSERT INTO d.t VALUES (1);XA END 'x';XA PREPARE 'x'");
    agent.supervisor().stop();
    assertTrue(errorLog().contains("Shutdown complete"), errorLog());
    // mysqld does that to idle ones, too, two seconds later, and may crash of it
    assertFalse(errorLog().contains("Forcing close"), errorLog());
    assertEquals(MysqldState.STOPPED, agent.supervisor().state());
  }

  @Test
  void aStatementThatDoesNotEndIsKilledWithItsServer() throws Exception {
    Branch branch = take();
    RealNode.run(branch, "CREATE DATABASE d;CREATE TABLE d.t (a INT PRIMARY KEY)");
    RealNode.run(branch, "LOCK TABLES d.t WRITE");
    agent.supervisor().stop();
    assertFalse(errorLog().contains("Shutdown complete"), errorLog());
  }

  /** Four writers count up, each in its own row, while the server is killed again and again. */
  @Test
  void whatWasAnsweredSurvivesAndNothingElseAppears() throws Exception {
    run(
        "CREATE DATABASE d;CREATE TABLE d.t (a INT PRIMARY KEY, n INT);"
            + "INSERT INTO d.t VALUES (0,0),(1,0),(2,0),(3,0)");
    AtomicInteger kills = new AtomicInteger();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    List<Thread> writers = new ArrayList<>();
    for (int row = 0; row < 4; row++) {
      int own = row;
      writers.add(Thread.ofVirtual().start(() -> count(own, kills, wrong)));
    }
    for (int i = 0; i < 5; i++) {
      long pid = agent.supervisor().pid().orElseThrow();
      Thread.sleep(300);
      agent.supervisor().crash();
      Eventually.await(
          "restart",
          () ->
              agent.supervisor().state() == MysqldState.UP
                  && agent.supervisor().pid().orElse(pid) != pid);
    }
    kills.set(5);
    for (Thread writer : writers) {
      writer.join(30_000);
      assertFalse(writer.isAlive());
    }
    assertEquals(List.of(), wrong);
  }

  /** Kills included, by whoever reads from the start, from the end, or comes late. */
  @Test
  void consumersGetEveryCommitOnce() throws Exception {
    FeedReader fromStart = agent.lead().feed().subscribe(new GtidSet());
    run("CREATE DATABASE d;CREATE TABLE d.t (a INT PRIMARY KEY AUTO_INCREMENT, b LONGTEXT)");
    GtidSet seen = new GtidSet();
    read(fromStart, seen);
    assertTrue(fromStart.near());
    for (int life = 0; life < 2; life++) {
      for (int i = 0; i < 40; i++) {
        run("INSERT INTO d.t (b) VALUES (REPEAT('x', " + i * 1_000 + "))");
      }
      run("INSERT INTO d.t (b) VALUES (REPEAT('x', 3000000))");
      read(fromStart, seen);
      agent.supervisor().crash();
      Eventually.await("restart", () -> value() != null);
    }
    run("INSERT INTO d.t (b) VALUES ('last')");
    read(fromStart, seen);
    assertTrue(fromStart.near());
    GtidSet executed = GtidSet.parse(value("SELECT @@global.gtid_executed"));
    assertEquals(executed, seen);
    FeedReader late = agent.lead().feed().subscribe(new GtidSet());
    GtidSet seenLate = new GtidSet();
    read(late, seenLate);
    assertEquals(executed, seenLate);
    assertTrue(late.near());
    fromStart.close();
    late.close();
  }

  private String value() {
    try {
      return value("SELECT 'up'");
    } catch (Exception down) {
      return null;
    }
  }

  private static void read(FeedReader from, GtidSet into) throws InterruptedException {
    Optional<BinlogTransaction> next;
    while ((next = from.next(Duration.ofSeconds(1))).isPresent()) {
      assertFalse(into.contains(next.get().gtid()), "twice: " + next.get());
      assertTrue(next.get().events().isPresent(), "without events: " + next.get());
      into.add(next.get().gtid());
    }
  }

  /**
   * A reader that has come to the place has all that is stamped at or below; no more of it comes.
   */
  @Test
  void whatIsResolvedIsComplete() throws Exception {
    run("CREATE DATABASE d;CREATE TABLE d.t (a INT PRIMARY KEY, n INT)");
    run("INSERT INTO d.t VALUES (0,0),(1,0),(2,0),(3,0)");
    LogSubscription reader = agent.lead().follow();
    assertEquals(Optional.empty(), reader.next(Duration.ofMillis(1)), "only takes its place");
    AtomicInteger end = new AtomicInteger();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    List<Thread> writers = new ArrayList<>();
    for (int row = 0; row < 4; row++) {
      int own = row;
      writers.add(Thread.ofVirtual().start(() -> count(own, end, wrong)));
    }
    HlcTimestamp before = HlcTimestamp.ZERO;
    int read = 0;
    long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    for (int i = 0; i < 60 || read < 100 && System.nanoTime() < patience; i++) {
      ResolvedPlace resolved = agent.lead().resolve(before).get(10, TimeUnit.SECONDS);
      assertTrue(resolved.at().compareTo(before) >= 0);
      while (reader.place().map(at -> at.compareTo(resolved.through()) < 0).orElse(true)) {
        if (reader.next(Duration.ofMillis(10)).isPresent()) {
          HlcTimestamp stamp = reader.stamp().orElseThrow();
          assertTrue(stamp.compareTo(before) > 0, stamp + " comes behind " + before);
          assertTrue(stamp.compareTo(resolved.at()) <= 0, stamp + " is above " + resolved);
          read++;
        }
      }
      before = resolved.at();
    }
    end.set(5);
    for (Thread writer : writers) {
      writer.join(30_000);
    }
    assertEquals(List.of(), wrong);
    assertTrue(read >= 100, "only " + read);
    reader.close();
  }

  @Test
  void filesThatNobodyWantsGo() throws Exception {
    run("CREATE DATABASE d;CREATE TABLE d.t (a INT PRIMARY KEY, n INT)");
    run("INSERT INTO d.t VALUES (1,0)");
    for (int i = 0; i < 9; i++) {
      run("FLUSH BINARY LOGS;UPDATE d.t SET n=n+1");
    }
    assertEquals("binlog.000001", value("SHOW BINARY LOGS"));
    agent.purgeLog().get(20, TimeUnit.SECONDS);
    assertEquals("binlog.000001", value("SHOW BINARY LOGS"), "recovery may need the last seconds");
    Eventually.await("all purges", () -> purgedTo("binlog.000006"));
    try (FeedReader behind = agent.lead().feed().subscribe(new GtidSet())) {
      assertThrows(BinlogException.class, () -> behind.next(Duration.ofSeconds(10)));
      run("FLUSH BINARY LOGS;UPDATE d.t SET n=n+1");
      agent.purgeLog().get(20, TimeUnit.SECONDS);
      assertEquals("binlog.000006", value("SHOW BINARY LOGS"), "somebody's place is not known");
    }
  }

  /** The first purge may go less far: the mark comes after the log in steps. */
  private boolean purgedTo(String file) {
    try {
      agent.purgeLog().get(20, TimeUnit.SECONDS);
      return value("SHOW BINARY LOGS").equals(file);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void count(int row, AtomicInteger kills, List<String> wrong) {
    int answered = 0;
    int uncertain = 0;
    while (kills.get() < 5 && wrong.isEmpty()) {
      try {
        Branch branch = take();
        try {
          int seen =
              Integer.parseInt(
                  RealNode.run(branch, "SELECT n FROM d.t WHERE a=" + row).get(0).get(0));
          if (seen < answered || seen > answered + uncertain) {
            wrong.add("row " + row + " is " + seen + ", answered were " + answered);
          }
          answered = seen;
          uncertain = 1;
          RealNode.run(branch, "UPDATE d.t SET n=n+1 WHERE a=" + row);
          answered++;
          uncertain = 0;
        } finally {
          branch.eventLoop().execute(branch::release);
        }
      } catch (Exception e) {
        Thread.onSpinWait(); // it is down: the next connection waits for it
      }
    }
  }
}
