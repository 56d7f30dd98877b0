package io.alrai.cn.held;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.optimizer.api.AdminStatement.LockCall;
import io.alrai.optimizer.api.AdminStatement.LockCalls;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class NamedLocksTest {
  private static final String GET = "SELECT GET_LOCK('a', 0)";
  private static final LockCalls CALLS = new LockCalls(true, Optional.of(List.of(LockCall.GET)));

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final SettingsRegistry registry = new SettingsRegistry();
  private final NamedLocks locks = new NamedLocks(dns);

  NamedLocksTest() {
    dns.dataNodes.add(new DnId("dn-1"));
  }

  private ShardCall start() {
    ShardCall call =
        locks.start(
            registry.defaults(),
            7,
            GET.getBytes(StandardCharsets.UTF_8),
            new ConcurrentLinkedQueue<>());
    channel.runPendingTasks();
    return call;
  }

  private void run(String value) {
    try (ShardCall call = start()) {
      call.status();
    }
    locks.held().row(CALLS, List.of(value));
    locks.ended();
    channel.runPendingTasks();
  }

  @Test
  void aSessionKeepsItsConnectionWhileItHasLocks() {
    run("1");
    run("0");
    assertEquals(1, dns.branches.size());
    FakeBranch mine = dns.branches.getFirst();
    assertFalse(mine.released);
    assertEquals(
        List.of(
            "SET SESSION wait_timeout=31536000,@__alrai_session=7",
            GET,
            "SET SESSION wait_timeout=31536000,@__alrai_session=7",
            GET),
        mine.statements);
    locks.releaseAll();
    assertEquals("DO RELEASE_ALL_LOCKS()", mine.statements.getLast());
    assertTrue(mine.released);
    assertTrue(locks.held().none());
  }

  @Test
  void aSessionWithoutLocksGivesItBackAtOnce() {
    run("0");
    assertEquals("DO RELEASE_ALL_LOCKS()", dns.branches.getFirst().statements.getLast());
    assertTrue(dns.branches.getFirst().released);
    run("0");
    assertEquals(2, dns.branches.size());
  }

  @Test
  void locksAreLostWithTheirConnection() {
    run("1");
    assertFalse(locks.lost());
    dns.branches.getFirst().closed = true;
    assertTrue(locks.lost());
  }

  @Test
  void aSessionThatIsGoneLeavesNoLock() {
    run("1");
    locks.abandon();
    assertTrue(dns.branches.getFirst().closed);
    assertFalse(locks.lost());
    try (ShardCall late = start()) {
      assertThrows(AlraiException.class, late::status);
    }
    assertEquals(1, dns.branches.size());
  }

  @Test
  void aKillEndsTheWaitForAConnection() {
    dns.full = true;
    try (ShardCall call = start()) {
      locks.kill();
      channel.runPendingTasks();
      assertEquals(1317, assertThrows(AlraiException.class, call::status).errno());
    }
    assertUnusedWhenItComes();
    run("1");
    assertEquals(2, dns.branches.size());
  }

  @Test
  void aSessionThatGoesWhileItWaitsForAConnectionGivesItBack() {
    dns.full = true;
    try (ShardCall call = start()) {
      locks.abandon();
      assertThrows(AlraiException.class, call::status);
    }
    assertUnusedWhenItComes();
  }

  private void assertUnusedWhenItComes() {
    dns.giveLate();
    assertTrue(dns.branches.getFirst().released);
    assertTrue(dns.branches.getFirst().statements.isEmpty());
  }

  @Test
  void noConnectionNoLock() {
    dns.down.add(new DnId("dn-1"));
    try (ShardCall call = start()) {
      assertThrows(AlraiException.class, call::status);
    }
    locks.ended();
    channel.runPendingTasks();
    assertTrue(locks.held().none());
  }
}
