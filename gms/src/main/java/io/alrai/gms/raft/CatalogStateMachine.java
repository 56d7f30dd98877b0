package io.alrai.gms.raft;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.catalog.LeaderTime;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.GmsCodec;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.command.Question;
import io.alrai.gms.topology.Leases;
import io.alrai.raft.SnapshotFiles;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the log to the catalog's state, on Ratis' one updater thread; writes and reads snapshots;
 * answers questions from what it has applied, on any thread.
 */
public final class CatalogStateMachine extends BaseStateMachine {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogStateMachine.class);

  private final GmsCodec codec = new GmsCodec();
  private final SnapshotFiles snapshots = new SnapshotFiles();
  private final ChangeFeed feed = new ChangeFeed();
  private final LongSupplier wallMillis;
  private final Consumer<Throwable> onFailure;
  private final Runnable onDropped;
  private final TimestampWindow timestamps = new TimestampWindow();
  private volatile @Nullable RaftServer raft;
  private volatile ReplicatedState state = ReplicatedState.EMPTY;

  /**
   * A state machine that {@link #initialize} fills.
   *
   * @param wallMillis milliseconds since 1970, by which leases run out while this node leads
   * @param onFailure called when the log can no longer be written or applied; must not block
   * @param onDropped called when the group goes on without this node
   */
  public CatalogStateMachine(
      LongSupplier wallMillis, Consumer<Throwable> onFailure, Runnable onDropped) {
    this.onDropped = onDropped;
    this.wallMillis = wallMillis;
    this.onFailure = onFailure;
  }

  /** The catalog as this node has applied it. */
  public ChangeFeed feed() {
    return feed;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage)
      throws IOException {
    super.initialize(server, groupId, storage);
    raft = server;
    getLifeCycle()
        .startAndTransition(() -> {
          snapshots.open(storage);
          restore();
        });
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  @Override
  public void reinitialize() throws IOException {
    restore();
    if (getLifeCycleState() == LifeCycle.State.PAUSED) {
      getLifeCycle().transition(LifeCycle.State.STARTING);
      getLifeCycle().transition(LifeCycle.State.RUNNING);
    }
  }

  private void restore() throws IOException {
    Optional<SingleFileSnapshotInfo> newest = snapshots.newest();
    if (newest.isEmpty()) {
      return;
    }
    SingleFileSnapshotInfo snapshot = newest.get();
    ReplicatedState restored;
    try {
      restored = codec.decode(snapshots.read(snapshot), ReplicatedState.class);
    } catch (AlraiException e) {
      throw new IOException("the GMS' snapshot " + snapshot + " cannot be read", e);
    }
    state = restored;
    setLastAppliedTermIndex(snapshot.getTermIndex());
    feed.reset(restored.change(), restored.state().catalog());
    LOG.info("catalog version {} from {}", feed.catalog().version(), snapshot);
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return snapshots.storage();
  }

  @Override
  public long takeSnapshot() {
    TermIndex at = getLastAppliedTermIndex();
    if (at == null || at.getIndex() < 0) {
      return RaftLog.INVALID_LOG_INDEX;
    }
    return snapshots.tryWrite(at, () -> codec.encode(state))
        ? at.getIndex()
        : RaftLog.INVALID_LOG_INDEX;
  }

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
    TransactionContext.Builder transaction =
        TransactionContext.newBuilder()
            .setStateMachine(this)
            .setClientRequest(request)
            .setServerRole(RaftPeerRole.LEADER);
    ByteString content = request.getMessage().getContent();
    try {
      return transaction.setLogData(stamp(content)).build();
    } catch (AlraiException e) {
      TransactionContext refused = transaction.setLogData(content).build();
      refused.setException(new IOException("not an entry for this GMS' log", e));
      return refused;
    }
  }

  private ByteString stamp(ByteString content) {
    LogEntry entry = codec.decode(content.toByteArray(), LogEntry.class);
    long now = wallMillis.getAsLong();
    LogCommand stamped =
        switch (entry.command()) {
          case LogCommand.Change change ->
              new LogCommand.Change(LeaderTime.stamp(change.command(), now, leasesMillis(now)));
          case LogCommand.ReserveTimestamps reserve ->
              new LogCommand.ReserveTimestamps(now, reserve.aheadMillis());
          case LogCommand.ReserveNumbers numbers -> numbers;
          case LogCommand.RaiseNumbers raise -> raise;
        };
    return stamped.equals(entry.command())
        ? content
        : bytes(codec.encode(new LogEntry(entry.request(), stamped)));
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    byte[] content = entry.getStateMachineLogEntry().getLogData().toByteArray();
    LogEntry applied = read(content);
    ReplicatedState.Outcome outcome = state.apply(applied, entry.getIndex());
    state = outcome.next();
    if (applied.command() instanceof LogCommand.ReserveTimestamps
        && outcome.answer() instanceof Answer.Numbers numbers) {
      timestamps.reserved(entry.getTerm(), numbers.first(), numbers.last());
    }
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    outcome.step().ifPresent(step -> feed.publish(step, outcome.next().state().catalog()));
    return CompletableFuture.completedFuture(message(outcome.answer()));
  }

  /**
   * An entry that cannot be read stops this node: going on without it would part it from others.
   */
  private LogEntry read(byte[] content) {
    try {
      return codec.decode(content, LogEntry.class);
    } catch (AlraiException e) {
      onFailure.accept(e);
      throw e;
    }
  }

  @Override
  public CompletableFuture<Message> query(Message request) {
    Question question = codec.decode(request.getContent().toByteArray(), Question.class);
    return switch (question) {
      case Question.Watch watch ->
          feed.watch(watch.known(), watch.waitMillis()).thenApply(this::message);
      case Question.NextTimestamps wanted ->
          CompletableFuture.completedFuture(
              message(timestamps.take(leading(), wanted.count(), wallMillis.getAsLong())));
      case Question.HowFar asked ->
          CompletableFuture.completedFuture(
              message(new Answer.LastNumbers(state.state().lastNumbers(asked.sequences()))));
      case Question.WhoIsBehind who ->
          CompletableFuture.completedFuture(message(behind(who.version())));
    };
  }

  /** The term in which this node leads; -1 when it does not. */
  private long leading() {
    RaftServer server = raft;
    if (server == null) {
      return -1;
    }
    try {
      DivisionInfo own = server.getDivision(getGroupId()).getInfo();
      return own.isLeaderReady() ? own.getCurrentTerm() : -1;
    } catch (IOException closing) {
      return -1;
    }
  }

  private long leasesMillis(long nowMillis) {
    RaftServer server = raft;
    if (server == null) {
      return Leases.time(nowMillis, 0);
    }
    try {
      DivisionInfo own = server.getDivision(getGroupId()).getInfo();
      return Leases.time(nowMillis, own.getRoleInfoProto().getRoleElapsedTimeMs());
    } catch (IOException closing) {
      return Leases.time(nowMillis, 0);
    }
  }

  private Answer behind(long version) {
    ReplicatedState now = state;
    return new Answer.Behind(
        now.change(),
        Leases.behind(
                now.state().catalog().computeNodes(), version, leasesMillis(wallMillis.getAsLong()))
            .stream()
            .map(ComputeNode::id)
            .toList());
  }

  @Override
  public void notifyLeaderReady() {
    LOG.info("this node leads the GMS");
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    LOG.info("this node leads the GMS no more");
    feed.release();
  }

  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean closed) {
    if (!closed) {
      onDropped.run();
    }
  }

  @Override
  public void notifyLogFailed(Throwable cause, LogEntryProto failed) {
    LOG.error("the GMS cannot write its log", cause);
    onFailure.accept(cause);
  }

  @Override
  public void close() throws IOException {
    super.close();
    feed.release();
  }

  private Message message(Answer answer) {
    return Message.valueOf(bytes(codec.encode(answer)));
  }

  private static ByteString bytes(byte[] content) {
    return UnsafeByteOperations.unsafeWrap(content);
  }
}
