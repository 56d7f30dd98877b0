package io.alrai.dn.rpc;

import io.alrai.dn.link.CommitParticipant;
import java.util.concurrent.CompletableFuture;

/** What an agent's part in commits answers to calls that belong to no branch. */
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

  static CompletableFuture<Message> done(CompletableFuture<Void> until) {
    return until.thenApply(done -> new Message.Done());
  }
}
