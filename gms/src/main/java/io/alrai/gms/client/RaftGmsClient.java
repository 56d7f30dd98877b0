package io.alrai.gms.client;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsPeer;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.LeaderCalls;
import io.alrai.gms.command.Question;
import io.alrai.gms.server.GmsConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A GMS over the wire. One thread keeps the catalog close to the leader's; with the GMS out of
 * reach the last catalog stays readable and commands fail after the patience is up.
 */
public final class RaftGmsClient implements GmsService {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long WATCH_MILLIS = 500;
  private static final long PULL_MILLIS = 200;
  private static final long PAUSE_MILLIS = 100;

  private final LeaderCalls calls;
  private final LeaderLine leader;
  private final Duration patience;
  private final WatchedCatalog watched = new WatchedCatalog();
  private final Thread watcher;
  private volatile boolean closed;

  private RaftGmsClient(LeaderCalls calls, Duration patience, Metrics metrics) {
    this.calls = calls;
    this.patience = patience;
    this.leader = new LeaderLine(calls, patience, metrics, System::nanoTime);
    this.watcher = Thread.ofVirtual().name("gms-watch").unstarted(this::watch);
  }

  /**
   * Connects to the group of the default cluster name.
   *
   * @param metrics count requests that have to be sent again
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE when no leader answers within 30 seconds
   */
  public static RaftGmsClient connect(List<GmsPeer> peers, ClusterSecret secret, Metrics metrics) {
    return connect(GmsConfig.DEFAULT_CLUSTER, peers, secret, PATIENCE, metrics);
  }

  /**
   * Connects to a group; {@link #catalog} is the leader's when this returns.
   *
   * @param secret the cluster's: each side has to know it
   * @param patience how long a request may take in all, over however many leaders
   * @param metrics count requests that have to be sent again
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE when no leader answers in that time
   */
  public static RaftGmsClient connect(
      String cluster,
      List<GmsPeer> peers,
      ClusterSecret secret,
      Duration patience,
      Metrics metrics) {
    RemoteCalls calls = new RemoteCalls(cluster, peers, secret);
    RaftGmsClient client = new RaftGmsClient(calls, patience, metrics);
    try {
      client.pull(0);
    } catch (AlraiException e) {
      client.close();
      throw calls
          .refusal()
          .map(sentence ->
              new AlraiException(
                  ErrorCode.ALRAI_NODE_UNAVAILABLE,
                  "the GMS cannot be used: " + sentence + "; it has to be the same on every node",
                  e))
          .orElse(e);
    }
    client.watcher.start();
    return client;
  }

  @Override
  public Catalog catalog() {
    return watched.catalog();
  }

  @Override
  public void onChange(Consumer<Catalog> listener) {
    watched.onChange(listener);
  }

  @Override
  public Catalog submit(CatalogCommand command) {
    long change = leader.submit(command);
    long deadline = System.nanoTime() + patience.toNanos();
    while (watched.known() < change) {
      if (System.nanoTime() - deadline > 0) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "the GMS has applied the command, but does not show the catalog with it");
      }
      pull(PULL_MILLIS);
    }
    return watched.toldCatalog();
  }

  /** Takes over what the leader has, or gets within the wait. */
  private void pull(long waitMillis) {
    watched.merge(
        leader.ask(new Question.Watch(watched.known(), waitMillis)).as(Answer.OfWatch.class));
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

  private void watch() {
    while (!closed) {
      try {
        watched.merge(
            calls.ask(new Question.Watch(watched.known(), WATCH_MILLIS)).as(Answer.OfWatch.class));
      } catch (IOException | AlraiException e) {
        // No leader now: the last catalog stays, the next turn asks another node.
        if (!closed) {
          pause();
        }
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the connection; the catalog stays readable. */
  @Override
  public void close() {
    closed = true;
    calls.close();
  }
}
