package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.learner.LearnerAgent;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ViewOpener.Opening;
import io.alrai.dn.raft.LogBounds;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.xa.RealNode;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A learner of a group of real mysqlds; {@code -Dlearners.agent=true}: the build has no time. */
@EnabledIfSystemProperty(named = "learners.agent", matches = "true")
@Timeout(120)
class LearnerIT {
  private static final String SUM = "SELECT COUNT(*),SUM(a) FROM d.t";

  @TempDir Path directory;
  private AgentGroup group;
  private LearnerAgent learner;
  private int written;

  @BeforeEach
  void begin() throws Exception {
    group =
        new AgentGroup(directory, new LogBounds(64 << 10, 8, 64 << 10))
            .startLogger()
            .start("a")
            .start("b");
    group.run("CREATE DATABASE d");
    group.run("CREATE TABLE d.t (a INT PRIMARY KEY, b LONGBLOB)");
  }

  @AfterEach
  void end() {
    learner.close();
    group.close();
  }

  private void write(int rows) throws Exception {
    for (int i = 0; i < rows; i++) {
      group.run("INSERT INTO d.t VALUES (" + ++written + ",REPEAT('y',9000))");
    }
  }

  private String past(String sql) {
    try {
      Branch branch = group.connect(learner.supervisor().instance());
      try {
        return RealNode.run(branch, sql).toString();
      } finally {
        branch.eventLoop().execute(branch::close);
      }
    } catch (Exception e) {
      return e.toString();
    }
  }

  private void awaitEqual() throws Exception {
    String wanted = group.run(SUM).toString();
    try {
      Eventually.await("the learner has " + wanted, () -> past(SUM).equals(wanted));
    } catch (AssertionError late) {
      throw new AssertionError(learner.status() + " has " + past(SUM), late);
    }
  }

  private boolean keeps(String member, long index) {
    return group.agent(member).groupLog().firstKept() <= index;
  }

  /** Fed from the log's begin, then from whoever is there, whoever leads. */
  @Test
  void itIsFedByWhoeverIsThere() throws Exception {
    write(3);
    group.run("XA START 'x';INSERT INTO d.t VALUES (-1,'x');XA END 'x';XA PREPARE 'x'");
    group.run("INSERT INTO d.t VALUES (-2,REPEAT('long',2000000))"); // in pieces
    learner = group.learner("r");
    learner.start(reason -> {});
    awaitEqual();
    assertEquals(0, learner.status().unapplied());
    String source = learner.source();
    group.silence(source);
    group.run("XA COMMIT 'x'");
    write(1);
    awaitEqual();
    assertEquals(group.other(source), learner.source());
    group.serve(source);
    String leader = group.leader();
    group.agent(leader).handOver(group.other(leader)).get(20, TimeUnit.SECONDS);
    group.awaitLeader(group.other(leader));
    write(2);
    awaitEqual();
    views();
    learner.supervisor().crash();
    write(1);
    awaitEqual();
  }

  private void views() throws Exception {
    Lead lead = group.lead(group.leader());
    ServedViews reads = learner.reads(() -> Optional.of((DnLog) lead));
    Branch there = group.connect(learner.supervisor().instance());
    for (int i = 0; i < 5; i++) {
      write(1);
      HlcTimestamp at = group.agent(group.leader()).clock().now();
      Opening opened =
          RealNode.get(
              RealNode.onLoop(
                  there,
                  () ->
                      reads
                          .views()
                          .open(
                              there,
                              at,
                              "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
                              "ROLLBACK",
                              true)));
      assertEquals(new Opening.Open(), opened);
      assertEquals(group.run(SUM), RealNode.run(there, SUM));
    }
    there.eventLoop().execute(there::close);
  }

  /** One that was away for so long that no log has what it lacks clones a voter. */
  @Test
  void itIsClonedWhereTheLogHasForgotten() throws Exception {
    learner = group.learner("r");
    learner.start(reason -> {});
    awaitEqual();
    String uuid = past("SELECT @@server_uuid");
    learner.close();
    write(1);
    long last = group.agent("a").groupLog().lastCommitted();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (keeps("a", last) || keeps("b", last)) {
      assertTrue(System.nanoTime() < end, "the logs keep what the learner has got");
      write(1);
    }
    learner = group.learner("r");
    learner.start(reason -> {});
    awaitEqual();
    assertEquals(1, learner.status().cloning().kept());
    assertTrue(!past("SELECT @@server_uuid").equals(uuid), "it is a clone");
    Eventually.await("it is fed", () -> learner.status().error().isEmpty());
    assertEquals("FOLLOWING", learner.status().state());
    assertTrue(learner.serves());
  }
}
