package io.alrai.dn.gate.live;

import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ViewOpener.Opening;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * One OPEN of a CN. It is answered when the mysqld has answered all that was sent for it: what
 * comes on the branch from then on is the CN's.
 */
public final class ViewCall {
  private final Branch branch;
  private final HlcTimestamp at;
  private final String opening;
  private final String undo;
  private final Runnable follower;
  private final long sinceNanos;
  private final CompletableFuture<Opening> done = new CompletableFuture<>();

  /** What was sent last; belongs to the branch's loop. */
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

  /** The place of the log up to which the view shows it. */
  private volatile long shown = KeptReplies.NOWHERE;

  /** Whether the opening, or one of before, has run; belongs to the branch's loop. */
  private boolean opened;

  /** Whether it was answered, or is about to be; belongs to the branch's loop. */
  private boolean over;

  /**
   * A call.
   *
   * @param again whether an opening of before may have run on the branch
   * @param follower sends what may follow the opening at once
   * @param sinceNanos when it came, by the ticker of the gate's loop
   */
  public ViewCall(
      Branch branch,
      HlcTimestamp at,
      String opening,
      String undo,
      boolean again,
      Runnable follower,
      long sinceNanos) {
    this.branch = branch;
    this.at = at;
    this.opening = opening;
    this.undo = undo;
    this.opened = again;
    this.follower = follower;
    this.sinceNanos = sinceNanos;
    branch.state().shown(KeptReplies.NOWHERE);
  }

  /** Says up to which place of the log the view shows it, if it is open; before the answer. */
  void shows(long place) {
    shown = place;
  }

  Branch branch() {
    return branch;
  }

  /** The snapshot. */
  public HlcTimestamp at() {
    return at;
  }

  /** Whether an opening at a wrong moment can be undone. */
  boolean undoable() {
    return !undo.isEmpty();
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** Its answer, on the branch's loop. */
  public CompletableFuture<Opening> done() {
    return done;
  }

  /** Sends a text to the mysqld; on the branch's loop. */
  CompletableFuture<Answer> run(String text) {
    CompletableFuture<Answer> answer = queue(text);
    branch.flush();
    return answer;
  }

  private CompletableFuture<Answer> queue(String text) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    Answer.send(branch, Command.QUERY, Sql.client(text), ReplyKind.SEVERAL, answer);
    last = answer;
    return answer;
  }

  /**
   * Opens the view at the right moment, after the end of an earlier one, and sends what follows it;
   * on the branch's loop.
   */
  public CompletableFuture<Answer> show() {
    CompletableFuture<Answer> answer = queue(text());
    follower.run();
    branch.flush();
    return answer;
  }

  /**
   * Opens the view at a moment that may turn out to be wrong, so nothing is sent after it.
   *
   * @param wait a query that goes first in the same text
   */
  public CompletableFuture<Answer> showBehind(String wait) {
    return run(wait + ";" + text());
  }

  private String text() {
    String text = opened && !endsWhatIsOpen() ? undo + ";" + opening : opening;
    opened = true;
    return text;
  }

  /** START TRANSACTION commits a plain transaction, and a view has nothing to commit. */
  private boolean endsWhatIsOpen() {
    return undo.startsWith("ROLLBACK") && opening.startsWith("START TRANSACTION");
  }

  /** Whether nothing may be sent for it any more; on the branch's loop. */
  boolean over() {
    return over;
  }

  /** Ends what was opened and can be undone; on the branch's loop. */
  void undo() {
    if (opened && undoable()) {
      opened = false;
      run(undo);
    }
  }

  /** Answers it. Any thread. */
  public void answer(Opening answer) {
    onBranch(() -> {
      over = true;
      if (answer instanceof Opening.Refused) {
        undo();
      } else {
        branch.state().shown(shown);
      }
      last.whenComplete((ok, error) -> done.complete(answer));
    });
  }

  /** It cannot be answered. Any thread. */
  public void fail(AlraiException reason) {
    onBranch(() -> {
      over = true;
      last.whenComplete((ok, error) -> done.completeExceptionally(reason));
    });
  }

  /**
   * Gives up what may be stuck at the mysqld: with the branch's end its answers end, too. Any
   * thread.
   */
  public void breakOff(AlraiException reason) {
    onBranch(() -> {
      branch.close();
      fail(reason);
    });
  }

  /**
   * Runs an action on the branch's loop.
   *
   * @return false when that is shut down: nothing runs
   */
  public boolean onBranch(Runnable action) {
    if (branch.eventLoop().inEventLoop()) {
      action.run();
      return true;
    }
    try {
      branch.eventLoop().execute(action);
      return true;
    } catch (RejectedExecutionException stopping) {
      done.completeExceptionally(stopping);
      return false;
    }
  }
}
