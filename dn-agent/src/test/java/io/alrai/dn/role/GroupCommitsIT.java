package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import io.alrai.dn.binlog.MysqldLog;
import io.alrai.dn.group.GroupCommits;
import io.alrai.dn.group.GroupReader;
import io.alrai.dn.group.LogSource;
import io.alrai.dn.group.Shipped;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.raft.LogGroup;
import io.alrai.dn.ship.FeedReader;
import io.alrai.dn.xa.RealNode;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader whose commits wait for a group: a mysqld, and two members with the log alone. */
class GroupCommitsIT {
  private static final DnId DN = new DnId("dn-1");
  private static final String LEADER = "a";
  private static final String ROWS = "SELECT a FROM d.t ORDER BY a";
  private static final long POLL_MILLIS = 20_000;
  private static final int LONG = 5_000_000;

  @TempDir Path temporary;
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final List<Throwable> lost = new CopyOnWriteArrayList<>();
  private LogGroup group;
  private Member member;
  private GroupCommits commits;
  private LeaderPart leader;

  @BeforeEach
  void start() throws Exception {
    MysqldInstance instance =
        TestMembers.mysqld(temporary.resolve("dn-1"), 1, MysqldConfig::withSemiSync);
    member = Member.open(DN, instance, TestMembers.context(loops, new Metrics()));
    group = LogGroup.withOneOfRows(temporary.resolve("group")).start(LEADER, "b", "l");
    member.start();
    lead();
    run("CREATE DATABASE d");
    run("CREATE TABLE d.t (a INT PRIMARY KEY, b LONGTEXT)");
    run("INSERT INTO d.t VALUES (1, '')");
  }

  private void lead() throws Exception {
    assertEquals(LEADER, group.leader());
    long term = group.term(LEADER);
    commits =
        new GroupCommits(
            entry -> group.log(LEADER).append(term, entry),
            member.loop(),
            member.clock(),
            lost::add);
    RealNode.get(commits.begin(new GtidSet()));
    leader =
        LeaderPart.open(
            member,
            new LeaderContext(
                    new PoolLimits(20, 4, Duration.ofSeconds(10).toNanos()),
                    dn -> leader.participant(),
                    CoordinatorPulse.OF_THIS_PROCESS)
                .with(new LeaderLog(commits, commits, Optional.empty())));
  }

  private void endLead() {
    leader.close();
    commits.close();
  }

  @AfterEach
  void stop() throws Exception {
    member.supervisor().stopNow();
    endLead();
    member.close();
    group.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(2_000);
  }

  private Branch connect() throws Exception {
    CompletableFuture<Branch> opened = new CompletableFuture<>();
    member
        .connector()
        .open(
            loops.next(),
            BackendAccount.ADMIN,
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

  /** Past the leader. */
  private String past(String sql) throws Exception {
    Branch branch = connect();
    try {
      return RealNode.run(branch, sql).toString();
    } finally {
      branch.eventLoop().execute(branch::close);
    }
  }

  private void run(String sql) throws Exception {
    Branch branch = RealNode.take(leader.link(), loops.next(), BackendAccount.ADMIN);
    try {
      RealNode.run(branch, sql);
    } finally {
      branch.eventLoop().execute(branch::release);
    }
  }

  private List<Shipped> logged(int count) throws InterruptedException {
    List<Shipped> all = new ArrayList<>();
    try (GroupReader reader =
        new LogSource(group.log("a"), known -> -1, System::nanoTime).open(new GtidSet())) {
      while (all.size() < count) {
        Shipped next = reader.poll(POLL_MILLIS);
        assertTrue(next != null, "only " + all.size() + " transactions");
        all.add(next);
      }
      assertNull(reader.poll(50));
    }
    return all;
  }

  private static byte[] events(Shipped transaction) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    transaction.forEachPiece(piece -> {
      byte[] bytes = new byte[piece.remaining()];
      piece.get(bytes);
      assertTrue(bytes.length <= 1 << 20);
      all.writeBytes(bytes);
    });
    return all.toByteArray();
  }

  @Test
  void theLogHasWhatTheMysqldHas() throws Exception {
    FeedReader feed = member.feed().subscribe();
    run("INSERT INTO d.t VALUES (2, 'two'), (3, 'three')");
    run("INSERT INTO d.t VALUES (4, REPEAT('x', " + LONG + "))");
    run("ALTER TABLE d.t ADD c INT");
    List<Shipped> logged = logged(6).subList(3, 6);
    try (LogReader mysqld =
        new MysqldLog(member.connector(), member.loop(1)).open(new GtidSet(), 64 << 20)) {
      List<BinlogTransaction> all = new ArrayList<>();
      while (all.size() < 6) {
        all.add(mysqld.poll(POLL_MILLIS).orElseThrow());
      }
      for (int i = 0; i < 3; i++) {
        BinlogTransaction own = all.get(3 + i);
        Shipped one = logged.get(i);
        assertEquals(own.gtid(), one.gtid());
        assertEquals(own.kind(), one.kind());
        assertEquals(own.end(), one.transaction().end());
        assertEquals(own.tables(), one.transaction().tables());
        assertEquals(own.length(), one.length());
        assertArrayEquals(ByteBufUtil.getBytes(own.events().orElseThrow().view()), events(one));
        assertEquals(i != 1, one.transaction().events().isPresent(), "the second is long");
        BinlogTransaction passed = feed.next(Duration.ofSeconds(20)).orElseThrow();
        assertEquals(own.gtid(), passed.gtid());
        assertEquals(feed.stamp().orElseThrow(), one.stamp());
        assertTrue(commits.reservation().allows(one.stamp().value()));
      }
    }
    feed.close();
  }

  @Test
  void oneOfThreeMayBeDown() throws Exception {
    group.stop("l");
    run("INSERT INTO d.t VALUES (2, '')");
    assertEquals("[[1], [2]]", past(ROWS));
    assertEquals(List.of(), lost);
  }

  @Test
  void withoutAMajorityNothingIsAcknowledgedOrVisible() throws Exception {
    group.stop("b");
    group.stop("l");
    Branch writer = connect();
    CompletableFuture<Answer> written =
        RealNode.onLoop(
            writer, () -> Answer.of(writer, Sql.client("INSERT INTO d.t VALUES (2, '')")));
    Eventually.await("a leader that has given up", () -> !lost.isEmpty());
    assertFalse(written.isDone());
    assertEquals("[[1]]", past(ROWS));
    endLead();
    group.start("b", "l");
    lead();
    RealNode.get(written);
    writer.eventLoop().execute(writer::close);
    assertEquals("[[1], [2]]", past(ROWS));
    run("INSERT INTO d.t VALUES (3, '')");
    assertEquals("[[1], [2], [3]]", past(ROWS));
    logged(5); // also where the group has the second row's entry twice
    assertEquals(1, lost.size());
  }
}
