package io.alrai.dn.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupView.Progress;
import io.alrai.dn.raft.KeptLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a voter sends to those who learn from it: what the group has committed, and nothing that
 * would leave a gap in what they have. It keeps its log for them, and for column nodes that read
 * it, also for some minutes after they have gone, but no more of it than for members that are away.
 * Thread-safe.
 */
public final class VoterLog {
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Whoever is cut off from its group has found out by then that it leads no more. */
  private static final int LOOKS = 20;

  private final GroupSource source;
  private final GroupView view;
  private final KeptLog log;
  private final LongSupplier nanos;

  /**
   * The last entry that the log had at the start. When it is heard this voter knows again what was
   * settled when it let entries go: those before may say less.
   */
  private final long atStart;

  @GuardedBy("this")
  private final List<Place> places = new ArrayList<>();

  /** Up to where somebody has read. */
  private static final class Place {
    private long passed;

    /** When nobody reads there any more; meaningless while {@link #isRead}. */
    private long goneNanos;

    private boolean isRead = true;

    Place(long passed) {
      this.passed = passed;
    }
  }

  /**
   * What a voter has.
   *
   * @param nanos monotonic time
   */
  public VoterLog(GroupSource source, GroupView view, KeptLog log, LongSupplier nanos) {
    this.source = source;
    this.view = view;
    this.log = log;
    this.nanos = nanos;
    this.atStart = log.last().index();
  }

  /** Whether it knows of somebody who leads: else it has nothing new to send. */
  public boolean isLed() {
    return log.leader().isPresent();
  }

  /** The last entry that is committed here; -1 for none. */
  public long committed() {
    return view.progress().index();
  }

  /**
   * What somebody has and this voter does not know of.
   *
   * @param errant whether nobody in the group knows of it; else this voter may lag
   */
  public record Unknown(GtidSet transactions, boolean errant) {}

  /** Waits for 100 ms. */
  public interface Pause {
    void run() throws InterruptedException;
  }

  /**
   * What somebody has and this voter does not know of. Takes two seconds where it leads: others
   * hear earlier than a leader what is committed, and one that is cut off learns late that it leads
   * no more.
   */
  public Unknown unknown(GtidSet known, Pause pause) throws InterruptedException {
    long term = view.term();
    GtidSet unknown = missing(known);
    int looks = 0;
    while (!unknown.isEmpty() && leads(term)) {
      if (looks++ == LOOKS) {
        return new Unknown(unknown, true);
      }
      pause.run();
      unknown = missing(known);
    }
    return new Unknown(unknown, false);
  }

  private GtidSet missing(GtidSet known) {
    Progress now = view.progress();
    return known.without(now.transactions()).without(now.settled());
  }

  /** Whether it has led since, and had all that was committed before. */
  private boolean leads(long term) {
    return term > 0 && view.term() == term && log.leads();
  }

  /**
   * Reads what is not in the set, where nothing before that is missing. Takes a while where much of
   * the log is to be looked at.
   *
   * @param known copied
   * @param meanwhile called now and then
   * @throws BinlogException {@link BinlogException#positionLost} where something is missing that
   *     the log does not have any more; another one where it cannot be said yet
   */
  public GroupReader open(GtidSet known, Runnable meanwhile) throws InterruptedException {
    Progress now = view.progress();
    if (now.settledIndex() < 0 || now.index() < atStart) {
      throw new BinlogException("it has not heard yet what its log has forgotten");
    }
    Taught reader = new Taught(known); // before the look: the log may lose entries
    boolean whole = false;
    try (GroupReader look = source.open(known)) {
      while (look.passed() < now.settledIndex()) {
        look.poll(0);
        meanwhile.run();
      }
      whole = true;
    } finally {
      if (!whole) {
        reader.close();
        forget(reader.place);
      }
    }
    return reader;
  }

  /** The log as it is, for whoever needs no more of it than this member. */
  public GroupSource all() {
    return source;
  }

  /** The log for others who read it, see {@link #keeps}. */
  public GroupSource kept() {
    return new GroupSource() {
      @Override
      public GroupReader open(GtidSet known) {
        return new Taught(known);
      }

      /** Its reader is opened first, and is never beyond it. */
      @Override
      public Look look(GtidSet known) {
        return source.look(known);
      }
    };
  }

  /** This member needs no entries up to there; those who learn from it may, see {@link #keeps}. */
  public void release(long index) {
    log.release(log.isTooLong() ? index : keeps(index));
  }

  /** Up to where those who learn do not need what this member needs up to there no more. */
  synchronized long keeps(long index) {
    long now = nanos.getAsLong();
    places.removeIf(place -> !place.isRead && now - place.goneNanos > KEPT_NANOS);
    return places.stream().mapToLong(place -> place.passed).reduce(index, Math::min);
  }

  private synchronized Place begin(long passed) {
    Place place = new Place(passed);
    places.add(place);
    return place;
  }

  private synchronized void reached(Place place, long passed) {
    place.passed = passed;
  }

  private synchronized void left(Place place) {
    place.isRead = false;
    place.goneNanos = nanos.getAsLong();
  }

  private synchronized void forget(Place place) {
    places.remove(place);
  }

  /** A reader whose place is kept. */
  private final class Taught implements GroupReader {
    private final GroupReader reader;
    private final Place place;

    Taught(GtidSet known) {
      this.place = begin(-1); // all is kept while it is opened
      boolean opened = false;
      try {
        this.reader = source.open(known);
        opened = true;
      } finally {
        if (!opened) {
          forget(place);
        }
      }
      reached(place, reader.passed());
    }

    /** What it gave last is read when it is asked for the next one. */
    @Override
    public @Nullable Shipped poll(long millis) throws InterruptedException {
      reached(place, Math.min(reader.passed() - 1, reader.spent()));
      return reader.poll(millis);
    }

    @Override
    public long passed() {
      return reader.passed();
    }

    @Override
    public void close() {
      left(place);
      reader.close();
    }
  }
}
