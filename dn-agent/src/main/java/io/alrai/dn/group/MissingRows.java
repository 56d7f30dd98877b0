package io.alrai.dn.group;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupView.Progress;
import java.util.Optional;

/** What a mysqld lacks and its group's log does not have any more. Stateless. */
public final class MissingRows {
  private MissingRows() {}

  /**
   * Whether a follower's mysqld needs rows that only another member's has.
   *
   * @param executed what it has
   * @param now what is committed, read after that
   * @param released what came since the start and may be in the log no more
   * @return a sentence; empty where nothing is missing, as far as the log says
   */
  public static Optional<String> of(GtidSet executed, Progress now, GtidSet released) {
    GtidSet known = GtidSet.parse(executed + "," + now.transactions());
    return executed.containsAll(released)
        ? of(known, now)
        : Optional.of(sentence(executed, released));
  }

  /**
   * Whether something that is settled is missing.
   *
   * @param known transactions that are in the mysqld, or will be
   */
  public static Optional<String> of(GtidSet known, Progress now) {
    return known.containsAll(now.settled())
        ? Optional.empty()
        : Optional.of(sentence(known, now.settled()));
  }

  private static String sentence(GtidSet known, GtidSet gone) {
    return "its mysqld lacks what its group's log does not have any more: it has "
        + known
        + " of "
        + gone;
  }
}
