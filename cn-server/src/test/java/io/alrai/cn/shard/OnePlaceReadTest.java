package io.alrai.cn.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.FixedSession;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.backend.FakeBranch;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads on one DN outside of transactions, while others over several DNs are being committed. */
class OnePlaceReadTest {
  private static final String COMMIT = "COMMIT AND NO CHAIN NO RELEASE";

  private static final DnId A = new DnId("dn-1");
  private static final String READ = "SELECT b FROM t";

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final SettingsRegistry registry = new SettingsRegistry();
  private final Session session = FixedSession.of(dns, registry);
  private final SessionShards shards = new SessionShards(session, channel.eventLoop(), dns);

  private ShardCall start(RowAccess access) {
    ShardStatement statement = ShardStatement.text(READ.getBytes(StandardCharsets.UTF_8));
    return shards.startAll(Map.of(A, statement), access, () -> {}).join().getFirst();
  }

  private void answeredOnce(ShardCall call) {
    assertTrue(call.succeeded());
    call.status();
    assertThrows(AlraiException.class, call::status, "two replies");
    assertTrue(shards.atWork().isEmpty());
    dns.branches.forEach(branch -> assertTrue(branch.released));
  }

  private void readAtSnapshot() {
    assertEquals(1, dns.asked.size());
    assertTrue(dns.asked.getFirst().opening().contains("CONSISTENT SNAPSHOT"));
    FakeBranch view = dns.branches.getLast();
    assertEquals(List.of(READ, COMMIT), view.statements);
    assertEquals(dns.asked.getFirst().at().value(), session.reads().stamp());
  }

  @Test
  void aQuietDnIsReadAsItIs() {
    answeredOnce(start(RowAccess.CONSISTENT));
    assertEquals(List.of(READ), dns.branches.getFirst().statements);
    assertTrue(dns.asked.isEmpty());
  }

  @Test
  void aReadThatWouldBeDisturbedIsDoneAtASnapshot() {
    dns.disturbances.add(true);
    answeredOnce(start(RowAccess.CONSISTENT));
    assertFalse(dns.branches.getFirst().statements.contains(READ));
    readAtSnapshot();
  }

  @Test
  void aReadThatWasDisturbedIsDoneAgainAtASnapshot() {
    dns.disturbances.addAll(List.of(false, true));
    answeredOnce(start(RowAccess.CONSISTENT));
    assertEquals(List.of(READ), dns.branches.getFirst().statements);
    readAtSnapshot();
  }

  @Test
  void aReadWithoutASnapshotFailsWithTheReason() {
    dns.disturbances.add(true);
    dns.refusals.put(A, Integer.MAX_VALUE);
    ShardCall call = start(RowAccess.CONSISTENT);
    assertThrows(AlraiException.class, call::status);
    assertTrue(shards.atWork().isEmpty());
  }

  @Test
  void whoNeedsNoSnapshotIsNotDisturbed() {
    dns.disturbances.addAll(List.of(true, true));
    answeredOnce(start(RowAccess.CHANGING));
    session.reads().eventual(true);
    answeredOnce(start(RowAccess.CONSISTENT));
    session.reads().eventual(false);
    session
        .variables()
        .settings(
            registry.with(
                session.variables().settings(), "transaction_isolation", "'READ-UNCOMMITTED'"));
    answeredOnce(start(RowAccess.CONSISTENT));
    session.transaction().begin(new TransactionOptions("READ COMMITTED", false, false));
    assertTrue(start(RowAccess.CONSISTENT).succeeded());
    assertTrue(dns.asked.isEmpty());
  }
}
