package io.alrai.dn.xa;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a mysqld's commits stand still. A commit waits for the gate without a bound: if a
 * mysqld gave up waiting, it would show commits that others do not know of. So if the stream, the
 * gate or its thread hangs, all that can be seen is sessions that wait at the mysqld. Only reports
 * it; thread-safe, on one loop.
 */
public final class CommitWatch {
  private static final Logger log = LoggerFactory.getLogger(CommitWatch.class);
  static final Sql WAITING = Sql.of("SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_source_wait_sessions'");

  /** After how long a stall is logged, and how often again. */
  static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long ASK_SECONDS = 5;

  private final DnId dn;
  private final Supplier<CompletableFuture<Answer>> waiting;
  private final LongSupplier visible;
  private final LongSupplier nanos;
  private volatile boolean asked;

  @GuardedBy("this")
  private long seen;

  @GuardedBy("this")
  private long told;

  /** When the stall began; 0 for none. */
  private volatile long sinceNanos;

  /**
   * A watch over the commits of a participant's mysqld.
   *
   * @param nanos as {@link System#nanoTime}
   */
  public CommitWatch(XaParticipant participant, LongSupplier nanos) {
    this(participant.dn(), participant::waitingSessions, participant::visible, nanos);
  }

  /**
   * A watch.
   *
   * @param waiting asks the mysqld how many sessions wait, see {@link #WAITING}
   * @param visible grows with each transaction that becomes visible
   * @param nanos as {@link System#nanoTime}
   */
  CommitWatch(
      DnId dn,
      Supplier<CompletableFuture<Answer>> waiting,
      LongSupplier visible,
      LongSupplier nanos) {
    this.dn = dn;
    this.waiting = waiting;
    this.visible = visible;
    this.nanos = nanos;
  }

  /** To be called every second. */
  public void look() {
    if (asked) {
      return;
    }
    asked = true;
    long before = visible.getAsLong();
    waiting
        .get()
        .orTimeout(ASK_SECONDS, TimeUnit.SECONDS)
        .whenComplete((answer, error) -> {
          asked = false;
          // a mysqld that is down or does not answer has a watch of its own
          noted(error == null && sessions(answer) > 0, before);
        });
  }

  private static long sessions(Answer answer) {
    return answer.rows().isEmpty() ? 0 : Long.parseLong(answer.rows().getFirst().getLast());
  }

  private synchronized void noted(boolean some, long at) {
    long now = nanos.getAsLong();
    boolean moved = at != seen;
    seen = at;
    if (!some || moved) {
      if (told > 0) {
        log.info("{}: commits become visible again", dn);
      }
      sinceNanos = 0;
      told = 0;
      return;
    }
    if (sinceNanos == 0) {
      sinceNanos = now == 0 ? 1 : now;
    }
    long times = (now - sinceNanos) / TOLD_NANOS;
    if (times > told) {
      told = times;
      log.warn(
          "{}: commits have waited for {} s at the mysqld, and none became visible: the stream of"
              + " its log, or the gate, stands still",
          dn,
          TimeUnit.NANOSECONDS.toSeconds(now - sinceNanos));
    }
  }

  /** For how long it has stood still, in seconds. Any thread. */
  public double seconds() {
    long since = sinceNanos;
    return since == 0 ? 0 : (nanos.getAsLong() - since) / 1e9;
  }
}
