package io.alrai.cn.shard;

import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.SnapshotOpening;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The read views of one statement that reads on several DNs outside of a transaction, all at one
 * snapshot. Whoever asked for them closes them. Event loop only, unless said otherwise.
 */
public final class StatementViews {
  /** The statement reads without views of its own: current rows, or its transaction's views. */
  public static final StatementViews NONE = new StatementViews(false, Set.of());

  private static final String START = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

  /** Whatever the session's isolation is. */
  private static final String REPEATABLE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;";

  private final Map<DnId, Branch> branches = new HashMap<>();
  private final boolean onceEach;
  private final Set<Branch> atWork;
  private HlcTimestamp at = HlcTimestamp.ZERO;
  private boolean open;

  /** Branches whose statements had ended before all views were open. */
  private final List<Branch> early = new ArrayList<>();

  private StatementViews(boolean onceEach, Set<Branch> atWork) {
    this.onceEach = onceEach;
    this.atWork = atWork;
  }

  /**
   * Views that are about to be {@link #opened}.
   *
   * @param onceEach whether each serves one statement, and ends after it
   * @param atWork the branches leave it when they end
   */
  static StatementViews opening(boolean onceEach, Set<Branch> atWork) {
    return new StatementViews(onceEach, atWork);
  }

  /** All are open, at that snapshot. */
  void opened(HlcTimestamp snapshot, Map<DnId, Branch> viewed) {
    at = snapshot;
    branches.putAll(viewed);
    open = true;
    early.forEach(this::served);
    early.clear();
  }

  /** A statement was sent to a branch right after its view, before all are open. */
  void follow(Branch branch) {
    branches.put(branch.dn(), branch);
  }

  /** That statement is of no worth. */
  void unfollow(Branch branch) {
    branches.remove(branch.dn(), branch);
    early.remove(branch);
  }

  /** How such a view is opened by a session with these settings. */
  public static SnapshotOpening.Request request(DnId dn, SessionSettings settings) {
    return new SnapshotOpening.Request(
        dn,
        Optional.empty(),
        settings.repeatsReads() ? START : REPEATABLE + START,
        SnapshotOpening.Request.ROLLBACK,
        true);
  }

  /** Whether there are none. Any thread. */
  public boolean isNone() {
    return this == NONE;
  }

  /** The snapshot that they show; nothing where there are none. Any thread. */
  public HlcTimestamp at() {
    return at;
  }

  /** The branch with the DN's view; null where this is not about it. */
  @Nullable Branch branch(DnId dn) {
    return branches.get(dn);
  }

  /** A statement on it has ended. */
  void served(Branch branch) {
    if (!open) {
      early.add(branch);
    } else if (onceEach && branches.remove(branch.dn(), branch)) {
      end(branch);
    }
  }

  /** Ends all that are left. */
  void close() {
    List<Branch> left = List.copyOf(branches.values());
    branches.clear();
    left.forEach(this::end);
  }

  private void end(Branch branch) {
    atWork.remove(branch);
    branch.releaseViewed();
  }
}
