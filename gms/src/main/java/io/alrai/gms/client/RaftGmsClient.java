package io.alrai.gms.client;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsNodes;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.Question;
import io.alrai.gms.member.Deadline;
import io.alrai.gms.member.GroupChanges;
import io.alrai.gms.member.KnownGms;
import io.alrai.gms.member.MembersLook;
import io.alrai.gms.member.SeenNode;
import io.alrai.gms.server.GmsConfig;
import io.alrai.raft.GroupIds;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A GMS over the wire. One thread keeps the catalog close to the leader's; with the GMS out of
 * reach the last catalog stays readable and commands fail after the patience is up.
 */
public final class RaftGmsClient implements GmsService {
  private static final Logger log = LoggerFactory.getLogger(RaftGmsClient.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long WATCH_MILLIS = 500;
  private static final long PULL_MILLIS = 200;
  private static final long PAUSE_MILLIS = 100;

  /** How often all nodes are asked who they are. */
  private static final long LOOK_MILLIS = 3_000;

  private final KnownGms known;
  private final MembersLook look;
  private final GroupChanges changes;
  private final RemoteCalls calls;
  private final LeaderLine leader;
  private final Duration patience;
  private final WatchedCatalog watched = new WatchedCatalog();
  private final Thread watcher;
  private final CountDownLatch closing = new CountDownLatch(1);
  private long generation; // of the catalog; guarded by this

  private RaftGmsClient(
      String cluster, KnownGms known, ClusterSecret secret, Duration patience, Metrics metrics) {
    this.known = known;
    this.look = new MembersLook(cluster, secret);
    this.changes = new GroupChanges(cluster, secret, known, look, patience, System::nanoTime);
    this.patience = patience;
    // one that was made the group by force is believed, and no other
    Optional<String> leads = known.everybody().size() > 1 ? learn() : Optional.empty();
    this.calls = new RemoteCalls(cluster, known.latest(), leads, secret);
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

  /** As {@link #connect}, by what this process has heard of the nodes in earlier lives, too. */
  public static RaftGmsClient connect(KnownGms known, ClusterSecret secret, Metrics metrics) {
    return connect(GmsConfig.DEFAULT_CLUSTER, known, secret, PATIENCE, metrics);
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
    return connect(cluster, new KnownGms(peers, Optional.empty()), secret, patience, metrics);
  }

  /** As the other one, by what is known of the nodes. */
  static RaftGmsClient connect(
      String cluster, KnownGms known, ClusterSecret secret, Duration patience, Metrics metrics) {
    RaftGmsClient client = new RaftGmsClient(cluster, known, secret, patience, metrics);
    client.turnToLatest();
    Thread.ofVirtual().name("gms-look").start(client::lookOn);
    try {
      client.pullFirst();
    } catch (AlraiException e) {
      client.close();
      throw client
          .calls
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

  private void pullFirst() {
    pull(0);
    Deadline deadline = Deadline.in(patience);
    while (watched.isOlder() && !deadline.isOver()) {
      pause();
      pull(0);
    }
  }

  /** Asks all nodes for their group; the name of the one that leads. */
  private Optional<String> learn() {
    return known.hear(look.ask(known.everybody())).map(SeenNode::name);
  }

  private void lookOn() {
    try {
      while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        try {
          learn();
          turnToLatest();
        } catch (RuntimeException e) {
          log.warn("the nodes of the GMS are not looked at: {}", e.toString());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      look.close();
    }
  }

  /** From here on calls go to the nodes that were heard of last. */
  private synchronized void turnToLatest() {
    GmsMembers latest = known.latest();
    if (latest.generation() != generation) {
      log.info(
          "the GMS goes on in generation {} as {}: what others say is not believed",
          latest.generation(),
          latest.peers());
      generation = latest.generation();
      watched.beginAnew(GroupIds.firstTerm(generation));
    }
    calls.move(latest);
  }

  @Override
  public long generation() {
    return known.latest().generation();
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
    Deadline deadline = Deadline.in(patience);
    while (watched.known() < change) {
      if (deadline.isOver()) {
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

  @Override
  public GmsNodes nodes() {
    return changes;
  }

  private void watch() {
    boolean told = false;
    while (closing.getCount() > 0) {
      try {
        watched.merge(
            calls.ask(new Question.Watch(watched.known(), WATCH_MILLIS)).as(Answer.OfWatch.class));
        told = false;
      } catch (IOException e) {
        pause(); // no leader now: the last catalog stays, the next turn asks another node
      } catch (RuntimeException e) {
        boolean nobody =
            e instanceof AlraiException known && known.errno() != ErrorCode.ALRAI_INTERNAL.errno();
        if (!told && !nobody) {
          log.warn("the catalog is not taken from the GMS, which is asked again", e);
          told = true;
        }
        pause();
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
    closing.countDown();
    calls.close();
  }
}
