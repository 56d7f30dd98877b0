package io.alrai.cn.node;

import io.alrai.cn.process.OwnLead;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.ViewOpener;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Opens views of a DN by the way by which each branch came. Thread-safe. */
final class OwnViews implements ViewOpener {
  private final OwnLead own;
  private final DnLink envelope;

  OwnViews(OwnLead own, DnLink envelope) {
    this.own = own;
    this.envelope = envelope;
  }

  /** The way of a branch. */
  static DnLink way(Branch branch, OwnLead own, DnLink envelope) {
    return branch.state().throughAgent() ? envelope : Objects.requireNonNull(own.latest());
  }

  private ViewOpener of(Branch branch) {
    return way(branch, own, envelope).views();
  }

  @Override
  public CompletableFuture<Opening> open(
      Branch branch, HlcTimestamp at, String opening, String undo, boolean again) {
    return of(branch).open(branch, at, opening, undo, again);
  }

  @Override
  public CompletableFuture<Opening> open(
      Branch branch,
      HlcTimestamp at,
      String opening,
      String undo,
      boolean again,
      Runnable follower) {
    return of(branch).open(branch, at, opening, undo, again, follower);
  }

  /** What was read by one way is not to be missing by the other. */
  @Override
  public long visibleStamp() {
    DnLink latest = own.latest();
    long byEnvelope = envelope.views().visibleStamp();
    return latest == null ? byEnvelope : Math.max(byEnvelope, latest.views().visibleStamp());
  }
}
