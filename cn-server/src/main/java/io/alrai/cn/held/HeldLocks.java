package io.alrai.cn.held;

import io.alrai.optimizer.api.AdminStatement.LockCall;
import io.alrai.optimizer.api.AdminStatement.LockCalls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many named locks a session has, as far as the rows of its statements show; MySQL counts a
 * lock that was got twice as two. Owned by whoever has the session.
 */
public final class HeldLocks {
  private static final String DONE = "1";

  private long count;

  /** Whether there may be more than counted. */
  private boolean uncertain;

  /** Whether there is none for sure. */
  public boolean none() {
    return count == 0 && !uncertain;
  }

  /**
   * A row of a statement.
   *
   * @param values its columns as text
   */
  public void row(LockCalls calls, List<@Nullable String> values) {
    if (calls.columns().isEmpty()) {
      return;
    }
    List<LockCall> columns = calls.columns().get();
    for (int i = 0; i < columns.size(); i++) {
      boolean done = DONE.equals(values.get(i));
      switch (columns.get(i)) {
        case GET -> count += done ? 1 : 0;
        case RELEASE -> count -= done && count > 0 ? 1 : 0;
        case RELEASE_ALL -> clear();
        case OTHER -> {}
      }
    }
  }

  /** A statement came to its end. */
  public void ended(LockCalls calls) {
    uncertain |= calls.takes() && calls.columns().isEmpty();
  }

  /**
   * A statement failed. A statement that was to get a single lock did not get it; if it is there
   * all the same, because a KILL came a moment too late, it may be released.
   */
  public void failed(LockCalls calls) {
    boolean single =
        calls.columns().isPresent()
            && calls.columns().get().stream().filter(call -> call == LockCall.GET).count() == 1;
    uncertain |= calls.takes() && !(single && none());
  }

  /** Forgets all locks. */
  void clear() {
    count = 0;
    uncertain = false;
  }
}
