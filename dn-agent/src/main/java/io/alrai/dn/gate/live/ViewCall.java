package io.alrai.dn.gate.live;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ViewOpener.Opening;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/** One OPEN of a CN. */
final class ViewCall {
  private final Branch branch;
  private final HlcTimestamp at;
  private final String opening;
  private final String undo;
  private final long sinceNanos = System.nanoTime();
  private final CompletableFuture<Opening> done = new CompletableFuture<>();

  ViewCall(Branch branch, HlcTimestamp at, String opening, String undo) {
    this.branch = branch;
    this.at = at;
    this.opening = opening;
    this.undo = undo;
  }

  Branch branch() {
    return branch;
  }

  HlcTimestamp at() {
    return at;
  }

  String opening() {
    return opening;
  }

  /** Empty when an opening at a wrong moment cannot be undone. */
  String undo() {
    return undo;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  CompletableFuture<Opening> done() {
    return done;
  }

  /** Any thread. */
  void answer(Opening answer) {
    onBranch(() -> done.complete(answer));
  }

  /** Any thread. */
  void fail(AlraiException reason) {
    onBranch(() -> done.completeExceptionally(reason));
  }

  /** Runs an action on the branch's loop. */
  void onBranch(Runnable action) {
    if (branch.eventLoop().inEventLoop()) {
      action.run();
      return;
    }
    try {
      branch.eventLoop().execute(action);
    } catch (RejectedExecutionException stopping) {
      done.completeExceptionally(stopping);
    }
  }
}
