package io.alrai.dn.backend;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends, at the mysqld, the statements whose connections were closed while they were at work. A
 * mysqld notices a closed connection only when it reads or writes: a statement that waits for a row
 * lock would stay until its timeout, and with it the locks of its transaction and all who wait for
 * these. Thread-safe.
 *
 * <p>What ends a transaction is let be: it has nothing to wait for but its acknowledgement, and its
 * outcome is looked for.
 */
final class LeftStatements {
  private static final Logger log = LoggerFactory.getLogger(LeftStatements.class);

  /** Most have ended by themselves then. */
  private static final long FIRST_MILLIS = 100;

  private static final long PAUSE_MILLIS = 250;
  private static final long LOGIN_PAUSE_MILLIS = 1_000;

  /** What sleeps, or ends its transaction, is looked at so often: more may be queued after it. */
  private static final int MOST_LOOKS = 8;

  /** How often it is tried to log in to look. */
  private static final int MOST_LOGINS = 5;

  private final DnId dn;
  private final BackendConnector connector;
  private final LongPredicate inUse;
  private final LongAdder ended;
  private final List<Left> waiting = new ArrayList<>();

  @GuardedBy("waiting")
  private boolean looking;

  /** A connection; its looks are counted by who looks. */
  private static final class Left {
    private final long id;
    private final long openedNanos;
    private int looks;

    Left(long id, long openedNanos) {
      this.id = id;
      this.openedNanos = openedNanos;
    }
  }

  /**
   * Watches one mysqld.
   *
   * @param inUse whether an open connection has that number
   * @param ended counts
   */
  LeftStatements(DnId dn, BackendConnector connector, LongPredicate inUse, LongAdder ended) {
    this.dn = dn;
    this.connector = connector;
    this.inUse = inUse;
    this.ended = ended;
  }

  /**
   * A connection was closed with a statement at work.
   *
   * @param loop where to look
   * @param openedNanos when it was opened, or a little later, by the loop's ticker
   */
  void left(EventLoop loop, long id, long openedNanos) {
    synchronized (waiting) {
      waiting.add(new Left(id, openedNanos));
      if (looking) {
        return;
      }
      looking = true;
    }
    new Look(loop).after(FIRST_MILLIS);
  }

  /** Looks until nothing is left; its fields are the loop's. */
  private final class Look implements BranchTaker, PipelinedBranch.Home, Runnable {
    private final EventLoop loop;
    private @Nullable Branch branch;
    private int refusals;

    Look(EventLoop loop) {
      this.loop = loop;
    }

    void after(long millis) {
      try {
        loop.schedule(this, millis, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException stopping) {
        giveUp();
      }
    }

    private void giveUp() {
      synchronized (waiting) {
        waiting.clear();
        looking = false;
      }
    }

    @Override
    public void run() {
      List<Left> now;
      synchronized (waiting) {
        now = List.copyOf(waiting);
        looking = !now.isEmpty();
      }
      Branch open = branch;
      if (now.isEmpty()) {
        if (open != null) {
          open.close();
        }
      } else if (open != null && open.alive()) {
        look(open, now);
      } else {
        branch = null;
        connector.open(loop, BackendAccount.AGENT, this, this);
      }
    }

    @Override
    public void taken(Branch opened) {
      branch = opened;
      run();
    }

    @Override
    public void refused(AlraiException reason) {
      refusals++;
      if (refusals < MOST_LOGINS) {
        after(LOGIN_PAUSE_MILLIS);
        return;
      }
      // where the mysqld is gone, its statements are as well
      log.warn("{}: statements whose connections were closed cannot be ended there", dn, reason);
      giveUp();
    }

    @Override
    public void returned(PipelinedBranch idle) {
      idle.close();
    }

    @Override
    public void lost(PipelinedBranch closed) {
      // the next look opens another
    }

    private void look(Branch open, List<Left> now) {
      Sql sql =
          Sql.of(
              "SELECT VARIABLE_VALUE FROM performance_schema.global_status"
                  + " WHERE VARIABLE_NAME='Uptime';"
                  + "SELECT id, command NOT IN ('Sleep','Killed','Connect','Quit')"
                  + " AND IFNULL(info,'') NOT LIKE 'COMMIT%'"
                  + " AND IFNULL(info,'') NOT LIKE 'ROLLBACK%'"
                  + " AND IFNULL(info,'') NOT LIKE 'XA %'"
                  + " FROM information_schema.processlist WHERE command<>'Killed' AND id IN (0");
      for (Left left : now) {
        sql = sql.words(",").number(left.id);
      }
      Answer.ofText(open, sql.words(")"))
          .whenComplete((answer, error) -> {
            if (error == null) {
              refusals = 0;
              seen(now, answer.rows());
              after(PAUSE_MILLIS);
            } else {
              open.close();
              refused(AlraiException.causeOf(error));
            }
          });
    }

    private void seen(List<Left> now, List<List<String>> rows) {
      long uptime = Long.parseLong(rows.getFirst().getFirst());
      Map<Long, Boolean> there = new HashMap<>();
      rows.stream()
          .skip(1)
          .forEach(row -> there.put(Long.parseLong(row.get(0)), row.get(1).equals("1")));
      List<Left> over = new ArrayList<>();
      List<Left> atWorkStill = new ArrayList<>();
      for (Left left : now) {
        Boolean atWork = there.get(left.id);
        left.looks++;
        if (atWork == null || inUse.test(left.id) || !sameLife(left, uptime)) {
          over.add(left);
        } else if (atWork) {
          atWorkStill.add(left);
          over.add(left);
        } else if (left.looks >= MOST_LOOKS) {
          over.add(left);
        }
      }
      synchronized (waiting) {
        waiting.removeAll(over);
      }
      if (!atWorkStill.isEmpty()) {
        end(atWorkStill);
      }
    }

    /** Another life of the mysqld gives the same numbers again. */
    private boolean sameLife(Left left, long uptimeSeconds) {
      return TimeUnit.NANOSECONDS.toSeconds(loop.ticker().nanoTime() - left.openedNanos)
          <= uptimeSeconds + 1;
    }

    /** From the account that may do nothing else. */
    private void end(List<Left> victims) {
      connector.open(
          loop,
          BackendAccount.KILL,
          this,
          new BranchTaker() {
            @Override
            public void taken(Branch opened) {
              CompletableFuture<?>[] answers =
                  victims.stream()
                      .map(left -> kill(opened, left))
                      .toArray(CompletableFuture<?>[]::new);
              CompletableFuture.allOf(answers).thenRun(opened::close);
            }

            @Override
            public void refused(AlraiException reason) {
              log.warn("{}: statements whose connections were closed are not ended", dn, reason);
            }
          });
    }

    private CompletableFuture<?> kill(Branch open, Left left) {
      ended.increment();
      log.info(
          "connection {} to the mysqld of {} was closed with a statement at work, which is ended",
          left.id,
          dn);
      return Answer.of(open, Sql.of("KILL ").number(left.id))
          .handle((ok, error) -> {
            if (error != null) {
              log.debug("{}: connection {} has ended by itself", dn, left.id, error);
            }
            return left;
          });
    }
  }
}
