package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.metrics.Metric;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.rpc.RemoteDnLink;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.ResolvedPlace;
import io.netty.buffer.ByteBufUtil;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The log of a DN of real mysqlds, from the member that follows. */
@Timeout(120)
class MemberFeedIT {
  private static final int COMMITS = Integer.getInteger("feed.commits", 20);
  private static final Duration SLICE = Duration.ofMillis(20);

  @TempDir Path directory;
  private AgentGroup group;

  @BeforeEach
  void begin() throws Exception {
    group = new AgentGroup(directory).startLogger().start("a").start("b");
    group.run("CREATE DATABASE d");
    group.run("CREATE TABLE d.t (a INT PRIMARY KEY, b LONGBLOB)");
    GroupAgent other = group.agent(group.other(group.leader()));
    Eventually.await("a follower", () -> other.role() == Role.FOLLOWING);
  }

  @AfterEach
  void end() {
    group.close();
  }

  private record Given(BinlogTransaction transaction, Optional<HlcTimestamp> stamp) {
    String text() {
      return transaction.gtid()
          + " "
          + transaction.kind()
          + " "
          + stamp
          + " "
          + transaction.events().map(events -> ByteBufUtil.hexDump(events.view())).orElse("none");
    }
  }

  /** All up to what is resolved now. */
  private static List<Given> all(LogSubscription subscription, ResolvedPlace upTo)
      throws InterruptedException {
    List<Given> all = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (subscription.place().isEmpty()
        || subscription.place().get().compareTo(upTo.through()) < 0) {
      assertTrue(System.nanoTime() < end, "not resolved: " + subscription.place());
      subscription.next(SLICE).ifPresent(next -> all.add(new Given(next, subscription.stamp())));
    }
    return all;
  }

  private static List<String> texts(List<Given> given) {
    return given.stream().map(Given::text).toList();
  }

  /** How long it takes until a commit that was answered is here. */
  private String lags(LogSubscription subscription, int first) throws Exception {
    List<Long> micros = new ArrayList<>();
    for (int i = 0; i < COMMITS; i++) {
      group.run("INSERT INTO d.t VALUES (" + (first + i) + ",'z')");
      long since = System.nanoTime();
      assertFalse(all(subscription, resolve()).isEmpty());
      micros.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - since));
    }
    micros.sort(null);
    return "p50 " + micros.get(COMMITS / 2) + " us, most " + micros.getLast() + " us";
  }

  private ResolvedPlace resolve() throws Exception {
    return group.lead(group.leader()).resolve(HlcTimestamp.ZERO).get(20, TimeUnit.SECONDS);
  }

  @Test
  void aFollowerGivesWhatItsLeaderDoes() throws Exception {
    String leader = group.leader();
    String follower = group.other(leader);
    RemoteDnLink members = group.link(leader);
    try (LogSubscription there = members.log().follow();
        LogSubscription here = group.lead(leader).follow()) {
      for (int i = 1; i <= 20; i++) {
        group.run("INSERT INTO d.t VALUES (" + i + ",REPEAT('x'," + 100 * i + "))");
      }
      group.run("INSERT INTO d.t VALUES (100,REPEAT('y',3000000))");
      ResolvedPlace now = resolve();
      List<String> leaders = texts(all(here, now));
      assertEquals(21, leaders.size());
      assertEquals(leaders, texts(all(there, now)));
      assertTrue(group.measured(follower, Metric.LOG_BYTES_SENT) > 3_000_000);
      assertEquals(0, group.measured(leader, Metric.LOG_BYTES_SENT));
      String lags = "lag by the leader " + lags(here, 1_000) + ", ";
      all(there, resolve());
      System.out.println(lags + "by a follower " + lags(there, 2_000));
    } finally {
      members.close();
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "feed.leads", matches = "true")
  void itGoesOnFromOneLeadToTheNext() throws Exception {
    String leader = group.leader();
    String follower = group.other(leader);
    RemoteDnLink members = group.link(leader);
    DnLog log = members.log();
    LogSubscription feed = log.follow();
    try {
      group.run("INSERT INTO d.t VALUES (1,'x')");
      assertEquals(1, all(feed, resolve()).size());
      group.agent(leader).handOver(follower).get(20, TimeUnit.SECONDS);
      group.awaitLeader(follower);
      Eventually.await("the end of the old lead", () -> !group.leads(leader));
      group.run("INSERT INTO d.t VALUES (2,'x')");
      List<Given> given = new ArrayList<>();
      BinlogException broken = null;
      while (broken == null) {
        try {
          LogSubscription from = feed;
          from.next(SLICE).ifPresent(next -> given.add(new Given(next, from.stamp())));
        } catch (BinlogException elected) {
          broken = elected;
        }
      }
      assertTrue(String.valueOf(broken.getMessage()).contains("was elected"), broken.getMessage());
      feed.close();
      RemoteDnLink others = group.link(follower);
      Eventually.await("a follower", () -> group.agent(leader).role() == Role.FOLLOWING);
      try (LogSubscription on = others.log().follow(feed.position())) {
        given.addAll(all(on, resolve()));
        assertEquals(1, given.size(), () -> texts(given).toString());
      } finally {
        others.close();
      }
    } finally {
      feed.close();
      members.close();
    }
  }
}
