package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.PushAnswer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what it is asked. */
public final class FakeParticipant implements CommitParticipant {
  final List<String> calls = new CopyOnWriteArrayList<>();

  @Override
  public CompletableFuture<HlcTimestamp> prepare(Branch branch, TransactionId id) {
    calls.add("prepare after " + branch.state().dependency());
    return CompletableFuture.completedFuture(HlcTimestamp.ofMillis(1));
  }

  @Override
  public CompletableFuture<HlcTimestamp> preCommit(Branch branch, TransactionId id) {
    calls.add("preCommit");
    return CompletableFuture.completedFuture(HlcTimestamp.ofMillis(2));
  }

  @Override
  public CompletableFuture<HlcTimestamp> decide(
      Branch branch, TransactionId id, HlcTimestamp proposed, List<DnId> participants) {
    calls.add("decide " + proposed + " " + participants);
    return CompletableFuture.completedFuture(proposed);
  }

  @Override
  public Finishing commitPrepared(TransactionId id, HlcTimestamp commitTs) {
    calls.add("commit " + commitTs);
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    return new Finishing(done, done);
  }

  @Override
  public CompletableFuture<Void> rollbackPrepared(TransactionId id) {
    calls.add("rollback");
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void forget(TransactionId id) {
    calls.add("forget");
  }

  @Override
  public CompletableFuture<Outcome> outcome(TransactionId id) {
    calls.add("outcome");
    return CompletableFuture.completedFuture(new Outcome.Committed(HlcTimestamp.ofMillis(7)));
  }

  @Override
  public CompletableFuture<PushAnswer> push(
      TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above) {
    calls.add("push " + prepareTs + " " + above);
    return CompletableFuture.completedFuture(new PushAnswer.Committed(HlcTimestamp.ofMillis(9)));
  }

  @Override
  public CompletableFuture<Boolean> holdsPrepared(TransactionId id) {
    calls.add("holds");
    return CompletableFuture.completedFuture(true);
  }
}
