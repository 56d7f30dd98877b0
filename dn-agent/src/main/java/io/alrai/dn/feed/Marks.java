package io.alrai.dn.feed;

import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.group.GroupView.Heard;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.Mark;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the leader for marks: one at a time, and only when one can say more than the last. A DN on
 * which nothing happens is asked nothing. Belongs to one reader's thread.
 */
final class Marks {
  /** From one question to the next. */
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** From one to the next where the answers have said nothing new. */
  private static final long MOST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(80);

  /** After so long in vain the reader is to go elsewhere. */
  static final long MOST_VAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final String name;
  private final GroupView view;
  private final Supplier<Optional<DnLog>> leader;
  private final LongSupplier nanos;

  private @Nullable CompletableFuture<Mark> asked;
  private @Nullable Mark last;
  private @Nullable Heard askedAt;
  private long askedNanos;
  private long pauseNanos;

  /** When it was asked first of all that was in vain. */
  private @Nullable Long vainNanos;

  private String why = "no leader is known";

  /**
   * Marks for a member.
   *
   * @param name of the member
   * @param leader the DN's log at whoever leads; empty while it is not known
   * @param nanos monotonic time
   */
  Marks(String name, GroupView view, Supplier<Optional<DnLog>> leader, LongSupplier nanos) {
    this.name = name;
    this.view = view;
    this.leader = leader;
    this.nanos = nanos;
  }

  /**
   * The first mark.
   *
   * @param known see {@link #next}
   */
  Mark first(GtidSet known) throws InterruptedException {
    Optional<Mark> mark = Optional.empty();
    while (mark.isEmpty()) {
      mark = next(known, true, MOST_VAIN_NANOS);
    }
    return mark.get();
  }

  /**
   * The next mark, if it can say more than the last.
   *
   * @param known is visible: a mark that lacks some of it is of a leader that was replaced
   * @param lacks whether the last one lacks something that is committed
   * @param waitNanos how long it may take
   * @return empty where none has come by then
   * @throws BinlogException when none was to be had for too long, or this member cannot give the
   *     log any more
   */
  Optional<Mark> next(GtidSet known, boolean lacks, long waitNanos) throws InterruptedException {
    long end = nanos.getAsLong() + waitNanos;
    while (true) {
      requireToFollow();
      Heard heard = view.heard();
      long pause = asked == null && isWanted(heard, lacks) ? pause(heard) : Long.MAX_VALUE;
      if (pause <= 0) {
        ask(heard);
      }
      long left = end - nanos.getAsLong();
      CompletableFuture<Mark> waiting = asked;
      if (waiting != null) {
        Optional<Mark> mark = answer(waiting, known, Math.max(0, left));
        if (mark.isPresent()) {
          return mark;
        }
      } else if (left > 0) {
        view.awaitOther(heard, Math.min(left, pause));
      }
      if (left <= 0) {
        return Optional.empty();
      }
    }
  }

  private void requireToFollow() {
    if (view.term() > 0) {
      throw new BinlogException(name + " does not follow any more: it was elected");
    }
    if (view.isDropped()) {
      throw new BinlogException(name + " is no member any more");
    }
    Long since = vainNanos;
    if (since != null && nanos.getAsLong() - since > MOST_VAIN_NANOS) {
      throw new BinlogException(name + " hears nothing of what its leader shows: " + why);
    }
  }

  private boolean isWanted(Heard heard, boolean lacks) {
    Mark before = last;
    return before == null
        || lacks
        || heard.last() > before.index()
        || heard.begun().compareTo(before.place().lead()) > 0;
  }

  private long pause(Heard heard) {
    if (!heard.equals(askedAt)) {
      pauseNanos = Math.min(pauseNanos, FIRST_PAUSE_NANOS);
    }
    return pauseNanos == 0 ? 0 : askedNanos + pauseNanos - nanos.getAsLong();
  }

  private void ask(Heard heard) {
    askedNanos = nanos.getAsLong();
    askedAt = heard;
    vainNanos = vainNanos == null ? askedNanos : vainNanos;
    asked =
        leader
            .get()
            .map(DnLog::mark)
            .orElseGet(() -> CompletableFuture.failedFuture(new BinlogException(why)));
  }

  private Optional<Mark> answer(CompletableFuture<Mark> waiting, GtidSet known, long left)
      throws InterruptedException {
    Mark mark;
    try {
      mark = waiting.get(left, TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      return Optional.empty();
    } catch (ExecutionException refused) {
      inVain(String.valueOf(refused.getMessage()));
      return Optional.empty();
    }
    if (!mark.visible().containsAll(known)) {
      inVain("it knows " + mark.visible() + " only, and " + known + " was visible");
      return Optional.empty();
    }
    asked = null;
    vainNanos = null;
    pauseNanos = mark.equals(last) ? longer() : FIRST_PAUSE_NANOS;
    last = mark;
    return Optional.of(mark);
  }

  private void inVain(String reason) {
    asked = null;
    why = reason;
    pauseNanos = longer();
  }

  private long longer() {
    return Math.min(MOST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos));
  }
}
