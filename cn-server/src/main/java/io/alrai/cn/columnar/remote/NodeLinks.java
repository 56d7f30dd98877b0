package io.alrai.cn.columnar.remote;

import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.exchange.RecordCodec;
import io.alrai.executor.task.Cancellation;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.node.ColumnNode;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** A link to each column node of the catalog but the own process. Thread-safe. */
public final class NodeLinks implements AutoCloseable {
  private static final long BATCH_BYTES = 64L << 20;

  private final GmsService gms;
  private final ClusterSecret secret;
  private final NodeId self;
  private final RecordCodec codec = NodeMessages.codec();
  private final Map<NodeId, NodeLink> links = new ConcurrentHashMap<>();

  /** Numbers of queries; not those of this process before it was started anew. */
  private final AtomicLong queries = new AtomicLong(new SecureRandom().nextLong());

  private volatile boolean closed;

  /** Where there is no column node, nothing of Arrow is loaded. Guarded by this. */
  private @Nullable BufferAllocator allocator;

  /**
   * Those of a cluster.
   *
   * @param self this process
   */
  public NodeLinks(GmsService gms, ClusterSecret secret, NodeId self) {
    this.gms = gms;
    this.secret = secret;
    this.self = self;
  }

  /** Follows the catalog from now on. */
  public void start() {
    gms.onChange(this::follow);
    follow(gms.catalog());
  }

  private synchronized void follow(Catalog catalog) {
    if (closed) {
      return;
    }
    for (NodeLink link : List.copyOf(links.values())) {
      if (!catalog.columnNodes().stream().anyMatch(link::isTo)) {
        links.values().remove(link);
        Thread.ofVirtual().start(link::close);
      }
    }
    for (ColumnNode node : catalog.columnNodes()) {
      if (!links.containsKey(node.id()) && !node.id().equals(self)) {
        NodeLink link = new NodeLink(self, node, secret, allocator(), codec);
        links.put(node.id(), link);
        link.start();
      }
    }
  }

  private synchronized BufferAllocator allocator() {
    BufferAllocator known = allocator;
    if (known == null) {
      known = new RootAllocator(BATCH_BYTES);
      allocator = known;
    }
    return known;
  }

  /** All, in the order of their names. */
  List<NodeLink> all() {
    return links.values().stream().sorted(Comparator.comparing(NodeLink::name)).toList();
  }

  /** Those that answer. */
  List<NodeLink> answering() {
    return all().stream().filter(link -> link.known().isPresent()).toList();
  }

  boolean isClosed() {
    return closed;
  }

  RecordCodec codec() {
    return codec;
  }

  /**
   * Has a node run something to its end.
   *
   * @param node its name
   * @throws AlraiException what it failed with; ALRAI_NODE_UNAVAILABLE, 1317
   */
  public PlanRows run(String node, NodeMessages.Query query, Cancellation cancellation) {
    NodeLink link = links.get(new NodeId(node));
    if (link == null) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "there is no column node " + node + " any more");
    }
    cancellation.check();
    try {
      return new RemoteRows(
          node,
          link.call(new NodeMessages.Ticket(queries.incrementAndGet(), query)),
          query.sent().plan().root().columns(),
          codec,
          cancellation);
    } catch (AlraiException e) {
      link.look(e);
      throw e;
    }
  }

  @Override
  public void close() {
    List<NodeLink> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      all.addAll(links.values());
      links.clear();
    }
    all.forEach(NodeLink::close);
  }
}
