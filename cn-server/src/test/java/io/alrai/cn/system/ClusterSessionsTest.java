package io.alrai.cn.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.ask.ClusterAsk;
import io.alrai.cn.pressure.Pressure;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.FixedEntry;
import io.alrai.cn.session.FixedSession;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.session.SessionWork;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.settings.UseCounts;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.Grants;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** What one CN says of its own sessions. */
class ClusterSessionsTest {
  private final FakeDns dns = new FakeDns(new EmbeddedChannel().eventLoop());
  private final SettingsRegistry settings = new SettingsRegistry();
  private final SessionRegistry sessions =
      new SessionRegistry(
          1,
          new UseCounts(() -> 0),
          new ClusterAsk(
              new NodeId("cn-1"), () -> Catalog.EMPTY, () -> 0, () -> 0, new LongAdder()),
          new Pressure(new LongAdder(), () -> 0));

  ClusterSessionsTest() {
    ClusterSessions.tell(sessions, () -> 0);
  }

  private FixedEntry session(int id, String user, CompletableFuture<SessionWork> work) {
    Session session = FixedSession.of(dns, settings, id, user);
    FixedEntry entry = new FixedEntry(session, work);
    sessions.add(entry);
    return entry;
  }

  private static CompletableFuture<SessionWork> working(String sql) {
    return CompletableFuture.completedFuture(
        new SessionWork(new Activity(sql, "Query", "", 0), Optional.empty(), List.of()));
  }

  private List<SessionRow> seen(Grants grants, boolean full) {
    Access access = Access.of(Account.of("u", "%", Credential.NONE, false, grants), 0);
    return new ClusterSessions(sessions, access, full).rows();
  }

  @Test
  void aSessionThatFailsSpoilsNoOther() {
    session(1, "u", CompletableFuture.failedFuture(new IllegalStateException("a defect")));
    session(2, "u", working("SELECT 2"));
    List<SessionRow> seen = seen(Grants.ALL, true);
    assertEquals(List.of(1L, 2L), seen.stream().map(SessionRow::id).toList());
    assertEquals("Sleep", seen.getFirst().command());
    assertEquals("SELECT 2", seen.getLast().info());
  }

  @Test
  void thoseOfOthersAreNotAskedByWhoMayNotSeeThem() {
    FixedEntry other = session(1, "other", working("SELECT 1"));
    session(2, "u", working("SELECT 2"));
    assertEquals(List.of(2L), seen(Grants.NONE, true).stream().map(SessionRow::id).toList());
    assertEquals(0, other.asked);
    assertEquals(2, seen(Grants.ALL, true).size());
  }

  @Test
  void statementsAreCutUnlessTheyAreWantedWhole() {
    session(1, "u", working("x".repeat(5_000)));
    assertEquals(5_000, seen(Grants.ALL, true).getFirst().info().length());
    assertEquals(100, seen(Grants.ALL, false).getFirst().info().length());
  }
}
