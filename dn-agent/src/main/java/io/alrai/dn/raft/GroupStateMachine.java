package io.alrai.dn.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives what is committed to its member, in order, on Ratis' one updater thread. */
final class GroupStateMachine extends BaseStateMachine {
  private static final Logger log = LoggerFactory.getLogger(GroupStateMachine.class);

  private final String name;
  private final GroupEvents events;
  private final LeaderHandover handover;
  private volatile @Nullable RaftServer server;

  GroupStateMachine(String name, GroupEvents events, LeaderHandover handover) {
    this.name = name;
    this.events = events;
    this.handover = handover;
  }

  @Override
  public void initialize(RaftServer of, RaftGroupId group, RaftStorage storage) throws IOException {
    super.initialize(of, group, storage);
    server = of;
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    events.committed(
        entry.getTerm(),
        entry.getIndex(),
        entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer());
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  @Override
  public void notifyLeaderReady() {
    long term = term();
    log.info("{} leads in term {}", name, term);
    if (!handover.handsOver()) {
      events.leads(term);
    }
  }

  private long term() {
    RaftServer of = server;
    if (of == null) {
      throw new IllegalStateException(name + " leads before it has begun");
    }
    try {
      return of.getDivision(getGroupId()).getInfo().getCurrentTerm();
    } catch (IOException closing) {
      throw new UncheckedIOException(closing);
    }
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
    log.info("{}: {} leads", name, leader == null ? "nobody" : leader);
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    log.info("{} leads no more, {} entries are uncertain", name, pending.size());
    events.follows();
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
    log.error("{} cannot write its log", name, cause);
    events.failed(cause);
  }
}
