package io.alrai.dn.group;

import io.alrai.dn.link.CommitFate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The last commit of each connection to a leader's mysqld, for the last few leads, as the group's
 * log has them: by that a commit can be found of which nobody has heard. Not thread-safe.
 *
 * <p>An entry is written when its leader's clock is {@code H - AHEAD}. Whoever sends a statement
 * has a clock K that is at or above that of all entries that were acknowledged on the connection
 * before, and the agent's clock is above K before what the statement commits is written: so exactly
 * that one is above K.
 */
final class LeadCommits {
  /** Nobody asks about earlier ones. */
  private static final int MOST_LEADS = 8;

  private static final int MOST_CONNECTIONS = 100_000;

  /** From one BEGIN to the next. */
  private static final class OfLead {
    private final long term;

    /** Of no entry before is known here; 0 where all are. */
    private final long fromClock;

    private final Map<Long, Long> clocks = new HashMap<>();
    private boolean full;

    OfLead(long term, long fromClock) {
      this.term = term;
      this.fromClock = fromClock;
    }

    boolean has(long connection, long sent) {
      return clocks.getOrDefault(connection, 0L) > sent;
    }
  }

  private final Deque<OfLead> leads = new ArrayDeque<>();

  /** A lead begins in a term; all earlier ones have ended. */
  void begins(long term) {
    leads.addLast(new OfLead(term, 0));
    if (leads.size() > MOST_LEADS) {
      leads.removeFirst();
    }
  }

  /** Entries were skipped: what is known of leads may lack some. */
  void forget() {
    leads.clear();
  }

  /**
   * An entry has a commit.
   *
   * @param reserved its H
   */
  void committed(long term, long connection, long reserved) {
    long clock = reserved - LeaderEntries.AHEAD;
    OfLead last = leads.peekLast();
    if (last == null || last.term != term) {
      last = new OfLead(term, clock); // this member has begun in the middle of it
      leads.addLast(last);
    }
    if (last.clocks.size() < MOST_CONNECTIONS || last.clocks.containsKey(connection)) {
      last.clocks.put(connection, clock);
    } else {
      last.full = true;
    }
  }

  /**
   * What became of what was sent last on a connection.
   *
   * @param term in which its leader led
   * @param connection its number at that one's mysqld
   * @param sent the sender's clock
   */
  CommitFate fate(long term, long connection, long sent) {
    OfLead found = null;
    Iterator<OfLead> all = leads.descendingIterator();
    while (all.hasNext()) {
      OfLead next = all.next();
      if (next.term == term && found != null) {
        return CommitFate.UNKNOWN; // two lives of a mysqld, which count connections alike
      }
      if (next.term == term) {
        found = next;
      }
    }
    if (found == null) {
      return leads.isEmpty() || leads.getLast().term < term ? CommitFate.OPEN : CommitFate.UNKNOWN;
    }
    if (found.has(connection, sent)) {
      return CommitFate.COMMITTED;
    }
    if (found == leads.getLast()) {
      return CommitFate.OPEN;
    }
    return found.full || sent < found.fromClock ? CommitFate.UNKNOWN : CommitFate.LOST;
  }
}
