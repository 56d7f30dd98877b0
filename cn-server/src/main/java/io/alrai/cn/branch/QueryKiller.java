package io.alrai.cn.branch;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the statements that a session runs on its branches, each by a KILL QUERY on its mysqld. The
 * branch does nothing else until that is answered; the mysqld leaves a connection alone that is
 * idle by then. On the session's event loop.
 */
public final class QueryKiller {
  private static final Logger log = LoggerFactory.getLogger(QueryKiller.class);

  /**
   * After that, at most, the victim is closed: its mysqld may be gone, or the way to it. In
   * milliseconds.
   */
  public static final long MOST_MILLIS = 5_000;

  /** Where branches for the KILLs come from. */
  public interface Source {
    /** Gives one, or refuses; the taker may be called before this returns. */
    void take(DnId dn, BranchTaker taker);
  }

  private final Source source;

  /** For the branches of a session. */
  public QueryKiller(BranchSource source) {
    this((dn, taker) -> source.take(dn, BackendAccount.KILL, "", taker));
  }

  public QueryKiller(Source source) {
    this.source = source;
  }

  /**
   * Kills what runs now.
   *
   * @return whether there was something; work that has not begun yet is not known here
   */
  public boolean kill(@Nullable Branch forwarded, OwnWork own, Collection<Branch> atWork) {
    return kill(forwarded, own, atWork, MOST_MILLIS);
  }

  /**
   * Kills what runs now.
   *
   * @param mostMillis after which a branch is closed whose KILL is not answered
   * @return whether there was something; work that has not begun yet is not known here
   */
  public boolean kill(
      @Nullable Branch forwarded, OwnWork own, Collection<Branch> atWork, long mostMillis) {
    boolean found = own.end();
    if (forwarded != null) {
      kill(forwarded, mostMillis);
      found = true;
    }
    for (Branch branch : atWork) {
      kill(branch, mostMillis);
      found = true;
    }
    return found;
  }

  /** Kills what a branch runs now, if anything. */
  public void kill(Branch victim) {
    kill(victim, MOST_MILLIS);
  }

  private void kill(Branch victim, long mostMillis) {
    if (victim.serverConnectionId() == 0) {
      victim.interrupt();
      return;
    }
    victim.hold();
    boolean[] over = new boolean[1];
    ScheduledFuture<?> bound =
        victim
            .eventLoop()
            .schedule(
                () -> {
                  if (!over[0]) {
                    over[0] = true;
                    log.warn("a KILL on {} is not answered: its victim is closed", victim.dn());
                    victim.close();
                    victim.resume();
                  }
                },
                mostMillis,
                TimeUnit.MILLISECONDS);
    Runnable resumed =
        () -> {
          bound.cancel(false);
          if (!over[0]) {
            over[0] = true;
            victim.resume();
          }
        };
    BranchTaker taker =
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            if (over[0] || !victim.busy()) {
              branch.release();
              resumed.run();
              return;
            }
            branch.send(
                Commands.query(
                    ByteBufAllocator.DEFAULT,
                    Sql.of("KILL QUERY ").number(victim.serverConnectionId())),
                ReplyKind.STATUS,
                new StatusSink(error -> {
                  branch.release();
                  resumed.run();
                }));
            branch.flush();
          }

          @Override
          public void refused(AlraiException reason) {
            victim.close();
            resumed.run();
          }
        };
    take(victim.dn(), taker);
  }

  private void take(DnId dn, BranchTaker taker) {
    try {
      source.take(dn, taker);
    } catch (AlraiException gone) {
      taker.refused(gone); // there is no way to that DN any more
    }
  }
}
