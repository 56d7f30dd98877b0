package io.alrai.dn.watch;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupView.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for what a follower's mysqld has and its group has not: somebody wrote past Alrai. Such a
 * member must not lead. What is missing at one look may be on its way, as a member that starts
 * reads its log again; what is missing at two is errant. One thread looks; any asks.
 */
public final class ErrantWatch {
  private static final Logger log = LoggerFactory.getLogger(ErrantWatch.class);

  private final String name;
  private GtidSet suspects = new GtidSet();
  private volatile String errant = "";

  /** A watch of the member {@code name}. */
  public ErrantWatch(String name) {
    this.name = name;
  }

  /**
   * Looks.
   *
   * @param executed what the mysqld has
   * @param later what is committed, read after that
   * @return whether the next look is to come soon
   */
  public boolean look(GtidSet executed, Progress later) {
    GtidSet missing = executed.without(later.transactions()).without(later.settled());
    GtidSet twice = missing.without(missing.without(suspects));
    suspects = missing;
    say(twice.toString());
    return !missing.equals(twice);
  }

  /** The mysqld follows nobody: what it has is not compared. */
  public void forget() {
    suspects = new GtidSet();
  }

  private void say(String found) {
    if (found.equals(errant)) {
      return;
    }
    errant = found;
    if (found.isEmpty()) {
      log.info("{}: its mysqld has nothing any more that its group has not", name);
    } else {
      log.warn("{} is not to lead: {}", name, error());
    }
  }

  /** Why the member is not to lead; empty where nothing is wrong. */
  public String error() {
    String now = errant;
    return now.isEmpty()
        ? ""
        : "its mysqld has transactions that its group has not, as somebody wrote past Alrai: "
            + now
            + "; it must be made anew from another member";
  }
}
