package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.dn.backend.Eventually;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import io.alrai.gms.api.node.LinkedNode;
import io.alrai.gms.client.LocalGms;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What agents and column nodes say that they follow. */
@Timeout(30)
final class LinkedLeaseTest {
  private static final DnId DN = new DnId("dn-1");
  private static final NodeId SELF = new NodeId("dn-2-a");

  private final AtomicInteger failures = new AtomicInteger();
  private final LocalGms gms = new LocalGms(this::now);

  /** Fails for whoever keeps a lease, as often as is asked for. */
  private long now() {
    if (Thread.currentThread().getName().equals("linked-" + SELF)
        && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("a defect");
    }
    return 0;
  }

  LinkedLeaseTest() {
    gms.submit(
        new CatalogCommand.PutDnMember(DN, new DnMember("dn-1-b", "b:1", DnMember.Keeps.ROWS)));
  }

  /** What is said at once. */
  private long force() {
    return gms.submit(
            new CatalogCommand.ForceGroup(DN, 1, "dn-1-b", ForcedGroup.Last.NONE, List.of(), 0))
        .version();
  }

  private List<Long> versions() {
    return gms.catalog().linkedNodes().stream().map(LinkedNode::catalogVersion).toList();
  }

  private void awaitVersions(List<Long> expected) throws Exception {
    Eventually.await("versions " + expected, () -> versions().equals(expected));
  }

  @Test
  void aDefectDoesNotEndIt() throws Exception {
    try (LinkedLease lease = new LinkedLease(SELF, gms)) {
      lease.keep();
      failures.set(1);
      awaitVersions(List.of(force()));
      assertEquals(0, failures.get());
    }
  }

  @Test
  void whoFollowsNobodyAnyMoreIsNotWaitedFor() throws Exception {
    try (LinkedLease lease = new LinkedLease(SELF, gms)) {
      lease.keep();
      assertEquals(1, versions().size());
      lease.endsWhen(() -> true);
      force();
      awaitVersions(List.of());
    }
  }

  @Test
  void nothingIsRenewedOnceItIsClosed() {
    LinkedLease lease = new LinkedLease(SELF, gms);
    lease.keep();
    lease.close();
    gms.submit(new CatalogCommand.RemoveColumnNode(SELF));
    force();
    assertEquals(List.of(), versions());
  }
}
