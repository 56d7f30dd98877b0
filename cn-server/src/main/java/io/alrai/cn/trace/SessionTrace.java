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

  /** Whether what is at work is recorded for the statement itself, and not to be shown later. */
  private boolean unshown;

  /** What had been recorded of it when it began to be measured. */
  private int before;

  /** Gives all branches of the session's transaction. */
  public interface Branches {
    void each(Consumer<Branch> to);
  }

  /**
   * A statement begins that is to be traced.
   *
   * @param sql its text
   * @param open branches that it may use without taking them
   */
  public void begins(byte[] sql, int length, LongSupplier nanoTime, Branches open) {
    StatementTrace begun = new StatementTrace(TraceText.of(sql, length), nanoTime);
    open.each(begun::follow);
    atWork = begun;
  }

  /**
   * What the statement at work asks for from now on is recorded for itself, be it traced or not;
   * {@link #measured} ends that.
   */
  public void measures(LongSupplier nanoTime, Branches open) {
    StatementTrace traced = atWork;
    if (traced == null) {
      StatementTrace begun = new StatementTrace("", nanoTime);
      open.each(begun::follow);
      atWork = begun;
      unshown = true;
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
    if (unshown) {
      drop(recorded, open);
    }
    return steps;
  }

  private void drop(StatementTrace recorded, Branches open) {
    atWork = null;
    unshown = false;
    open.each(StatementTrace::leave);
    recorded.end("", 0, "");
  }

  /** Whether the statement at work is traced. */
  public boolean records() {
    return atWork != null;
  }

  /** The taker to take a branch with. */
  public BranchTaker taker(DnId dn, BranchTaker taker) {
    StatementTrace now = atWork;
    return now == null ? taker : now.taker(dn, taker);
  }

  /**
   * The statement at work has ended; without effect where it is not traced.
   *
   * @param error that its client got; empty for none
   */
  public void ends(String path, long rows, String error, Branches open) {
    StatementTrace over = atWork;
    if (over != null && unshown) {
      drop(over, open);
    } else if (over != null) {
      atWork = null;
      open.each(StatementTrace::leave);
      last = over.end(path, rows, error);
    }
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
