package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.link.XaName;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldState;
import io.alrai.dn.rpc.FakeParticipant;
import io.alrai.dn.ship.FeedReader;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leaders come and go while the member and its mysqld stay. */
class LeaderPartIT {
  private static final DnId DN = new DnId("dn-1");
  private static final DnId OTHER = new DnId("dn-2");
  private static final String ROWS = "SELECT a FROM d.t ORDER BY a";

  @TempDir Path temporary;
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final Metrics metrics = new Metrics();
  private Member member;
  private LeaderPart leader;
  private volatile boolean otherIsKnown;

  private void openMember() {
    MysqldInstance instance =
        TestMembers.mysqld(temporary.resolve("dn-1"), 1, MysqldConfig::withSemiSync);
    member = Member.open(DN, instance, TestMembers.context(loops, metrics));
  }

  private LeaderPart openLeader() {
    return LeaderPart.open(
        member,
        new LeaderContext(
            new PoolLimits(20, 4, Duration.ofSeconds(10).toNanos()),
            this::participant,
            CoordinatorPulse.OF_THIS_PROCESS));
  }

  private CommitParticipant participant(DnId dn) {
    if (dn.equals(DN)) {
      return leader.participant();
    }
    if (!otherIsKnown) {
      throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "not known yet");
    }
    return new FakeParticipant();
  }

  @AfterEach
  void stop() throws Exception {
    member.supervisor().stopNow();
    leader.close();
    member.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(2_000);
  }

  /** A connection that nobody's end ends. */
  private Branch connect(BackendAccount account) throws Exception {
    CompletableFuture<Branch> opened = new CompletableFuture<>();
    member
        .connector()
        .open(
            loops.next(),
            account,
            new OneUse(),
            new BranchTaker() {
              @Override
              public void taken(Branch branch) {
                opened.complete(branch);
              }

              @Override
              public void refused(AlraiException reason) {
                opened.completeExceptionally(reason);
              }
            });
    return RealNode.get(opened);
  }

  private List<List<String>> past(String sql) throws Exception {
    Branch branch = connect(BackendAccount.ADMIN);
    try {
      return RealNode.run(branch, sql);
    } finally {
      branch.eventLoop().execute(branch::close);
    }
  }

  private List<List<String>> run(String sql) throws Exception {
    Branch branch = RealNode.take(leader.link(), loops.next(), BackendAccount.ADMIN);
    try {
      return RealNode.run(branch, sql);
    } finally {
      branch.eventLoop().execute(branch::release);
    }
  }

  private CompletableFuture<Answer> commits(Branch branch, String sql) {
    return RealNode.onLoop(branch, () -> Answer.of(branch, Sql.client(sql)));
  }

  private void awaitCommitThatWaits() throws Exception {
    Eventually.await(
        "the commit that waits",
        () -> {
          try {
            return past("SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_source_wait_sessions'")
                .getFirst()
                .getLast()
                .equals("1");
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** How many connections the mysqld has, this one apart. */
  private long connections() {
    try {
      return Long.parseLong(
          past("SELECT COUNT(*) FROM information_schema.processlist"
                  + " WHERE user LIKE 'alrai%' AND id<>CONNECTION_ID()")
              .getFirst()
              .getFirst());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Threads of a leader, virtual ones too. */
  private List<String> threads() throws Exception {
    Path dump = Files.createTempDirectory(temporary, "threads").resolve("dump");
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
    return Files.readString(dump)
        .lines()
        .filter(line -> line.contains("\"resolver-" + DN) || line.contains("\"decided-" + DN))
        .toList();
  }

  private double metric(Metric metric) {
    return metrics.samples().stream()
        .filter(sample -> sample.metric() == metric)
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static List<String> seen(FeedReader reader, int count) throws InterruptedException {
    List<String> gtids = new ArrayList<>();
    while (gtids.size() < count) {
      gtids.add(reader.next(Duration.ofSeconds(20)).orElseThrow().gtid().toString());
    }
    assertTrue(reader.next(Duration.ofMillis(50)).isEmpty(), "more than " + gtids);
    return gtids;
  }

  private Branch prepared(TransactionId id, int row) throws Exception {
    Branch branch = RealNode.take(leader.link(), loops.next());
    String name = XaName.name(id, DN).text();
    RealNode.run(branch, "XA START " + name + ";INSERT INTO d.t VALUES (" + row + ")");
    RealNode.get(RealNode.onLoop(branch, () -> leader.participant().prepare(branch, id)));
    return branch;
  }

  @Test
  void nothingIsLeftOfOneThatIsClosed() throws Exception {
    openMember();
    member.start();
    Eventually.await("the member's own, for the mysqld's status", () -> connections() == 1);
    leader = openLeader();
    run("CREATE DATABASE d");
    run("CREATE TABLE d.t (a INT PRIMARY KEY)");
    Branch prepared = prepared(new TransactionId(new NodeId("cn-1"), 1, 1, OTHER), 2);
    Branch open = RealNode.take(leader.link(), loops.next());
    RealNode.run(open, "START TRANSACTION;INSERT INTO d.t VALUES (3)");
    assertFalse(threads().isEmpty(), "they would be seen");
    assertTrue(connections() >= 5, "the member's, the stream's, the own, the branches");
    assertEquals(1, metric(Metric.IN_DOUBT_BRANCHES));

    assertThrows(IllegalStateException.class, this::openLeader);
    run("CREATE TABLE d.led (a INT)"); // by the first
    assertEquals(1, metric(Metric.IN_DOUBT_BRANCHES));

    leader.close();
    assertFalse(open.alive());
    assertFalse(prepared.alive());
    assertEquals(List.of(), threads());
    Eventually.await("end of all connections of the leader", () -> connections() == 1);
    assertEquals(0, metric(Metric.IN_DOUBT_BRANCHES));
    AlraiException refused =
        assertThrows(AlraiException.class, () -> RealNode.take(leader.link(), loops.next()));
    assertEquals(ErrorCode.ER_SERVER_SHUTDOWN.errno(), refused.errno());
  }

  @Test
  void theNextOneGoesOn() throws Exception {
    openMember();
    member.start();
    leader = openLeader();
    FeedReader reader = member.feed().subscribe(new GtidSet());
    run("CREATE DATABASE d");
    run("CREATE TABLE d.t (a INT PRIMARY KEY)");
    run("INSERT INTO d.t VALUES (1)");
    prepared(new TransactionId(new NodeId("cn-1"), 1, 1, OTHER), 2);
    assertEquals(4, seen(reader, 4).size());
    leader.close();

    Branch writer = connect(BackendAccount.DATA);
    CompletableFuture<Answer> written = commits(writer, "INSERT INTO d.t VALUES (4)");
    awaitCommitThatWaits();
    assertEquals("[[1]]", past(ROWS).toString());
    assertFalse(written.isDone());

    otherIsKnown = true;
    leader = openLeader();
    RealNode.get(written);
    awaitRows("[[1], [2], [4]]"); // the resolver commits what was left prepared
    assertEquals(2, seen(reader, 2).size(), "the reader has missed nothing");
    writer.eventLoop().execute(writer::close);

    long pid = member.supervisor().pid().orElseThrow();
    member.supervisor().crash();
    Eventually.await(
        "restart",
        () ->
            member.supervisor().state() == MysqldState.UP
                && member.supervisor().pid().orElse(pid) != pid);
    run("INSERT INTO d.t VALUES (5)");
    assertEquals(1, seen(reader, 1).size());
    assertEquals("[[1], [2], [4], [5]]", run(ROWS).toString());
    reader.close();
  }

  private void awaitRows(String wanted) throws Exception {
    Eventually.await(
        wanted,
        () -> {
          try {
            return run(ROWS).toString().equals(wanted);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void whatNobodyLeadsShowsNothingAndCanOnlyBeKilled() throws Exception {
    openMember();
    leader = openLeader();
    member.start();
    run("CREATE DATABASE d");
    run("CREATE TABLE d.t (a INT PRIMARY KEY)");
    run("INSERT INTO d.t VALUES (1)");
    leader.close();
    Branch writer = connect(BackendAccount.DATA);
    CompletableFuture<Answer> lost = commits(writer, "INSERT INTO d.t VALUES (2)");
    awaitCommitThatWaits();
    assertEquals("[[1]]", past(ROWS).toString());
    member.stop();
    assertThrows(Exception.class, () -> RealNode.get(lost));
    String log = Files.readString(member.supervisor().instance().errorLog());
    assertFalse(log.contains("Shutdown complete"), log);
    member.close();

    openMember();
    member.start();
    assertEquals("[[1]]", past(ROWS).toString(), "the tail was cut");
    leader = openLeader();
    run("INSERT INTO d.t VALUES (3)");
    assertEquals("[[1], [3]]", run(ROWS).toString());
  }
}
