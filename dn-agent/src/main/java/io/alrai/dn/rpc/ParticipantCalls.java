package io.alrai.dn.rpc;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.rpc.wire.Message;
import java.util.concurrent.CompletableFuture;

/** What an agent's part in commits answers to calls. */
final class ParticipantCalls {
  private ParticipantCalls() {}

  static CompletableFuture<? extends Message> answer(
      CommitParticipant participant, Message.ParticipantCall call) {
    return switch (call) {
      case Message.SubmitCommit m ->
          done(participant.commitPrepared(m.id(), m.commitTs()).submitted());
      case Message.CommitPrepared m ->
          done(participant.commitPrepared(m.id(), m.commitTs()).done());
      case Message.RollbackPrepared m -> done(participant.rollbackPrepared(m.id()));
      case Message.AskOutcome m -> participant.outcome(m.id()).thenApply(Message.OutcomeIs::new);
      case Message.Holds m -> participant.holdsPrepared(m.id()).thenApply(Message.Held::new);
      case Message.Push m ->
          participant.push(m.id(), m.prepareTs(), m.above()).thenApply(Message.Pushed::new);
    };
  }

  /** On the branch's loop. */
  static CompletableFuture<Message> answer(Leading leader, Branch branch, Message.CommitCall call) {
    CommitParticipant participant = leader.participant();
    return switch (call) {
      case Message.Prepare m -> stamp(participant.prepare(branch, m.id()));
      case Message.PreCommit m -> stamp(participant.preCommit(branch, m.id()));
      case Message.Decide m ->
          stamp(participant.decide(branch, m.id(), m.proposed(), m.participants()));
    };
  }

  private static CompletableFuture<Message> stamp(CompletableFuture<HlcTimestamp> given) {
    return given.thenApply(Message.Stamp::new);
  }

  static CompletableFuture<Message> done(CompletableFuture<Void> until) {
    return until.thenApply(done -> new Message.Done());
  }
}
