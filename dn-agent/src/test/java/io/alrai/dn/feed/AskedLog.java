package io.alrai.dn.feed;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.Mark;
import io.alrai.dn.ship.ResolvedPlace;
import io.alrai.dn.ship.SnapshotPlace;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/** A leader that is asked for marks only. */
final class AskedLog implements DnLog {
  CompletableFuture<Mark> mark = new CompletableFuture<>();
  Runnable onMark = () -> {};
  int asked;

  @Override
  public DnId dn() {
    return new DnId("dn-1");
  }

  @Override
  public CompletableFuture<Mark> mark() {
    asked++;
    onMark.run();
    return mark;
  }

  private static UnsupportedOperationException notAsked() {
    return new UnsupportedOperationException("a member asks for marks only");
  }

  @Override
  public LogSubscription follow() {
    throw notAsked();
  }

  @Override
  public LogSubscription follow(GtidSet known) {
    throw notAsked();
  }

  @Override
  public CompletableFuture<ResolvedPlace> resolve(HlcTimestamp wanted) {
    throw notAsked();
  }

  @Override
  public CompletableFuture<SnapshotPlace> place(HlcTimestamp at) {
    throw notAsked();
  }

  @Override
  public CompletableFuture<Collection<TransactionId>> preparedBranches() {
    throw notAsked();
  }
}
