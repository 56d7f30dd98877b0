package io.alrai.cn.trace;

import io.alrai.common.id.DnId;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The traces of a session: of the statement at work, where that was asked for, and of the last one
 * that was traced. Event loop of the client; {@link #last} also by whom the session is lent to.
 */
public final class SessionTrace {
  private @Nullable StatementTrace atWork;
  private volatile List<TraceStep> last = List.of();

  /** Whether it is to be shown later. */
  private boolean shown;

  /** Whether it is recorded for a part of the statement alone. */
  private boolean ofPart;

  /** What had been recorded of it when it began to be measured. */
  private int before;

  /** Gives all branches of the session's transaction. */
  public interface Branches {
    void each(Consumer<Branch> to);
  }

  /**
   * A statement begins that is to be recorded.
   *
   * @param startNanos when, by that clock
   * @param open branches that it may use without taking them
   */
  public void begins(LongSupplier nanoTime, long startNanos, Branches open) {
    StatementTrace begun = new StatementTrace(nanoTime, startNanos);
    open.each(begun::follow);
    atWork = begun;
  }

  /** The one at work is traced: {@link #last} will have it. */
  public void shows() {
    shown = true;
  }

  /**
   * What the statement at work asks for from now on is recorded for itself, be it traced or not;
   * {@link #measured} ends that.
   */
  public void measures(LongSupplier nanoTime, Branches open) {
    StatementTrace traced = atWork;
    if (traced == null) {
      begins(nanoTime, nanoTime.getAsLong(), open);
      ofPart = true;
      before = 0;
    } else {
      before = traced.count();
    }
  }

  /** What was asked for since {@link #measures}; empty where its statement has ended. */
  public List<TraceStep> measured(Branches open) {
    StatementTrace recorded = atWork;
    if (recorded == null) {
      return List.of();
    }
    List<TraceStep> steps = recorded.from(before);
    if (ofPart) {
      ends(new byte[0], 0, "", 0, "", open);
    }
    return steps;
  }

  /** Nanoseconds since the trace began; 0 where nothing is recorded. */
  public long sinceNanos() {
    StatementTrace recorded = atWork;
    return recorded == null ? 0 : recorded.now();
  }

  /** A step that no DN was asked for; times are those of {@link #sinceNanos}. */
  public void adds(
      String place, String text, long startNanos, long firstNanos, long endNanos, long rows) {
    StatementTrace recorded = atWork;
    if (recorded != null) {
      recorded.adds(place, text, startNanos, firstNanos, endNanos, rows);
    }
  }

  /** Whether the statement at work is recorded. */
  public boolean records() {
    return atWork != null;
  }

  /** Whether {@link #last} will have the one at work. */
  public boolean isShown() {
    return shown;
  }

  /** The statement at work has ended, and nobody wants to see what was recorded. */
  public void drops(Branches open) {
    StatementTrace over = atWork;
    if (over != null) {
      atWork = null;
      open.each(StatementTrace::leave);
      over.drop();
      shown = false;
      ofPart = false;
    }
  }

  /** The taker to take a branch with. */
  public BranchTaker taker(DnId dn, BranchTaker taker) {
    StatementTrace now = atWork;
    return now == null ? taker : now.taker(dn, taker);
  }

  /**
   * The statement at work has ended; without effect where it is not recorded.
   *
   * @param sql its text
   * @param error that its client got; empty for none
   * @return it and its steps
   */
  public List<TraceStep> ends(
      byte[] sql, int length, String path, long rows, String error, Branches open) {
    StatementTrace over = atWork;
    if (over == null) {
      return List.of();
    }
    atWork = null;
    open.each(StatementTrace::leave);
    List<TraceStep> steps = over.end(TraceText.of(sql, length), path, rows, error);
    if (shown) {
      last = steps;
    }
    shown = false;
    ofPart = false;
    return steps;
  }

  /** The last traced statement and its steps; empty where there is none. */
  public List<TraceStep> last() {
    return last;
  }

  /** As if there had been none. */
  public void clear() {
    last = List.of();
  }
}
