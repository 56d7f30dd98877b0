package io.alrai.cn.snapshot;

import io.alrai.cn.snapshot.SnapshotOpening.Request;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One view of a {@link SnapshotOpening}, which changes its state. Event loop only. */
final class OpeningSlot {
  /** The state of the view. */
  enum State {
    TAKING,
    IDLE,
    OPENING,
    OPEN,
    REFUSED,
    DROPPING,
    FAILED
  }

  final Request request;
  State state = State.TAKING;
  @Nullable Branch branch;
  @Nullable AlraiException failure;

  /** Whether a view is open, to be undone before the next attempt. */
  boolean begun;

  /** Nobody waits for it any more. */
  boolean givenUp;

  /** What was asked for last. */
  HlcTimestamp at = HlcTimestamp.ZERO;

  /** Completes with the branch if the view comes late and as it was wanted, else empty. */
  final CompletableFuture<Optional<Branch>> late = new CompletableFuture<>();

  private boolean followed;

  OpeningSlot(Request request) {
    this.request = request;
    this.begun = request.begun();
  }

  boolean moving() {
    return state == State.TAKING || state == State.OPENING || state == State.DROPPING;
  }

  /** The branch, once it is taken. */
  Branch branch() {
    Branch known = branch;
    if (known == null) {
      throw new IllegalStateException("no branch on " + request.dn());
    }
    return known;
  }

  /** Sends what may follow the opening. */
  void follow() {
    request
        .follower()
        .ifPresent(next -> {
          followed = true;
          next.follow(branch());
        });
  }

  /** Whether it was sent. */
  boolean isFollowed() {
    return followed;
  }

  /** Throws away what followed, if something did. */
  void drop(Runnable dropped) {
    if (followed) {
      followed = false;
      request.follower().orElseThrow().drop(dropped);
    } else {
      dropped.run();
    }
  }

  /** Undoes it and gives the branch back, where that is possible. */
  void giveBack() {
    drop(this::undo);
  }

  private void undo() {
    Branch known = branch;
    if (known == null || request.undo().isEmpty()) {
      return;
    }
    if (begun) {
      ViewEnding.finish(known, Sql.client(request.undo()), () -> late.complete(Optional.empty()));
      return;
    }
    if (known.alive()) {
      known.release();
    }
    late.complete(Optional.empty());
  }
}
