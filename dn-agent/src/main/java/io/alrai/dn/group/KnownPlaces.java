package io.alrai.dn.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupView.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * Places of a member's log with the transactions before them, so that whoever knows those need not
 * read the log from its beginning: it may be long, as it is kept for a member that is away. Those
 * of this start of the member. Whoever knows transactions knows what was before them, too: they are
 * applied and read in the order of the log. Thread-safe.
 */
final class KnownPlaces {
  /** Places that are remembered; of more, every second one is forgotten. */
  static final int MOST = 128;

  @GuardedBy("this")
  private final List<Progress> places = new ArrayList<>();

  /** Remembers a place that has transactions before it. */
  synchronized void add(Progress now) {
    boolean says = !now.transactions().equals(new GtidSet());
    if (!says || !places.isEmpty() && places.getLast().index() >= now.index()) {
      return;
    }
    places.add(now);
    if (places.size() > MOST) {
      for (int i = places.size() - 2; i >= 0; i -= 2) {
        places.remove(i);
      }
    }
  }

  /** Entries are missing before what comes next: no place says what was in them. */
  synchronized void forget() {
    places.clear();
  }

  /** The last entry that whoever has these transactions need not read; -1 where none is known. */
  synchronized long upTo(GtidSet known) {
    for (Progress place : places.reversed()) {
      if (known.containsAll(place.transactions())) {
        return place.index();
      }
    }
    return -1;
  }
}
