package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.link.ViewOpener.Opening;
import io.alrai.dn.rpc.RemoteDnLink;
import io.alrai.dn.xa.RealNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Views of a real mysqld that follows. {@code -Dreplica.seconds=N} makes it last longer. */
@Timeout(120)
class ReplicaViewsIT {
  private static final int SECONDS = Integer.getInteger("replica.seconds", 2);
  private static final String OPEN = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
  private static final String UNDO = "ROLLBACK";
  private static final String SEEN = "SELECT COUNT(*),SUM(a) FROM d.t";

  @TempDir Path directory;
  private AgentGroup group;
  private volatile boolean over;

  @BeforeEach
  void begin() throws Exception {
    group = new AgentGroup(directory).startLogger().start("a").start("b");
    group.run("CREATE DATABASE d");
    group.run("CREATE TABLE d.t (a INT PRIMARY KEY)");
    GroupAgent other = group.agent(group.other(group.leader()));
    Eventually.await("a follower", () -> other.role() == Role.FOLLOWING);
  }

  @AfterEach
  void end() {
    group.close();
  }

  /** At any snapshot a follower shows what its leader does, and what was acknowledged before. */
  @Test
  void aFollowerShowsWhatItsLeaderDoes() throws Exception {
    String leader = group.leader();
    Lead lead = group.lead(leader);
    RemoteDnLink members = group.link(leader);
    DnLink follower = members.replicas().orElseThrow();
    Branch there = RealNode.take(follower, group.loop(), BackendAccount.DATA);
    Branch here = group.take(BackendAccount.DATA);
    AtomicLong acknowledged = new AtomicLong();
    Thread writer = Thread.startVirtualThread(() -> write(acknowledged));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    long shown = 0;
    long refused = 0;
    long failed = 0;
    long longest = 0;
    try {
      while (System.nanoTime() < end || shown < 20) {
        long before = acknowledged.get();
        HlcTimestamp now = group.agent(leader).clock().now();
        HlcTimestamp at = HlcTimestamp.ofMillis(now.millis() + 4);
        long since = System.nanoTime();
        Opening views;
        try {
          views = open(follower.views(), there, at);
        } catch (AlraiException late) {
          failed++; // by a machine that has much else to do
          there = RealNode.take(follower, group.loop(), BackendAccount.DATA);
          continue;
        }
        longest = Math.max(longest, System.nanoTime() - since);
        Opening leaders = open(lead.link().views(), here, at);
        if (views instanceof Opening.Open && leaders instanceof Opening.Open) {
          List<List<String>> seen = RealNode.run(there, SEEN);
          assertEquals(RealNode.run(here, SEEN), seen);
          long count = Long.parseLong(seen.getFirst().getFirst());
          assertTrue(count >= before, "shows " + count + " of " + before + " acknowledged");
          shown++;
        } else {
          refused++;
        }
      }
    } finally {
      over = true;
      writer.join();
    }
    System.out.printf(
        "%d views of a follower as its leader's, %d refused, %d failed, %d rows, the longest took"
            + " %d ms%n",
        shown, refused, failed, acknowledged.get(), TimeUnit.NANOSECONDS.toMillis(longest));
    assertEquals(new Opening.Open(), open(follower.views(), there, HlcTimestamp.ZERO));
    assertTrue(RealNode.run(there, SEEN).getFirst().getFirst().matches("\\d+"));
    members.close();
  }

  @Test
  void whoLeadsServesNoViewsOfAFollower() throws Exception {
    String leader = group.leader();
    String other = group.other(leader);
    RemoteDnLink members = group.link(leader);
    DnLink follower = members.replicas().orElseThrow();
    Branch there = RealNode.take(follower, group.loop(), BackendAccount.DATA);
    assertEquals(new Opening.Open(), open(follower.views(), there, HlcTimestamp.ZERO));
    Branch later = RealNode.take(follower, group.loop(), BackendAccount.DATA);
    group.agent(leader).handOver(other).get(20, TimeUnit.SECONDS);
    group.awaitLeader(other);
    assertEquals("[[1]]", RealNode.run(there, "SELECT 1").toString(), "its view goes on");
    Exception refused =
        assertThrows(Exception.class, () -> open(follower.views(), later, HlcTimestamp.ZERO));
    assertTrue(String.valueOf(refused.getMessage()).contains("does not follow now"));
    Eventually.await("delays", () -> members.delayMillis().orElse(Long.MAX_VALUE) < 60_000);
    assertTrue(members.answers());
    group.stop(other);
    group.stopLogger();
    Eventually.await("nobody leads, as is known", () -> !members.answers());
    members.close();
  }

  private void write(AtomicLong acknowledged) {
    try {
      for (int i = 1; !over; i++) {
        group.run("INSERT INTO d.t VALUES (" + i + ")");
        acknowledged.set(i);
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Opening open(ViewOpener views, Branch branch, HlcTimestamp at) throws Exception {
    return RealNode.get(RealNode.onLoop(branch, () -> views.open(branch, at, OPEN, UNDO, true)));
  }
}
