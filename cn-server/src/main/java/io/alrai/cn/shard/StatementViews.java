package io.alrai.cn.shard;

import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.tx.SnapshotOpening;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
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
  public static final StatementViews NONE =
      new StatementViews(HlcTimestamp.ZERO, Map.of(), false, Set.of());

  private static final String START = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

  /** Whatever the session's isolation is. */
  private static final String REPEATABLE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;";

  private final HlcTimestamp at;
  private final Map<DnId, Branch> branches;
  private final boolean onceEach;
  private final Set<Branch> atWork;

  /**
   * Views that are open.
   *
   * @param at what they show
   * @param onceEach whether each serves one statement, and ends behind it
   * @param atWork the branches leave it when they end
   */
  StatementViews(
      HlcTimestamp at, Map<DnId, Branch> branches, boolean onceEach, Set<Branch> atWork) {
    this.at = at;
    this.branches = new HashMap<>(branches);
    this.onceEach = onceEach;
    this.atWork = atWork;
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

  /** A statement on it is through. */
  void served(Branch branch) {
    if (onceEach && branches.remove(branch.dn(), branch)) {
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
