package io.alrai.cn.shard;

import io.alrai.cn.branch.OwnWork;
import io.alrai.cn.branch.QueryKiller;
import io.alrai.dn.link.Branch;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a statement ends early that runs beside the session's own connections, for the session's
 * thread: KILL finds it, and so does the client's leaving. Fields are the loop's; {@link #end} may
 * be called on any thread.
 */
final class StatementEnding {
  private static final long UNHEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

  private final EventLoop loop;
  private final QueryKiller killer;
  private final Optional<OwnWork.Registration> registered;
  private @Nullable Branch runsOn;
  private boolean ended;
  private long endedNanos;
  private boolean over;

  /**
   * The early end of a statement that is about to be sent; made on the thread that waits for it.
   */
  StatementEnding(EventLoop loop, QueryKiller killer) {
    this.loop = loop;
    this.killer = killer;
    this.registered = OwnWork.ofThisThread().map(work -> work.begin(this::end));
  }

  /**
   * Ends it on its mysqld; where it has not been sent yet, it will not be. Where it goes on and
   * this is called again after about a second, its connection is closed: the mysqld does not hear
   * the KILL.
   */
  void end() {
    loop.execute(() -> {
      long now = loop.ticker().nanoTime();
      boolean unheard = ended && now - endedNanos >= UNHEARD_NANOS;
      endedNanos = ended ? endedNanos : now;
      ended = true;
      Branch branch = runsOn;
      if (branch != null && !over) {
        if (unheard) {
          branch.interrupt();
        } else {
          killer.kill(branch);
        }
      }
    });
  }

  /** Whether it was ended before it was sent. */
  boolean ended() {
    return ended;
  }

  /** It is being sent there. */
  void runsOn(Branch branch) {
    runsOn = branch;
  }

  /** Its reply is complete, or it is lost. */
  void over() {
    over = true;
    registered.ifPresent(OwnWork.Registration::close);
  }
}
