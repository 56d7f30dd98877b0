package io.alrai.dn.learner;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.ApplyLag;
import io.alrai.dn.group.FeedSource;
import io.alrai.dn.group.GroupReader;
import io.alrai.dn.group.Shipped;
import io.alrai.dn.group.VoterLogs;
import io.alrai.dn.link.MemberStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a learner's mysqld is fed from: the log of one voter at a time, of another one when that
 * goes. Thread-safe; each reader is one thread's.
 *
 * <pre>
 *  a voter is asked -> it has what is missing: it sends
 *      ^            -> it has forgotten some of it, says nothing, goes: the next one is asked
 *      |                                                                     |
 *      +---- after a pause: nobody sends -----------------------------------+-> all that answer
 *                                                                               have forgotten: lacks
 * </pre>
 */
final class LearnerFeed implements FeedSource {
  private static final Logger log = LoggerFactory.getLogger(LearnerFeed.class);
  private static final long PAUSE_MILLIS = 200;

  /** How often it is looked whether the voter is one still. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String name;
  private final VoterLogs voters;
  private final LongSupplier nanos;

  /** Who reads for the mysqld; one of an earlier life has nothing to say. Null for nobody. */
  @GuardedBy("this")
  private @Nullable Reader reader;

  /** What the mysqld has, and what has come for it; null before it has said what it has. */
  @GuardedBy("this")
  private @Nullable GtidSet arrived;

  @GuardedBy("this")
  private ApplyLag lag;

  /** The last entry that is committed, as a voter has said; -1 for none. */
  @GuardedBy("this")
  private long committed = -1;

  /** What the present reader has heard of and not got. */
  @GuardedBy("this")
  private ComingLag coming = new ComingLag();

  @GuardedBy("this")
  private long heardNanos;

  /** Who sends; empty for nobody. */
  @GuardedBy("this")
  private String source = "";

  /** Why the last one was left. */
  @GuardedBy("this")
  private String error = "";

  /** What no voter has in its log any more; empty while one has all. */
  @GuardedBy("this")
  private String lacking = "";

  /** What the leader does not know of; empty while it knows all. */
  @GuardedBy("this")
  private String errant = "";

  /**
   * A feed of a learner.
   *
   * @param nanos monotonic time
   */
  LearnerFeed(String name, VoterLogs voters, LongSupplier nanos) {
    this.name = name;
    this.voters = voters;
    this.nanos = nanos;
    this.lag = new ApplyLag(nanos);
    this.heardNanos = nanos.getAsLong();
  }

  @Override
  public GroupReader open(GtidSet known) {
    Reader next = new Reader(known.copy());
    begins(next, known);
    return next;
  }

  private synchronized void begins(Reader next, GtidSet known) {
    reader = next;
    arrived = known.copy();
    coming = new ComingLag();
    lag = new ApplyLag(nanos);
    source = "";
  }

  /** The mysqld is another one, or gets other rows: nothing is known of what it has. */
  synchronized void forget() {
    reader = null;
    lacking = "";
    errant = "";
    source = "";
    error = "";
    arrived = null;
    coming = new ComingLag();
  }

  /** Who sends, as far as somebody does; else why nobody does. */
  record Source(String voter, String error) {}

  /** Where it is fed from. */
  synchronized Source source() {
    return new Source(source, error);
  }

  /** What it lacks and no voter's log has, in a sentence; empty where nothing. */
  synchronized String lacking() {
    return lacking;
  }

  /** What it has and its group has not, in a sentence; empty where nothing. */
  synchronized String errant() {
    return errant;
  }

  /** What the mysqld has and what has come for it; empty before it has said what it has. */
  synchronized Optional<GtidSet> arrived() {
    return Optional.ofNullable(arrived).map(GtidSet::copy);
  }

  /** The last entry that is committed, as far as is known; -1 for none. */
  synchronized long committed() {
    return committed;
  }

  /** The mysqld has these. */
  synchronized void executed(GtidSet set) {
    lag.executed(set);
  }

  /**
   * What the mysqld lacks of what is committed: those that have come, and an entry for each of the
   * others; -1 where it is not known.
   *
   * @param executed what the mysqld has
   */
  synchronized long unapplied(GtidSet executed) {
    GtidSet all = arrived;
    long passed = coming.passed();
    return all == null || passed < 0
        ? MemberStatus.UNKNOWN
        : executed.missingOf(all) + Math.max(0, committed - passed);
  }

  /** How old the oldest is that the mysqld has not, or the last word of a voter. */
  synchronized long lagMillis() {
    long now = nanos.getAsLong();
    long silent = TimeUnit.NANOSECONDS.toMillis(now - heardNanos);
    return Math.max(
        Math.max(lag.millis(), coming.millis(now)),
        silent < TimeUnit.SECONDS.toMillis(1) ? 0 : silent);
  }

  private synchronized void follows(Reader by, String voter) {
    if (by.equals(reader)) {
      log.info("{} is fed from the log of {}", name, voter);
      source = voter;
      error = "";
      lacking = "";
      errant = "";
    }
  }

  private synchronized void left(Reader by, String why, boolean isErrant) {
    if (!by.equals(reader)) {
      return;
    }
    log.info("{} is not fed, or no longer: {}", name, why);
    source = "";
    error = why;
    if (isErrant) {
      errant = "its mysqld has what its group has not: " + why;
    }
  }

  private synchronized void lacks(Reader by, String why) {
    if (by.equals(reader)) {
      lacking = why;
    }
  }

  private synchronized void heard(Reader by, long index, long upTo) {
    if (!by.equals(reader)) {
      return;
    }
    heardNanos = nanos.getAsLong();
    coming.came(upTo);
    coming.heard(index, heardNanos);
    committed = Math.max(committed, index);
  }

  private synchronized void arrived(Reader by, long index, Gtid gtid) {
    GtidSet all = arrived;
    if (by.equals(reader) && all != null) {
      all.add(gtid);
      lag.committed(index, gtid);
      heard(by, index, index);
    }
  }

  /** Reads on from one voter to the next. */
  private final class Reader implements GroupReader, VoterLogs.Arrivals {
    private final GtidSet known;

    /** Those that were asked in this round, and could not send. */
    private final Set<String> missed = new HashSet<>();

    /** Those of them whose logs have forgotten what is wanted. */
    private final Set<String> forgot = new HashSet<>();

    private VoterLogs.@Nullable Stream stream;
    private String voter = "";
    private boolean begun;
    private String forgotten = "";
    private long passed = -1;
    private long lookedNanos = nanos.getAsLong();

    Reader(GtidSet known) {
      this.known = known;
    }

    @Override
    public @Nullable Shipped poll(long millis) throws InterruptedException {
      VoterLogs.Stream from = stream;
      if (from == null) {
        return ask(millis);
      }
      try {
        requireMember();
        Shipped next = from.poll(millis);
        if (from.begun() && !begun) {
          begun = true;
          missed.clear();
          forgot.clear();
          follows(this, voter);
        }
        if (next != null) {
          known.add(next.gtid());
          passed = next.index();
        }
        return next;
      } catch (BinlogException e) {
        from.close();
        stream = null;
        missed.add(voter);
        if (e.positionLost()) {
          forgot.add(voter);
          forgotten = String.valueOf(e.getMessage());
        }
        left(this, String.valueOf(e.getMessage()), from.errant());
        return null;
      }
    }

    /** One that a group was forced without may not know it, and go on with others. */
    private void requireMember() {
      long now = nanos.getAsLong();
      if (now - lookedNanos > LOOK_NANOS) {
        lookedNanos = now;
        if (!voters.names().contains(voter)) {
          throw new BinlogException(voter + " is no member any more");
        }
      }
    }

    /** Asks the next one, or waits for another round. */
    private @Nullable Shipped ask(long millis) throws InterruptedException {
      List<String> names = voters.names();
      for (String each : names) {
        if (!missed.contains(each)) {
          voter = each;
          begun = false;
          stream = voters.open(each, known, this);
          return null;
        }
      }
      if (!forgot.isEmpty()) {
        lacks(this, forgotten);
      }
      TimeUnit.MILLISECONDS.sleep(Math.min(millis, PAUSE_MILLIS));
      if (millis > 0) {
        missed.clear();
        forgot.clear();
      }
      return null;
    }

    @Override
    public void arrived(long index, Gtid gtid) {
      LearnerFeed.this.arrived(this, index, gtid);
    }

    @Override
    public void heard(long index, long sent) {
      LearnerFeed.this.heard(this, index, sent);
    }

    @Override
    public long passed() {
      return passed;
    }

    @Override
    public void close() {
      VoterLogs.Stream from = stream;
      if (from != null) {
        from.close();
      }
    }
  }
}
