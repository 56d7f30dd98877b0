package io.alrai.dn.feed;

import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupSource;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.FollowedLog;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.Mark;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The log of a DN at a member that follows. Thread-safe. */
public final class MemberLog implements FollowedLog {
  private final String name;
  private final GroupSource source;
  private final GroupView view;
  private final BooleanSupplier follows;
  private final Supplier<Optional<DnLog>> leader;
  private final LongSupplier nanos;

  /**
   * A member's log.
   *
   * @param name of the member
   * @param source all that its group has committed, which is kept for those who read it
   * @param view what it has heard of that
   * @param follows whether it is FOLLOWING; asked at the beginning only, as its mysqld gives
   *     nothing
   * @param leader the DN's log at whoever leads; empty while it is not known
   * @param nanos monotonic time
   */
  public MemberLog(
      String name,
      GroupSource source,
      GroupView view,
      BooleanSupplier follows,
      Supplier<Optional<DnLog>> leader,
      LongSupplier nanos) {
    this.name = name;
    this.source = source;
    this.view = view;
    this.follows = follows;
    this.leader = leader;
    this.nanos = nanos;
  }

  @Override
  public boolean isThere() {
    return follows.getAsBoolean();
  }

  @Override
  public LogSubscription follow() throws InterruptedException {
    Marks marks = begin();
    Mark mark = marks.first(new GtidSet());
    return begun(new MemberFeed(name, source, marks, mark.visible(), mark, nanos));
  }

  @Override
  public LogSubscription follow(GtidSet known) throws InterruptedException {
    Marks marks = begin();
    return begun(new MemberFeed(name, source, marks, known, marks.first(known), nanos));
  }

  /** A reader comes from one that works: it hears that this one does when nothing is missing. */
  private static LogSubscription begun(MemberFeed feed) throws InterruptedException {
    boolean begun = false;
    try {
      feed.begin();
      begun = true;
      return feed;
    } finally {
      if (!begun) {
        feed.close();
      }
    }
  }

  private Marks begin() {
    if (!isThere()) {
      throw new BinlogException(name + " does not follow now");
    }
    return new Marks(name, view, leader, nanos);
  }
}
