package io.alrai.gms.client;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.command.Question;
import io.alrai.gms.raft.ChangeFeed;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GmsServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The whole GMS of a cluster in one process: one node and its service. Commands go to the node
 * without a socket, and the catalog is the node's own.
 */
public final class EmbeddedGms implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final GmsServer server;
  private final Service service;

  private EmbeddedGms(GmsServer server, Service service) {
    this.server = server;
    this.service = service;
  }

  /**
   * Starts a node without a port, or goes on with what an earlier one left in the directory.
   *
   * @param metrics of the process
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE with the reason
   */
  public static EmbeddedGms start(Path dataDir, Metrics metrics) {
    return start(GmsConfig.embedded(dataDir), metrics);
  }

  /**
   * Starts the one node of a group; with a port if its peer has an address. It has applied its log
   * and serves when this returns.
   *
   * @param metrics of the process
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE with the reason
   */
  public static EmbeddedGms start(GmsConfig config, Metrics metrics) {
    if (config.peers().size() != 1) {
      throw new IllegalArgumentException("an embedded GMS has one node, not " + config.peers());
    }
    GmsServer server = GmsServer.start(config);
    LeaderLine leader = new LeaderLine(server.calls(), PATIENCE, metrics, System::nanoTime);
    try {
      leader.ask(new Question.WhoIsBehind(0)); // answered once the log is applied
    } catch (AlraiException e) {
      server.close();
      throw e;
    }
    server.measure(metrics);
    return new EmbeddedGms(server, new Service(server.feed(), leader));
  }

  /** The service; closing it does nothing, close this object. */
  public GmsService service() {
    return service;
  }

  /** Completes with the reason when the node can no longer work, such as a full disk. */
  public CompletableFuture<AlraiException> failure() {
    return server.failure();
  }

  @Override
  public void close() {
    server.close();
  }

  private record Service(ChangeFeed feed, LeaderLine leader) implements GmsService {
    @Override
    public Catalog catalog() {
      return feed.catalog();
    }

    @Override
    public void onChange(Consumer<Catalog> listener) {
      feed.onChange(listener);
    }

    @Override
    public Catalog submit(CatalogCommand command) {
      leader.submit(command);
      return feed.catalog();
    }

    @Override
    public void awaitCatalogEverywhere(long version) {
      leader.awaitEverywhere(version, _ -> false);
    }

    @Override
    public void awaitCatalogAtOthers(long version, NodeId self) {
      leader.awaitEverywhere(version, self::equals);
    }

    @Override
    public Map<String, Long> lastNumbers(Collection<String> sequences) {
      return leader.lastNumbers(sequences);
    }

    @Override
    public SequenceRange reserve(String sequence, long count) {
      return leader.reserve(sequence, count);
    }

    @Override
    public void raise(String sequence, long value) {
      leader.raise(sequence, value);
    }

    @Override
    public HlcTimestamp timestamps(int count) {
      return leader.timestamps(count);
    }

    @Override
    public void close() {
      // the node is its starter's to close
    }
  }
}
