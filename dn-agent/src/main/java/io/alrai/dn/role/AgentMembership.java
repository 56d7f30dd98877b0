package io.alrai.dn.role;

import io.alrai.common.thread.VirtualAnswer;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.group.VoterLog;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.rpc.GroupMembership;
import io.alrai.dn.rpc.wire.KnownGenerations;
import io.alrai.dn.rpc.wire.LeaderHint;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a member of a group says and does when it is asked over the envelope. Thread-safe.
 *
 * @param self its name
 * @param served while it follows
 */
public record AgentMembership(GroupAgent agent, String self, ServedViews served)
    implements GroupMembership {
  /** How long an answer to {@link #add} waits; whoever asked asks again. */
  private static final long ADD_MILLIS = 500;

  /** How long one to {@link #drop} waits, which is refused within three seconds if at all. */
  private static final long DROP_MILLIS = 4_000;

  @Override
  public CompletableFuture<MemberStatus> status() {
    return VirtualAnswer.to("status", agent::status);
  }

  @Override
  public CommitFate fate(long term, long connection, HlcTimestamp sent) {
    return agent.fate(term, connection, sent);
  }

  @Override
  public LeaderHint leader() {
    GroupLog log = agent.groupLog();
    long term = log.gauges().term();
    String name = log.leader().orElse("");
    boolean another = !name.isEmpty() && !name.equals(self);
    return another && log.gauges().term() == term ? new LeaderHint(term, name) : LeaderHint.NOBODY;
  }

  @Override
  public CompletableFuture<Void> changeLeader(String to) {
    return agent.changeLeader(to);
  }

  @Override
  public CompletableFuture<Boolean> add(String member, String address, boolean keepsRows) {
    if (address.isEmpty()) {
      return CompletableFuture.completedFuture(true); // there is a group that one can learn from
    }
    GroupMember joiner = new GroupMember(member, address, keepsRows ? Keeps.ROWS : Keeps.LOG);
    return isDone(agent.groupLog().addMember(joiner), ADD_MILLIS);
  }

  @Override
  public CompletableFuture<Boolean> drop(String member) {
    return isDone(agent.groupLog().dropMember(member), DROP_MILLIS);
  }

  private static CompletableFuture<Boolean> isDone(CompletableFuture<Void> change, long millis) {
    return change.thenApply(done -> true).completeOnTimeout(false, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public CompletableFuture<DonorLogin> offerRows() {
    return VirtualAnswer.to("offer", agent::offerRows);
  }

  @Override
  public Optional<ServedViews> reads() {
    return Optional.of(served);
  }

  @Override
  public Optional<VoterLog> log() {
    return Optional.of(agent.log());
  }

  @Override
  public Path mysqld() {
    return agent.supervisor().socketPath();
  }

  @Override
  public CompletableFuture<Void> rebuild() {
    return VirtualAnswer.to(
        "rebuild",
        () -> {
          agent.rebuild(true);
          return null;
        });
  }

  @Override
  public CompletableFuture<GroupOutlook> outlook() {
    return VirtualAnswer.to("outlook", agent::outlook);
  }

  @Override
  public boolean isOver(KnownGenerations known) {
    GroupLog log = agent.groupLog();
    if (known.group() <= log.generation()) {
      return false;
    }
    if (!known.survivor().equals(self)) {
      log.supersede(known.survivor() + " was made its group by force");
    }
    return true;
  }

  @Override
  public CompletableFuture<Void> endRebuild() {
    agent.rebuild(false);
    return CompletableFuture.completedFuture(null);
  }
}
