package io.alrai.cn.node;

import io.alrai.cn.process.OwnLead;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.PushAnswer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A DN's part in commits, by the way by which each branch came; what belongs to no branch goes the
 * way that there is at that moment, and where that ends meanwhile the other one. Thread-safe.
 */
final class OwnParticipant implements CommitParticipant {
  private final OwnLead own;
  private final DnLink envelope;

  OwnParticipant(OwnLead own, DnLink envelope) {
    this.own = own;
    this.envelope = envelope;
  }

  private CommitParticipant of(Branch branch) {
    return OwnViews.way(branch, own, envelope).participant();
  }

  private <T> CompletableFuture<T> ask(Function<CommitParticipant, CompletableFuture<T>> question) {
    DnLink direct = own.direct();
    if (direct == null) {
      return question.apply(envelope.participant());
    }
    return question
        .apply(direct.participant())
        .exceptionallyCompose(error ->
            direct.equals(own.direct())
                ? CompletableFuture.failedFuture(error)
                : question.apply(envelope.participant()));
  }

  @Override
  public CompletableFuture<HlcTimestamp> prepare(Branch branch, TransactionId id) {
    return of(branch).prepare(branch, id);
  }

  @Override
  public CompletableFuture<HlcTimestamp> preCommit(Branch branch, TransactionId id) {
    return of(branch).preCommit(branch, id);
  }

  @Override
  public CompletableFuture<HlcTimestamp> decide(
      Branch branch, TransactionId id, HlcTimestamp proposed, List<DnId> participants) {
    return of(branch).decide(branch, id, proposed, participants);
  }

  @Override
  public Finishing commitPrepared(TransactionId id, HlcTimestamp commitTs) {
    DnLink direct = own.direct();
    if (direct == null) {
      return envelope.participant().commitPrepared(id, commitTs);
    }
    Finishing first = direct.participant().commitPrepared(id, commitTs);
    CompletableFuture<Void> done =
        first
            .done()
            .exceptionallyCompose(error ->
                direct.equals(own.direct())
                    ? CompletableFuture.failedFuture(error)
                    : envelope.participant().commitPrepared(id, commitTs).done());
    return new Finishing(first.submitted().exceptionallyCompose(error -> done), done);
  }

  @Override
  public CompletableFuture<Void> rollbackPrepared(TransactionId id) {
    return ask(participant -> participant.rollbackPrepared(id));
  }

  @Override
  public void forget(TransactionId id) {
    DnLink direct = own.direct();
    (direct == null ? envelope : direct).participant().forget(id);
  }

  @Override
  public CompletableFuture<Outcome> outcome(TransactionId id) {
    return ask(participant -> participant.outcome(id));
  }

  @Override
  public CompletableFuture<PushAnswer> push(
      TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above) {
    return ask(participant -> participant.push(id, prepareTs, above));
  }

  @Override
  public CompletableFuture<CommitFate> fate(Branch lost) {
    return of(lost).fate(lost);
  }

  @Override
  public CompletableFuture<Boolean> holdsPrepared(TransactionId id) {
    return ask(participant -> participant.holdsPrepared(id));
  }
}
