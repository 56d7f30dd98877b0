package io.alrai.dn.rpc.wire;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.PushAnswer;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.rpc.GroupMembership;
import io.alrai.dn.ship.Mark;
import io.alrai.dn.ship.ResolvedPlace;
import io.alrai.dn.ship.SnapshotPlace;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** What the frames say that are no DATA; see {@link Envelope}. */
public sealed interface Message {
  /** Bytes of a nonce and of a proof. */
  int SECRET_BYTES = 32;

  /** What both say before the first request. */
  sealed interface Greeting extends Message {}

  /** What the caller asks for. */
  sealed interface Request extends Message {}

  /** What the agent's part in commits is asked for, on a branch. */
  sealed interface CommitCall extends Request {}

  /** What the agent's part in commits is asked for, on no branch. */
  sealed interface ParticipantCall extends Request {}

  /** What a member of a DN is asked for, whether it leads or not. */
  sealed interface MemberCall extends Request {}

  /** What the agent answers to a request. */
  sealed interface Reply extends Message {}

  /** The agent's first word; the newest version that it speaks is the frame's call. */
  record Challenge(int oldest, Nonce nonce) implements Greeting {}

  /** Who calls, for what, and which generations it knows. */
  record Hello(
      int version,
      Purpose purpose,
      Nonce nonce,
      Nonce proof,
      NodeId node,
      KnownGenerations generations)
      implements Greeting {}

  /** The agent is ready, and leads in that term; connectionId is 0 on a control connection. */
  record Welcome(Nonce proof, long connectionId, long term, DnId dn) implements Greeting {}

  /** The agent does not lead. */
  record NotLeader(Nonce proof, DnId dn, LeaderHint hint) implements Greeting {}

  /** See {@link CommitParticipant#prepare}. */
  record Prepare(TransactionId id) implements CommitCall {}

  /** See {@link CommitParticipant#preCommit}. */
  record PreCommit(TransactionId id) implements CommitCall {}

  /** See {@link CommitParticipant#decide}. */
  record Decide(TransactionId id, HlcTimestamp proposed, List<DnId> participants)
      implements CommitCall {}

  /** See {@link CommitParticipant.Finishing#submitted}. */
  record SubmitCommit(TransactionId id, HlcTimestamp commitTs) implements ParticipantCall {}

  /** See {@link CommitParticipant.Finishing#done}. */
  record CommitPrepared(TransactionId id, HlcTimestamp commitTs) implements ParticipantCall {}

  /** See {@link CommitParticipant#rollbackPrepared}. */
  record RollbackPrepared(TransactionId id) implements ParticipantCall {}

  /** See {@link CommitParticipant#outcome}. */
  record AskOutcome(TransactionId id) implements ParticipantCall {}

  /** See {@link CommitParticipant#holdsPrepared}. */
  record Holds(TransactionId id) implements ParticipantCall {}

  /** See {@link CommitParticipant#forget}. */
  record Forget(TransactionId id) implements Request {}

  /** See {@link CommitParticipant#push}. */
  record Push(TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above)
      implements ParticipantCall {}

  /** See {@link ViewOpener#open}. */
  record OpenView(HlcTimestamp at, String opening, String undo, boolean again) implements Request {}

  /** See {@link io.alrai.dn.link.KeptReplies#suspend}, or the end of it; on a branch. */
  record Suspend(boolean on) implements Request {}

  /** See {@link io.alrai.dn.ship.DnLog#resolve}. */
  record Resolve(HlcTimestamp wanted) implements Request {}

  /** See {@link io.alrai.dn.ship.DnLog#place}. */
  record AskPlace(HlcTimestamp at) implements Request {}

  /** See {@link io.alrai.dn.ship.DnLog#mark}. */
  record AskMark() implements Request {}

  /**
   * See {@link io.alrai.dn.ship.FollowedLog#follow}.
   *
   * @param known empty for what becomes visible from now on
   */
  record FollowLog(Optional<GtidSet> known) implements Request {}

  /** See {@link io.alrai.dn.ship.DnLog#preparedBranches}. */
  record AskBranches() implements Request {}

  /** Whether the agent runs at all. */
  record Ping() implements Request {}

  /** How a member is. */
  record AskMember() implements MemberCall {}

  /** See {@link GroupMembership#fate}. */
  record AskFate(long term, long connection, HlcTimestamp sent) implements Request {}

  /** See {@link io.alrai.dn.link.DnMembers#changeLeader}. */
  record ChangeLeader(String to) implements MemberCall {}

  /** See {@link io.alrai.dn.link.DnMembers#add}. */
  record AddMember(String member, String address, boolean keepsRows) implements MemberCall {}

  /** See {@link io.alrai.dn.link.DnMembers#drop}. */
  record DropMember(String member) implements MemberCall {}

  /** See {@link GroupMembership#offerRows}. */
  record OfferRows() implements MemberCall {}

  /** See {@link GroupMembership#rebuild}. */
  record Rebuild() implements MemberCall {}

  /** See {@link GroupMembership#endRebuild}. */
  record EndRebuild() implements MemberCall {}

  /** See {@link io.alrai.dn.link.DnMembers#outlook}. */
  record LookAround() implements MemberCall {}

  /** The answer to {@link LookAround}. */
  record OutlookIs(GroupOutlook outlook) implements Reply {}

  /** A prepare or commit timestamp. */
  record Stamp(HlcTimestamp timestamp) implements Reply {}

  /** The answer to {@link Ping}, but for version 18. */
  record PulseIs(boolean mysqldAnswers) implements Reply {}

  /** Done. */
  record Done() implements Reply {}

  /** The answer to {@link AskOutcome}. */
  record OutcomeIs(CommitParticipant.Outcome outcome) implements Reply {}

  /** The answer to {@link Holds}, {@link AddMember} and {@link DropMember}. */
  record Held(boolean held) implements Reply {}

  /** The answer to {@link Push}. */
  record Pushed(PushAnswer answer) implements Reply {}

  /**
   * See {@link ViewOpener.Opening.Open}.
   *
   * @param shown see {@link BranchState#shown}
   */
  record Opened(long shown) implements Reply {}

  /** See {@link ViewOpener.Opening.Refused}. */
  record SnapshotRefused(HlcTimestamp hint) implements Reply {}

  /** The answer to {@link OpenView}, on a branch in that state. */
  public static Message of(ViewOpener.Opening opening, BranchState on) {
    return switch (opening) {
      case ViewOpener.Opening.Open o -> new Opened(on.shown());
      case ViewOpener.Opening.Refused r -> new SnapshotRefused(r.hint());
    };
  }

  /** The answer to {@link AskMember}. */
  record MemberIs(MemberStatus status) implements Reply {}

  /** The answer to {@link AskFate}. */
  record FateIs(CommitFate fate) implements Reply {}

  /** The answer to {@link OfferRows}. */
  record RowsOffered(DonorLogin login) implements Reply {}

  /** The answer to {@link Resolve}. */
  record ResolvedTo(ResolvedPlace resolved) implements Reply {}

  /** See {@link SnapshotPlace.Found}. */
  record PlaceIs(GtidSet transactions) implements Reply {}

  /** The answer to {@link AskMark}. */
  record MarkIs(Mark mark) implements Reply {}

  /** The answer to {@link AskPlace}. */
  static Message of(SnapshotPlace place) {
    return switch (place) {
      case SnapshotPlace.Found found -> new PlaceIs(found.transactions());
      case SnapshotPlace.Passed passed -> new SnapshotRefused(passed.hint());
    };
  }

  /** The answer to {@link AskBranches}. */
  record BranchesAre(List<TransactionId> branches) implements Reply {
    /** As many fit for sure. */
    static final int MOST = 900;

    /**
     * That answer.
     *
     * @throws AlraiException ALRAI_NODE_UNAVAILABLE when there are too many
     */
    public static BranchesAre of(Collection<TransactionId> branches) {
      if (branches.size() > MOST) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, branches.size() + " branches are prepared");
      }
      return new BranchesAre(List.copyOf(branches));
    }
  }

  /** What went wrong. */
  record Failure(AlraiException reason) implements Reply {
    /** What a future failed with. */
    public static Failure of(Throwable error) {
      Throwable cause =
          error instanceof CompletionException && error.getCause() != null
              ? error.getCause()
              : error;
      return new Failure(
          switch (cause) {
            case AlraiException known -> known;
            case Answer.Failed failed -> failed.reason();
            default ->
                new AlraiException(ErrorCode.ALRAI_INTERNAL, "the agent failed: " + cause, cause);
          });
    }
  }

  /** 32 bytes, compared by content. */
  record Nonce(byte[] bytes) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Nonce nonce && Arrays.equals(bytes, nonce.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return "32 bytes";
    }
  }
}
