package io.alrai.cn.process;

import io.alrai.cn.branch.DnLinks;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.rpc.RemoteDnLink;
import io.alrai.dn.ship.DnLog;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DataNode;
import io.alrai.gms.api.GmsService;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps a link to every DN of the catalog. */
final class RemoteLinks implements AutoCloseable {
  private final DnLinks links = new DnLinks();
  private final Map<DnId, DnLog> logs = new ConcurrentHashMap<>();
  private final CountDownLatch first = new CountDownLatch(1);
  private final GmsService gms;
  private final ClusterSecret secret;
  private final NodeId self;
  private final NodeClock clock;
  private final EventLoops loops;
  private final Runnable onSilence;

  RemoteLinks(
      GmsService gms, ClusterSecret secret, NodeId self, NodeClock clock, EventLoops loops) {
    this(gms, secret, self, clock, loops, () -> {});
  }

  /**
   * Links.
   *
   * @param onSilence counts agents that were given up as they did not answer
   */
  RemoteLinks(
      GmsService gms,
      ClusterSecret secret,
      NodeId self,
      NodeClock clock,
      EventLoops loops,
      Runnable onSilence) {
    this.onSilence = onSilence;
    this.gms = gms;
    this.secret = secret;
    this.self = self;
    this.clock = clock;
    this.loops = loops;
    gms.onChange(this::follow);
    follow(gms.catalog());
  }

  private synchronized void follow(Catalog catalog) {
    for (DataNode node : catalog.dataNodes()) {
      if (!links.dns().contains(node.id())) {
        RemoteDnLink link =
            new RemoteDnLink(
                node.id(),
                () -> address(node.id()),
                secret,
                self,
                clock,
                loops.group(),
                Limits.pool(loops.each().size()),
                onSilence);
        logs.put(node.id(), link.log());
        links.put(link);
        first.countDown();
      }
    }
  }

  private InetSocketAddress address(DnId dn) {
    return RoleConfig.address(
        gms.catalog().dataNode(dn).map(DataNode::address).orElse("127.0.0.1:1"));
  }

  /**
   * Waits for the first DN.
   *
   * @return whether there is one in time
   */
  boolean awaitFirst(Duration bound) throws InterruptedException {
    return first.await(bound.toMillis(), TimeUnit.MILLISECONDS);
  }

  DnLinks links() {
    return links;
  }

  /** The log of a DN; empty while none of that name has registered. */
  Optional<DnLog> log(DnId dn) {
    return Optional.ofNullable(logs.get(dn));
  }

  @Override
  public void close() {
    links.all().forEach(DnLink::close);
  }
}
