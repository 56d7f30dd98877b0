package io.alrai.dn.raft;

import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.raft.SnapshotFiles;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives what is committed to its member, in order, on Ratis' one updater thread. It has no state of
 * its own: its snapshots are empty, and only say up to where nobody needs the log.
 */
final class GroupStateMachine extends BaseStateMachine {
  private static final Logger log = LoggerFactory.getLogger(GroupStateMachine.class);

  private static final Message VOID = Message.valueOf("void");

  private static final CompletableFuture<@Nullable TermIndex> NOTHING_TO_INSTALL =
      CompletableFuture.completedFuture(null);

  private final GroupConfig config;
  private final String name;
  private final GroupEvents events;
  private final LeaderHandover handover;
  private final Keeps keeps;
  private final Predicate<RaftPeer> hasRows;
  private final SnapshotFiles snapshots = new SnapshotFiles();
  private final AtomicLong released = new AtomicLong(RaftLog.INVALID_LOG_INDEX);
  private volatile long snapshotIndex = RaftLog.INVALID_LOG_INDEX;
  private final CommittedIndex committed = new CommittedIndex();

  /** The term of the last leader, by its first entry; on the updater thread. */
  private long begun;

  private final LongAdder elections = new LongAdder();
  private volatile Supplier<byte[]> says = () -> new byte[0];
  private volatile @Nullable RaftServer server;

  /**
   * A member's.
   *
   * @param hasRows whether a leader has, by what its own configuration says of it: this member's
   *     may be older than that leader
   */
  GroupStateMachine(
      GroupConfig config,
      GroupEvents events,
      LeaderHandover handover,
      Predicate<RaftPeer> hasRows) {
    this.hasRows = hasRows;
    this.config = config;
    this.name = config.name();
    this.keeps = config.own().keeps();
    this.events = events;
    this.handover = handover;
  }

  @Override
  public void initialize(RaftServer of, RaftGroupId group, RaftStorage storage) throws IOException {
    super.initialize(of, group, storage);
    server = of;
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
  public void reinitialize() {
    restore();
    events.skipped(snapshotIndex);
    if (getLifeCycleState() == LifeCycle.State.PAUSED) {
      getLifeCycle().transition(LifeCycle.State.STARTING);
      getLifeCycle().transition(LifeCycle.State.RUNNING);
    }
  }

  private void restore() {
    snapshots
        .newest()
        .ifPresent(snapshot -> {
          setLastAppliedTermIndex(snapshot.getTermIndex());
          snapshotIndex = snapshot.getIndex();
          committed.reached(snapshot.getIndex());
          release(snapshot.getIndex());
        });
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return snapshots.storage();
  }

  /** Nobody at this member needs entries up to there any more. Any thread. */
  void release(long index) {
    released.accumulateAndGet(index, Math::max);
  }

  /** Who has the log alone needs nothing of it, but for others. */
  static long notNeeded(Keeps keeps, long applied, long released) {
    return keeps == Keeps.LOG ? applied : released;
  }

  @Override
  public synchronized long takeSnapshot() throws IOException {
    TermIndex applied = getLastAppliedTermIndex();
    long upTo = notNeeded(keeps, applied.getIndex(), released.get());
    long before = snapshots.newest().map(SingleFileSnapshotInfo::getIndex).orElse(-1L);
    if (upTo <= before || upTo > applied.getIndex()) {
      return RaftLog.INVALID_LOG_INDEX;
    }
    TermIndex at =
        upTo == applied.getIndex() ? applied : division().getRaftLog().getTermIndex(upTo);
    if (at == null) {
      return RaftLog.INVALID_LOG_INDEX;
    }
    if (!snapshots.tryWrite(at, () -> new byte[0])) {
      return RaftLog.INVALID_LOG_INDEX;
    }
    snapshotIndex = upTo;
    return upTo;
  }

  /**
   * Entries up to there may go: what was released by now is written down first, as Ratis looks only
   * after so many entries, however long they are. Any thread.
   */
  long forgettable() {
    try {
      takeSnapshot();
    } catch (IOException e) {
      log.warn("{}: what of its log is not needed cannot be written down", name, e);
    }
    return snapshotIndex;
  }

  /**
   * The leader does not have any more what this member lacks: its log is taken on after the first
   * entry that the leader has. What rows it lacks is found out as after any start.
   *
   * <p>A leader whose appender has failed begins anew with the first entry that it has, whatever
   * this member has got. Then nothing is skipped: it would be the end of a log that is whole.
   */
  @Override
  public synchronized CompletableFuture<@Nullable TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto roles, TermIndex first) {
    if (first.getIndex() == 0) {
      // all of it is there: Ratis asks whoever joins
      return NOTHING_TO_INSTALL;
    }
    RaftLog own = ownLog();
    if (own != null && has(own, first)) {
      // Ratis asks once more, hears that it is there, and goes on after it: before an entry that it
      // does not have itself it would ask again and again. What a leader begins with is committed.
      own.updateSnapshotIndex(first.getIndex());
      return NOTHING_TO_INSTALL;
    }
    RaftPeer leader = ProtoUtils.toRaftPeer(roles.getFollowerInfo().getLeaderInfo().getId());
    if (!hasRows.test(leader)) {
      // it forgets what is not settled: a member that skips this would not find out what it lacks
      return CompletableFuture.failedFuture(
          new IOException(
              leader.getId() + " keeps the log alone and does not say what may be skipped"));
    }
    log.warn(
        "{} lacks what its group's log does not have any more: it goes on after entry {}",
        name,
        first.getIndex());
    try {
      snapshots.write(first, new byte[0]);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    return CompletableFuture.completedFuture(first);
  }

  /** Whether a log has had all up to an entry: it is committed here, or it is that very one. */
  private static boolean has(RaftLog own, TermIndex first) {
    return own.getLastCommittedIndex() >= first.getIndex()
        || first.equals(own.getTermIndex(first.getIndex()));
  }

  private @Nullable RaftLog ownLog() {
    try {
      return server == null ? null : division().getRaftLog();
    } catch (IOException closing) {
      return null;
    }
  }

  private RaftServer.Division division() throws IOException {
    RaftServer of = server;
    if (of == null) {
      throw new IllegalStateException(name + " has not begun");
    }
    return of.getDivision(getGroupId());
  }

  /** How often this member has heard that somebody leads. */
  LongAdder elections() {
    return elections;
  }

  /** What this member answers whoever asks how it is. */
  void says(Supplier<byte[]> word) {
    says = word;
  }

  @Override
  public CompletableFuture<Message> queryStale(Message question, long minIndex) {
    if (LastEntry.asks(question)) {
      return CompletableFuture.completedFuture(last().message());
    }
    return CompletableFuture.completedFuture(
        Message.valueOf(UnsafeByteOperations.unsafeWrap(says.get())));
  }

  /** The last entry that is in the log, committed or not. */
  LastEntry last() {
    try {
      TermIndex last = division().getRaftLog().getLastEntryTermIndex();
      TermIndex applied = getLastAppliedTermIndex();
      return last == null || last.getIndex() < applied.getIndex()
          ? LastEntry.of(applied)
          : LastEntry.of(last);
    } catch (IOException closing) {
      return LastEntry.NONE;
    }
  }

  /** The group goes on in a later generation, without this member. */
  void superseded(String why) {
    log.warn("{} votes no more: {}", name, why);
    DroppedMark.write(config);
    events.dropped();
  }

  /** Up to where entries have come. */
  CommittedIndex committed() {
    return committed;
  }

  /**
   * Answers whether the entry was void.
   *
   * @param reply of {@link #applyTransaction}
   */
  static boolean isVoid(Message reply) {
    return reply.getContent().equals(VOID.getContent());
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    Optional<LogEntry> valid = EntryTerm.read(entry);
    valid.ifPresent(read -> events.committed(read.term(), read.index(), read.content()));
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    committed.reached(entry.getIndex());
    return CompletableFuture.completedFuture(valid.isPresent() ? Message.EMPTY : VOID);
  }

  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    super.notifyTermIndexUpdated(term, index);
    committed.reached(index);
  }

  @Override
  public void notifyConfigurationChanged(
      long term, long index, RaftConfigurationProto configuration) {
    begun = term;
  }

  /** Comes with the first entry of its term. */
  @Override
  public void notifyLeaderReady() {
    long term = begun;
    log.info("{} leads in term {}", name, term);
    if (!handover.handsOver()) {
      events.leads(term);
    }
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
    log.info("{}: {} leads", name, leader == null ? "nobody" : leader);
    if (leader != null) {
      elections.increment();
    }
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    log.info("{} leads no more, {} entries are uncertain", name, pending.size());
    events.follows();
  }

  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean closed) {
    if (!closed) {
      log.warn("{} was dropped from its group: it votes no more", name);
      DroppedMark.write(config);
      events.dropped();
    }
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
    log.error("{} cannot write its log", name, cause);
    events.failed(cause);
  }
}
