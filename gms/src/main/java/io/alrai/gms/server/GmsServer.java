package io.alrai.gms.server;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.DiskSpace;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.command.LeaderCalls;
import io.alrai.gms.member.Deadline;
import io.alrai.gms.member.MembersLook;
import io.alrai.gms.member.SeenNode;
import io.alrai.gms.raft.CatalogStateMachine;
import io.alrai.gms.raft.ChangeFeed;
import io.alrai.gms.raft.GmsGroup;
import io.alrai.raft.ClosedLog;
import io.alrai.raft.MemberLinks;
import io.alrai.raft.RaftProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running GMS node. Thread-safe. */
public final class GmsServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GmsServer.class);

  /** With less room than this a node does not start: it could not even write its first segments. */
  private static final long ROOM_MIN_BYTES = 16L << 20;

  /** How long a node that joins asks the others. */
  private static final long JOIN_SECONDS = 30;

  private static final long JOIN_PAUSE_NANOS = 100_000_000;

  /** Why a node ends that was dropped. */
  static final String GO_ON_WITHOUT_IT = "the other nodes of the GMS go on without it";

  private final GmsConfig config;
  private final DataDirLock lock;
  private final CompletableFuture<AlraiException> failure;
  private final CatalogStateMachine catalog;
  private final RaftServer raft;
  private final long generation;
  private final CompletableFuture<String> dropped;
  private final ScheduledExecutorService looking;
  private volatile @Nullable GenerationWatch watch;
  private volatile boolean closing;

  private GmsServer(
      GmsConfig config,
      DataDirLock lock,
      CompletableFuture<AlraiException> failure,
      CatalogStateMachine catalog,
      RaftServer raft,
      long generation,
      CompletableFuture<String> dropped) {
    this.generation = generation;
    this.dropped = dropped;
    this.config = config;
    this.lock = lock;
    this.failure = failure;
    this.catalog = catalog;
    this.raft = raft;
    this.looking =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gms-log-" + config.node()).factory());
  }

  /**
   * Starts a node. It serves as soon as the group has a leader, which this does not wait for.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE with the reason: the directory is in use, damaged
   *     or full, or the port is taken
   */
  public static GmsServer start(GmsConfig config) {
    RaftProcess.keepAlive();
    try {
      PrivateFiles.directory(config.dataDir());
      DataDirLock lock = DataDirLock.take(config.dataDir());
      try {
        return start(config, lock, checkDirectory(config));
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      throw clearly(config, e);
    }
  }

  private static GmsServer start(GmsConfig config, DataDirLock lock, long generation)
      throws IOException {
    CompletableFuture<String> dropped = new CompletableFuture<>();
    CompletableFuture<AlraiException> failure = new CompletableFuture<>();
    CatalogStateMachine catalog =
        new CatalogStateMachine(
            System::currentTimeMillis,
            cause -> failure.complete(clearly(config, cause)),
            () -> drop(config, dropped, GO_ON_WITHOUT_IT));
    RaftServer raft =
        RaftServer.newBuilder()
            .setParameters(links(config))
            .setServerId(RaftPeerId.valueOf(config.node().name()))
            .setGroup(GmsGroup.of(config.cluster(), generation, config.founders()))
            .setStateMachine(catalog)
            .setProperties(RatisSettings.of(config))
            .setOption(RaftStorage.StartupOption.RECOVER)
            .build();
    try {
      raft.start();
      LOG.info(
          "GMS node {} of cluster {} has started in generation {}",
          config.node(),
          config.cluster(),
          generation);
      GmsServer server = new GmsServer(config, lock, failure, catalog, raft, generation, dropped);
      server.watchLog();
      server.watchOthers();
      return server;
    } catch (IOException | RuntimeException e) {
      raft.close();
      throw e;
    }
  }

  private void watchLog() {
    new ClosedLog(
            config.node().name(),
            this::info,
            () -> closing || dropped.isDone(),
            cause -> failure.complete(clearly(config, cause)))
        .lookOn(looking);
  }

  private void watchOthers() {
    if (config.secret().isPresent() && !config.address().isEmpty()) {
      watch =
          new GenerationWatch(
                  config, config.secret().get(), generation, this::nodes, this::superseded)
              .start();
    }
  }

  private static void drop(GmsConfig config, CompletableFuture<String> dropped, String why) {
    LOG.warn("GMS node {} ends: {}", config.node(), why);
    try {
      new GroupDirectory(config.cluster(), config.dataDir()).drop(why);
    } catch (IOException e) {
      // it hears it again after its next start
      LOG.error("GMS node {}: that it was dropped cannot be written down", config.node(), e);
    }
    dropped.complete(why);
  }

  private void superseded(String why) {
    drop(config, dropped, why);
    try {
      raft.close();
    } catch (IOException e) {
      LOG.warn("GMS node {} did not stop in order", config.node(), e);
    }
  }

  /** Those who vote, by the log of this node. */
  private List<GmsPeer> nodes() {
    try {
      return raft.getDivision(id()).getRaftConf().getAllPeers().stream()
          .map(GmsGroup::peer)
          .toList();
    } catch (IOException closing) {
      return List.of();
    }
  }

  private RaftGroupId id() {
    return GmsGroup.id(config.cluster(), generation);
  }

  /** Callers and other nodes show that they know the cluster's secret; a log line tells if not. */
  private static Parameters links(GmsConfig config) {
    return config
        .secret()
        .map(secret ->
            MemberLinks.parameters(
                secret, sentence -> LOG.warn("GMS node {}: {}", config.node(), sentence)))
        .orElseGet(Parameters::new);
  }

  /** The generation that this node goes on with. */
  private static long checkDirectory(GmsConfig config) throws IOException {
    GroupDirectory directory = new GroupDirectory(config.cluster(), config.dataDir());
    if (directory.isDropped()) {
      throw unavailable(
          "GMS node "
              + config.node()
              + " was dropped: "
              + Files.readString(config.dataDir().resolve("dropped")).strip()
              + "; end its process and remove its directory; to add it again, begin with an empty"
              + " one, under another name");
    }
    OptionalLong generation = directory.generation();
    if (generation.isPresent()) {
      directory.logs().putAside(generation.getAsLong());
    }
    long room = DiskSpace.usable(config.dataDir());
    if (room < ROOM_MIN_BYTES) {
      throw unavailable(
          "the disk of the GMS' data directory "
              + config.dataDir()
              + " is full: "
              + room / 1024
              + " KiB are left, it needs at least "
              + ROOM_MIN_BYTES / 1024
              + " KiB");
    }
    return generation.isPresent() ? generation.getAsLong() : firstGeneration(config);
  }

  /** A node that joins is of the generation that the others are of. */
  private static long firstGeneration(GmsConfig config) {
    if (!config.joins()) {
      return 0;
    }
    Deadline deadline = Deadline.in(Duration.ofSeconds(JOIN_SECONDS));
    try (MembersLook look = new MembersLook(config.cluster(), config.secret().orElseThrow())) {
      while (true) {
        OptionalLong known =
            look.ask(config.others()).stream()
                .mapToLong(SeenNode::generation)
                .filter(generation -> generation >= 0)
                .max();
        if (known.isPresent()) {
          return known.getAsLong();
        }
        if (deadline.isOver()) {
          throw unavailable(
              config.node()
                  + " wants to join the GMS, and none of its nodes answers: "
                  + config.others());
        }
        LockSupport.parkNanos(JOIN_PAUSE_NANOS);
      }
    }
  }

  /** The catalog as this node has applied it; behind the leader's unless it leads. */
  public ChangeFeed feed() {
    return catalog.feed();
  }

  /** Calls to this node without a socket; they succeed while it leads. */
  public LeaderCalls calls() {
    return new InProcessCalls(raft, id(), failure);
  }

  /**
   * Completes with the reason when the node can no longer work, such as a full disk, until it is
   * started again.
   */
  public CompletableFuture<AlraiException> failure() {
    return failure.copy();
  }

  /** Completes with the reason when the group goes on without this node: it is of no use then. */
  public CompletableFuture<String> dropped() {
    return dropped.copy();
  }

  /** Whether this node leads the group now and has applied all that was committed before. */
  public boolean leads() {
    return info().map(DivisionInfo::isLeaderReady).orElse(false);
  }

  /** Whether this node leads, or follows one that does. */
  public boolean knowsLeader() {
    return info().map(DivisionInfo::getLeaderId).isPresent();
  }

  /** Shows in the process' metrics whether this node leads. */
  public void measure(Metrics metrics) {
    metrics.now(Metric.GMS_LEADS, () -> leads() ? 1 : 0);
    metrics.now(Metric.GMS_TERM, () -> of(DivisionInfo::getCurrentTerm));
    metrics.now(Metric.GMS_APPLIED, () -> of(DivisionInfo::getLastAppliedIndex));
  }

  private double of(ToLongFunction<DivisionInfo> measured) {
    return info().map(info -> (double) measured.applyAsLong(info)).orElse(Double.NaN);
  }

  /** Empty while it is starting, and when it has been closed. */
  private Optional<DivisionInfo> info() {
    try {
      return Optional.of(raft.getDivision(id()).getInfo());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Stops in order: applied entries are in a snapshot afterwards, where the disk has room. */
  @Override
  public void close() {
    closing = true;
    looking.shutdown();
    GenerationWatch watching = watch;
    if (watching != null) {
      watching.close();
    }
    try {
      try {
        raft.close();
      } finally {
        lock.close();
      }
    } catch (IOException e) {
      throw unavailable("GMS node " + config.node() + " did not stop in order: " + e.getMessage());
    }
  }

  private static AlraiException clearly(GmsConfig config, Throwable cause) {
    Throwable root = cause;
    boolean binding = false;
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof AlraiException already) {
        return already;
      }
      binding |= String.valueOf(each.getMessage()).startsWith("Failed to bind");
      root = each;
    }
    String reason = root.getMessage() == null ? root.toString() : root.getMessage();
    if (binding) {
      return unavailable("the GMS cannot listen on " + config.address() + ": " + reason);
    }
    AlraiException said =
        new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "GMS node " + config.node() + " in " + config.dataDir() + " cannot work: " + reason,
            cause);
    LOG.error("{}", said.sentence(), cause);
    return said;
  }

  private static AlraiException unavailable(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
