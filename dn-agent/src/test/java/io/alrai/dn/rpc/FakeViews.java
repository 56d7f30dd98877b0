package io.alrai.dn.rpc;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ViewOpener;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Notes what it is asked; the test answers. */
final class FakeViews implements ViewOpener {
  /** One call. */
  record Asked(
      Branch branch,
      HlcTimestamp at,
      String opening,
      String undo,
      boolean again,
      CompletableFuture<Opening> answer) {}

  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
  private volatile long visible;

  /** The next call that arrives. */
  Asked next() throws InterruptedException {
    Asked next = asked.poll(20, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no view was asked for");
    }
    return next;
  }

  void visible(long stamp) {
    visible = stamp;
  }

  @Override
  public CompletableFuture<Opening> open(
      Branch branch, HlcTimestamp at, String opening, String undo, boolean again) {
    CompletableFuture<Opening> answer = new CompletableFuture<>();
    asked.add(new Asked(branch, at, opening, undo, again, answer));
    return answer;
  }

  @Override
  public long visibleStamp() {
    return visible;
  }
}
