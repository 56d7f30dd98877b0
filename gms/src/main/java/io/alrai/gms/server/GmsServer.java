package io.alrai.gms.server;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.DiskSpace;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.gms.command.LeaderCalls;
import io.alrai.gms.raft.CatalogStateMachine;
import io.alrai.gms.raft.ChangeFeed;
import io.alrai.gms.raft.GmsGroup;
import io.alrai.raft.MemberLinks;
import io.alrai.raft.RaftProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running GMS node. Thread-safe. */
public final class GmsServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GmsServer.class);

  /** With less room than this a node does not start: it could not even write its first segments. */
  private static final long ROOM_MIN_BYTES = 16L << 20;

  private final GmsConfig config;
  private final DataDirLock lock;
  private final CompletableFuture<AlraiException> failure;
  private final CatalogStateMachine catalog;
  private final RaftServer raft;

  private GmsServer(
      GmsConfig config,
      DataDirLock lock,
      CompletableFuture<AlraiException> failure,
      CatalogStateMachine catalog,
      RaftServer raft) {
    this.config = config;
    this.lock = lock;
    this.failure = failure;
    this.catalog = catalog;
    this.raft = raft;
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
        checkDirectory(config);
        return start(config, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      throw clearly(config, e);
    }
  }

  private static GmsServer start(GmsConfig config, DataDirLock lock) throws IOException {
    CompletableFuture<AlraiException> failure = new CompletableFuture<>();
    CatalogStateMachine catalog =
        new CatalogStateMachine(
            System::currentTimeMillis, cause -> failure.complete(clearly(config, cause)));
    RaftServer raft =
        RaftServer.newBuilder()
            .setParameters(links(config))
            .setServerId(RaftPeerId.valueOf(config.node().name()))
            .setGroup(GmsGroup.of(config.cluster(), config.peers()))
            .setStateMachine(catalog)
            .setProperties(RatisSettings.of(config))
            .setOption(RaftStorage.StartupOption.RECOVER)
            .build();
    try {
      raft.start();
    } catch (IOException | RuntimeException e) {
      raft.close();
      throw e;
    }
    LOG.info("GMS node {} of cluster {} has started", config.node(), config.cluster());
    return new GmsServer(config, lock, failure, catalog, raft);
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

  private static void checkDirectory(GmsConfig config) throws IOException {
    String own = GmsGroup.id(config.cluster()).getUuid().toString();
    try (Stream<Path> entries = Files.list(config.dataDir())) {
      Optional<String> other =
          entries
              .filter(Files::isDirectory)
              .map(entry -> entry.getFileName().toString())
              .filter(name -> !name.equals(own))
              .findFirst();
      if (other.isPresent()) {
        throw unavailable(
            "the GMS' data directory "
                + config.dataDir()
                + " holds "
                + other.get()
                + ", which is not of cluster "
                + config.cluster());
      }
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
  }

  /** The catalog as this node has applied it; behind the leader's unless it leads. */
  public ChangeFeed feed() {
    return catalog.feed();
  }

  /** Calls to this node without a socket; they succeed while it leads. */
  public LeaderCalls calls() {
    return new InProcessCalls(raft, GmsGroup.id(config.cluster()), failure);
  }

  /** Completes with the reason when the node can no longer work, such as a full disk. */
  public CompletableFuture<AlraiException> failure() {
    return failure.copy();
  }

  /** Whether this node leads the group now and has applied all that was committed before. */
  public boolean leads() {
    try {
      return raft.getDivision(GmsGroup.id(config.cluster())).getInfo().isLeaderReady();
    } catch (IOException e) {
      return false; // it is starting or has been closed
    }
  }

  /** Shows in the process' metrics whether this node leads. */
  public void measure(Metrics metrics) {
    metrics.now(Metric.GMS_LEADS, () -> leads() ? 1 : 0);
  }

  /** Stops in order: applied entries are in a snapshot afterwards, where the disk has room. */
  @Override
  public void close() {
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
