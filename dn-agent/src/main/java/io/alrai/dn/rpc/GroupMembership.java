package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.group.VoterLog;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.rpc.wire.KnownGenerations;
import io.alrai.dn.rpc.wire.LeaderHint;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What an agent says and does as a member of its DN, whether it leads or not. Thread-safe. */
public interface GroupMembership {
  /** How it is. */
  CompletableFuture<MemberStatus> status();

  /**
   * What became of the last statement that was sent on a connection to a leader of the group, as
   * far as this member knows.
   *
   * @param term in which that one led
   * @param connection its number at that one's mysqld
   * @param sent the clock of the sender
   */
  CommitFate fate(long term, long connection, HlcTimestamp sent);

  /** Who leads, as far as this member knows; never itself. */
  LeaderHint leader();

  /** Lets another member lead, see {@link DnMembers#changeLeader}. */
  CompletableFuture<Void> changeLeader(String to);

  /** Adds a member to the group, see {@link DnMembers#add}. */
  CompletableFuture<Boolean> add(String member, String address, boolean keepsRows);

  /** Goes on without a member, see {@link DnMembers#drop}. */
  CompletableFuture<Boolean> drop(String member);

  /**
   * Makes ready to be cloned.
   *
   * @return what another member's mysqld logs in with here; fails where this one has not all rows
   */
  CompletableFuture<DonorLogin> offerRows();

  /** What it serves while it follows; empty where nobody reads of it. */
  default Optional<ServedViews> reads() {
    return Optional.empty();
  }

  /** What it sends to those who learn from it; empty where it has no log of a group. */
  default Optional<VoterLog> log() {
    return Optional.empty();
  }

  /** The socket of the member's mysqld. */
  Path mysqld();

  /**
   * Has the member get all its rows again from another one.
   *
   * @return completes when it has begun; fails with why it does not
   */
  CompletableFuture<Void> rebuild();

  /** Gives up what {@link #rebuild} has asked for. */
  CompletableFuture<Void> endRebuild();

  /** What it would go on with as the whole group, see {@link DnMembers#outlook}. */
  default CompletableFuture<GroupOutlook> outlook() {
    return CompletableFuture.failedFuture(
        new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, "a DN of one replica has no group to be forced"));
  }

  /**
   * A node knows which member was made the group. Must not block.
   *
   * @return whether this member is of an earlier generation: that node must not be served by it
   */
  default boolean isOver(KnownGenerations known) {
    return false;
  }

  /** The only replica of a DN. */
  static GroupMembership alone(DnId dn) {
    DnMembers members = DnMembers.alone(dn.name());
    return new GroupMembership() {
      @Override
      public CompletableFuture<MemberStatus> status() {
        return members.ask(dn.name());
      }

      @Override
      public CommitFate fate(long term, long connection, HlcTimestamp sent) {
        return CommitFate.UNKNOWN;
      }

      @Override
      public LeaderHint leader() {
        return LeaderHint.NOBODY;
      }

      @Override
      public CompletableFuture<Void> changeLeader(String to) {
        return members.changeLeader(dn.name(), to);
      }

      @Override
      public CompletableFuture<Boolean> add(String member, String address, boolean keepsRows) {
        return members.add(dn.name(), member, address, keepsRows);
      }

      @Override
      public CompletableFuture<Boolean> drop(String member) {
        return members.drop(dn.name(), member);
      }

      @Override
      public CompletableFuture<DonorLogin> offerRows() {
        return CompletableFuture.failedFuture(hasNoOther());
      }

      @Override
      public Path mysqld() {
        throw hasNoOther();
      }

      @Override
      public CompletableFuture<Void> rebuild() {
        return members.rebuild(dn.name());
      }

      @Override
      public CompletableFuture<Void> endRebuild() {
        return members.endRebuild(dn.name());
      }

      private AlraiException hasNoOther() {
        return new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, dn + " has one replica: nobody clones it");
      }
    };
  }
}
