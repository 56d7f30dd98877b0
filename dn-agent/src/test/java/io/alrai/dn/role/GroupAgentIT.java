package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.metrics.Metric;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.ship.ResolvedPlace;
import io.alrai.dn.xa.RealNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A DN of three members, two of which have real mysqlds. */
class GroupAgentIT {
  /** More than two looks of a follower's watch. */
  private static final long WATCHES_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

  private static final String ROWS = "SELECT a FROM d.t ORDER BY a";

  @TempDir Path directory;
  private AgentGroup group;

  @BeforeEach
  void begin() throws Exception {
    group = new AgentGroup(directory).startLogger().start("a");
    group.run("CREATE DATABASE d");
    group.run("CREATE TABLE d.t (a INT PRIMARY KEY, b LONGBLOB)");
  }

  @AfterEach
  void end() {
    group.close();
  }

  private void awaitRows(String member, String wanted) throws Exception {
    Eventually.await(wanted + " at " + member, () -> rows(member, ROWS).equals(wanted));
  }

  /** What a member shows; that it cannot, while it has not the table yet, or its mysqld starts. */
  private String rows(String member, String query) {
    try {
      return group.past(member, query).toString();
    } catch (Exception e) {
      return e.toString();
    }
  }

  private static boolean runs(String thread) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(each -> each.getName().equals(thread));
  }

  @Test
  void whoIsDroppedEndsItsMysqldForGood() throws Exception {
    group.start("b");
    String leader = group.leader();
    String dropped = group.other(leader);
    group.run("INSERT INTO d.t VALUES (1,'x')");
    awaitRows(dropped, "[[1]]");
    GroupAgent agent = group.agent(dropped);
    group.agent(leader).groupLog().dropMember(dropped).get(20, TimeUnit.SECONDS);
    Eventually.await("it knows", () -> agent.role() == Role.DROPPED);
    Eventually.await("the end of its mysqld", () -> !agent.status().error().isEmpty());
    Eventually.await("nobody looks at its health", () -> !runs("health-" + dropped));
    group.run("INSERT INTO d.t VALUES (2,'x')");
    assertEquals("[[1], [2]]", group.run(ROWS).toString());
    group.stop(dropped);
    AlraiException refused = assertThrows(AlraiException.class, () -> group.start(dropped));
    assertTrue(refused.sentence().contains("was dropped from the group"), refused::sentence);
  }

  @Test
  void leadershipGoesToAndFro() throws Exception {
    group.start("b");
    String rows = "";
    for (int i = 1; i <= 2; i++) {
      String leader = group.leader();
      group.run("INSERT INTO d.t VALUES (" + i + ",'x')");
      rows += (i > 1 ? ", " : "") + "[" + i + "]";
      awaitRows(group.other(leader), "[" + rows + "]");
      group.agent(leader).handOver(group.other(leader)).get(20, TimeUnit.SECONDS);
      group.awaitLeader(group.other(leader));
      Eventually.await("the end of the old lead", () -> !group.leads(leader));
      assertEquals("[" + rows + "]", group.run(ROWS).toString());
    }
    String executed = "SELECT @@global.gtid_executed";
    Eventually.await(
        "equal sets",
        () -> {
          try {
            return group.past("a", executed).equals(group.past("b", executed));
          } catch (Exception e) {
            return false; // the last leader's mysqld starts anew
          }
        });
  }

  @Test
  void whoHasWhatItsGroupHasNotDoesNotLead() throws Exception {
    group.start("b");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    String leader = group.leader();
    String errant = group.other(leader);
    awaitRows(errant, "[[1]]");
    group.past(
        errant, "SET GLOBAL super_read_only=0;SET sql_log_bin=1;INSERT INTO d.t VALUES (9,'x')");
    GroupAgent agent = group.agent(errant);
    Eventually.await("that it is seen", () -> agent.status().state().equals("ERRANT"));
    assertTrue(agent.status().error().contains("somebody wrote past Alrai"), agent.status()::error);
    group.agent(leader).handOver(errant).get(20, TimeUnit.SECONDS);
    Eventually.await("the end of the old lead", () -> !group.leads(leader));
    group.awaitLeader(leader);
    assertEquals("[[1]]", group.run(ROWS).toString());
  }

  @Test
  void withoutAMajorityNothingIsAcknowledged() throws Exception {
    group.run("INSERT INTO d.t VALUES (1,'x')");
    group.stopLogger();
    Branch writer = group.take(BackendAccount.DATA);
    CompletableFuture<Answer> waits =
        RealNode.onLoop(
            writer, () -> Answer.of(writer, Sql.client("INSERT INTO d.t VALUES (2,'x')")));
    Eventually.await("the end of the lead", () -> !group.leads("a"));
    assertFalse(
        waits.isDone() && !waits.isCompletedExceptionally(), "acknowledged by one of three");
    group.startLogger();
    group.awaitLeader("a");
    // it is in the log of the only one that can lead
    Eventually.await(
        "what that one had written",
        () -> {
          try {
            return group.run(ROWS).toString().equals("[[1], [2]]");
          } catch (Exception e) {
            return false;
          }
        });
  }

  @Test
  void aMysqldThatDiesGivesTheLeadAway() throws Exception {
    group.start("b");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    String leader = group.leader();
    group.agent(leader).supervisor().crash();
    group.awaitLeader(group.other(leader));
    group.run("INSERT INTO d.t VALUES (2,'x')");
    awaitRows(leader, "[[1], [2]]");
  }

  /** Its mysqld's log begins anew, while the member may stay elected: nobody else could lead. */
  @Test
  void placesOfALaterLeadAreLater() throws Exception {
    group.run("INSERT INTO d.t VALUES (1,REPEAT('x',10000))");
    boolean same = false;
    for (int i = 0; i < 3 && !same; i++) {
      long term = group.agent("a").status().term();
      ResolvedPlace before = resolved(group.lead("a"));
      group.agent("a").supervisor().crash();
      Eventually.await("the end of the lead", () -> !group.leads("a"));
      group.awaitLeader("a");
      ResolvedPlace after = resolved(group.lead("a"));
      assertTrue(after.at().compareTo(before.at()) > 0, before + ", " + after);
      assertTrue(after.through().compareTo(before.through()) > 0, before + ", " + after);
      // on a busy machine it may be elected anew
      same = group.agent("a").status().term() == term;
    }
  }

  private static ResolvedPlace resolved(Lead lead) throws Exception {
    return lead.resolve(HlcTimestamp.ofMillis(System.currentTimeMillis()))
        .get(20, TimeUnit.SECONDS);
  }

  /** Whatever watched its first life as a follower's must not judge it as a leader's. */
  @Test
  void aFollowerWhoseMysqldHasDiedOnceLeadsUndisturbed() throws Exception {
    group.start("b");
    group.awaitLeader("a");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    awaitRows("b", "[[1]]");
    MysqldSupervisor mysqld = group.agent("b").supervisor();
    long first = mysqld.pid().orElseThrow();
    mysqld.crash();
    Eventually.await("b's next mysqld", () -> mysqld.pid().orElse(first) != first);
    awaitRows("b", "[[1]]");
    Eventually.await("b follows", () -> group.agent("b").role() == Role.FOLLOWING);
    group.agent("a").handOver("b").get(20, TimeUnit.SECONDS);
    group.awaitLeader("b");
    long leading = mysqld.pid().orElseThrow();
    long end = System.nanoTime() + WATCHES_NANOS;
    for (int i = 2; System.nanoTime() < end; i++) {
      group.run("INSERT INTO d.t VALUES (" + i + ",'x')");
    }
    assertEquals(leading, mysqld.pid().orElse(0));
  }

  @Test
  void aMysqldThatHangsGivesTheLeadAway() throws Exception {
    group.start("b");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    String leader = group.leader();
    long pid = group.agent(leader).supervisor().pid().orElseThrow();
    assertEquals(0, new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor());
    group.awaitLeader(group.other(leader));
    group.run("INSERT INTO d.t VALUES (2,'x')");
    awaitRows(leader, "[[1], [2]]");
  }

  @Test
  void oneThatWasAwayGetsWhatItMissed() throws Exception {
    group.start("b");
    group.awaitLeader("a");
    group.stop("b");
    for (int i = 1; i <= 3; i++) {
      group.run("INSERT INTO d.t VALUES (" + i + ",REPEAT('y'," + (3 << 20) + "))");
    }
    group.run("CREATE TABLE d.u AS SELECT a FROM d.t");
    group.start("b");
    awaitRows("b", "[[1], [2], [3]]");
    Eventually.await(
        "d.u at b", () -> rows("b", "SELECT a FROM d.u ORDER BY a").equals("[[1], [2], [3]]"));
    assertEquals(
        group.past("a", "CHECKSUM TABLE d.t,d.u"), group.past("b", "CHECKSUM TABLE d.t,d.u"));
  }

  @Test
  void whoHasWhatTheGroupHasNotDoesNotLead() throws Exception {
    group.start("b");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    awaitRows("b", "[[1]]");
    // on its disk: else it is rolled back when b's mysqld is killed, and b may lead rightly
    group.past(
        "b",
        "SET GLOBAL super_read_only=OFF;SET GLOBAL read_only=OFF;INSERT INTO d.t VALUES (7,'x');"
            + "SET GLOBAL super_read_only=ON;FLUSH NO_WRITE_TO_BINLOG ENGINE LOGS");
    group.agent("a").handOver("b").get(20, TimeUnit.SECONDS);
    Eventually.await("the end of the old lead", () -> !group.leads("a"));
    group.awaitLeader("a");
    assertFalse(group.leads("b"));
    assertEquals("[[1]]", group.run(ROWS).toString());
    assertEquals(List.of(List.of("0")), group.past("a", "SELECT @@read_only"));
  }

  @Test
  void aLeaderThatGoesKeepsItsTimeWhereStatementsAreAtWork() throws Exception {
    group.start("b");
    group.awaitLeader("a");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    awaitRows("b", "[[1]]");
    group.agent("a").changeLeader("b").get(20, TimeUnit.SECONDS);
    assertEquals(0, group.measured("a", Metric.MEMBER_KEPT_TIME));
    group.awaitLeader("b");
    Eventually.await("a follows", () -> group.agent("a").status().lagMillis() == 0);
    group.atWork(true);
    group.agent("b").changeLeader("a").get(20, TimeUnit.SECONDS);
    assertEquals(1, group.measured("b", Metric.MEMBER_KEPT_TIME));
    group.awaitLeader("a");
    group.run("INSERT INTO d.t VALUES (2,'x')");
  }

  @Test
  void aMemberIsMeasured() throws Exception {
    group.start("b");
    group.awaitLeader("a");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    awaitRows("b", "[[1]]");
    Eventually.await("b has all", () -> group.measured("b", Metric.MEMBER_LAG) == 0);
    // its applier waits, until its watch has it killed after 5 s; a stopped one is killed sooner
    RealNode.run(group.connect("b"), "FLUSH TABLES WITH READ LOCK");
    long since = System.nanoTime();
    group.run("INSERT INTO d.t VALUES (2,'x')");
    Eventually.await("b is behind", () -> group.measured("b", Metric.MEMBER_LAG) >= 0.3);
    MemberStatus behind = group.agent("b").status();
    double applied = group.measured("b", Metric.MEMBER_APPLIED);
    long most = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    assertTrue(applied < group.measured("a", Metric.MEMBER_APPLIED), () -> "applied " + applied);
    assertTrue(behind.lagMillis() >= 300 && behind.lagMillis() <= most, behind::toString);
    assertEquals(0, group.agent("a").status().lagMillis());
    assertEquals(1, group.measured("a", Metric.MEMBER_LEADS));
    assertEquals(0, group.measured("b", Metric.MEMBER_LEADS));
    assertEquals(0, group.measured("a", Metric.MEMBER_LAG));
    double term = group.measured("a", Metric.MEMBER_TERM);
    assertTrue(term >= 1, () -> "term " + term);
    assertEquals(term, group.measured("b", Metric.MEMBER_TERM));
    for (String name : List.of("a", "b")) {
      assertTrue(group.measured(name, Metric.MEMBER_ELECTIONS) >= 1);
      assertTrue(group.measured(name, Metric.MEMBER_LOG_BYTES) > 1_000);
      assertTrue(group.measured(name, Metric.MEMBER_COMMITTED) >= behind.committed());
    }
    assertTrue(group.measured("a", Metric.MEMBER_PROMOTIONS) >= 1);
    assertEquals(0, group.measured("b", Metric.MEMBER_PROMOTIONS));
    assertTrue(group.measured("a", Metric.MEMBER_PROMOTION_TIMES) > 0);
    assertTrue(group.measured("a", Metric.MEMBER_SILENCE) < 5);
    assertEquals(0, group.measured("b", Metric.MEMBER_SILENCE));
    group.run("INSERT INTO d.t VALUES (3,'x')");
    double reserved = group.measured("b", Metric.MEMBER_RESERVED);
    assertTrue(reserved > -5 && reserved < 5, () -> reserved + " s");
    Eventually.await("b's next mysqld has all", () -> group.measured("b", Metric.MEMBER_LAG) == 0);
    awaitRows("b", "[[1], [2], [3]]");
  }

  @Test
  void commitsWaitForAFollowerThatLagsAndNotForOneThatIsAway() throws Exception {
    group.start("b");
    group.awaitLeader("a");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    awaitRows("b", "[[1]]");
    Eventually.await("b is near", () -> group.measured("b", Metric.MEMBER_LAG) == 0);
    // its applier waits, until its watch has it killed after 5 s
    RealNode.run(group.connect("b"), "FLUSH TABLES WITH READ LOCK");
    AtomicInteger number = new AtomicInteger(1);
    Eventually.await(
        "commits that wait",
        () ->
            insert(number.incrementAndGet())
                && group.measured("a", Metric.MEMBER_HELD_COMMITS) > 2);
    assertTrue(group.measured("a", Metric.MEMBER_HOLDS) > 0);
    Eventually.await(
        "commits that do not wait for a mysqld that is not there",
        () -> {
          double before = group.measured("a", Metric.MEMBER_HELD_COMMITS);
          return insert(number.incrementAndGet())
              && group.measured("a", Metric.MEMBER_HELD_COMMITS) == before;
        });
    Eventually.await(
        "all at b", () -> rows("b", "SELECT COUNT(*) FROM d.t").equals("[[" + number.get() + "]]"));
  }

  private boolean insert(int number) {
    try {
      group.run("INSERT INTO d.t VALUES (" + number + ",'x')");
      return true;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aMemberWhoseDiskIsFullDoesNotLead() throws Exception {
    group.start("b");
    group.awaitLeader("a");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    awaitRows("b", "[[1]]");
    group.disk("a").hasLeft(10 << 20);
    group.awaitLeader("b");
    group.run("INSERT INTO d.t VALUES (2,'x')");
    awaitRows("a", "[[1], [2]]");
    String error = group.agent("a").status().error();
    assertTrue(error.contains("has 10 MiB left: the member does not lead"), error);
    // as an election may, which knows nothing of disks
    group.agent("b").handOver("a").get(20, TimeUnit.SECONDS);
    Eventually.await("the end of b's lead", () -> !group.leads("b"));
    group.awaitLeader("b");
    group.run("INSERT INTO d.t VALUES (3,'x')");
    awaitRows("a", "[[1], [2], [3]]");
    group.disk("a").hasLeft(1L << 40);
    Eventually.await("room", () -> group.agent("a").status().error().isEmpty());
  }

  @Test
  void aLeaderWhoseDiskStandsStillLetsAnotherLead() throws Exception {
    group.start("b");
    group.awaitLeader("a");
    group.run("INSERT INTO d.t VALUES (1,'x')");
    awaitRows("b", "[[1]]");
    group.disk("a").stall();
    group.awaitLeader("b");
    group.run("INSERT INTO d.t VALUES (2,'x')");
    group.disk("a").goOn();
    awaitRows("a", "[[1], [2]]");
  }
}
