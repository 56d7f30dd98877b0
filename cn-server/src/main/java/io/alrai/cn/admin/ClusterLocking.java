package io.alrai.cn.admin;

import io.alrai.cn.lock.SessionAdmission;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.thread.Pause;
import io.alrai.dn.link.ClientPrepared;
import io.alrai.executor.task.Cancellation;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.ClusterLock;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.LockStage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * FLUSH TABLES WITH READ LOCK, LOCK INSTANCE FOR BACKUP, and their ends. A lock is entered in the
 * catalog; the session has it when every CN has said that nothing is at work there any more that it
 * holds off, and the mysqlds have nothing left of CNs that are gone. First statements are held off
 * and waited for, then commits: a statement may wait for a row that only a COMMIT lets go. Virtual
 * threads.
 */
final class ClusterLocking {
  private static final Logger log = LoggerFactory.getLogger(ClusterLocking.class);
  private static final long POLL_MILLIS = 5;
  private static final long QUIET_POLL_MILLIS = 20;

  /**
   * A mysqld gives the same rows of innodb_trx again, however old they are, until nobody has read
   * it for 100 ms; several may ask at the same time, so that the rests are not alike.
   */
  private static final long LEAST_REST_MILLIS = 150;

  private static final long MOST_REST_MILLIS = 400;

  /** What runs now in a transaction with locks, and what is prepared or being committed. */
  private static final Sql AT_WORK =
      Sql.of(
          "SELECT SUM(x.trx_mysql_thread_id = 0),"
              + " SUM(x.trx_lock_structs > 0 AND t.PROCESSLIST_COMMAND <> 'Sleep')"
              + " FROM information_schema.innodb_trx x"
              + " LEFT JOIN performance_schema.threads t ON t.PROCESSLIST_ID = x.trx_mysql_thread_id");

  private final CnParts parts;

  ClusterLocking(CnParts parts) {
    this.parts = parts;
  }

  /** FLUSH TABLES WITH READ LOCK. */
  void readLock(StatementRun run) {
    SessionTransaction transaction = run.session().transaction();
    if (transaction.held().tableLocks().held()) {
      throw TableLocking.underLocks();
    }
    CnAdmin.commitOpen(run);
    if (!transaction.held().admission().hasReadLock()) {
      take(run, true);
    }
  }

  /** LOCK INSTANCE FOR BACKUP. */
  void backupLock(StatementRun run) {
    if (!run.session().transaction().held().admission().hasBackupLock()) {
      take(run, false);
    }
  }

  /**
   * Gives one of them back, if the session has it; if the GMS cannot be reached now, it learns that
   * later.
   */
  void giveBack(StatementRun run, boolean read) {
    SessionAdmission admission = run.session().transaction().held().admission();
    long id = run.shards().onLoop(() -> CompletableFuture.completedFuture(admission.release(read)));
    if (id == 0) {
      return;
    }
    try {
      parts.gms().submit(new CatalogCommand.DropClusterLock(id, parts.node(), 0));
    } catch (AlraiException e) {
      log.info("lock {} goes later: {}", id, e.sentence());
    } finally {
      parts.admission().disown(id);
    }
  }

  private void take(StatementRun run, boolean read) {
    long id = parts.gms().reserve("cluster-lock", 1).first();
    SessionAdmission admission = run.session().transaction().held().admission();
    parts.admission().own(id);
    boolean done = false;
    try {
      run.shards()
          .ownWork()
          .run(cancellation -> {
            new Taking(id, cancellation, run.session().variables().settings().lockWaitSeconds())
                .take(read);
            return id;
          });
      run.shards()
          .onLoop(() -> {
            admission.hold(id, read);
            return CompletableFuture.completedFuture(id);
          });
      done = true;
    } finally {
      if (!done) {
        parts.admission().disown(id);
      }
    }
  }

  /** One lock on its way. */
  private final class Taking {
    private final long id;
    private final Cancellation cancellation;
    private final long endNanos;

    Taking(long id, Cancellation cancellation, long patienceSeconds) {
      this.id = id;
      this.cancellation = cancellation;
      this.endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
    }

    void take(boolean read) {
      LockStage first = read ? LockStage.STATEMENTS : LockStage.DEFINITIONS;
      LockStage last = read ? LockStage.COMMITS : LockStage.DEFINITIONS;
      parts.gms().submit(new CatalogCommand.AddClusterLock(id, parts.node(), first));
      reachAndAdvance(last);
      if (read) {
        reachAndAdvance(last);
      }
      while (parts.gms().catalog().jobs().values().stream().anyMatch(DdlJob::open)) {
        pause(QUIET_POLL_MILLIS);
      }
      if (read) {
        for (DnId dn : parts.queries().links().dns()) {
          while (!isQuiet(dn)) {
            pause(ThreadLocalRandom.current().nextLong(LEAST_REST_MILLIS, MOST_REST_MILLIS));
          }
        }
      }
    }

    /** Until all CNs have reached the stage where it is; then it goes on to the next. */
    private void reachAndAdvance(LockStage next) {
      while (!isReached() || !advances(next)) {
        pause(POLL_MILLIS);
      }
    }

    /** As far as this CN can see. */
    private boolean isReached() {
      Catalog catalog = parts.gms().catalog();
      ClusterLock lock =
          catalog.locks().stream()
              .filter(each -> each.id() == id)
              .findFirst()
              .orElseThrow(() ->
                  new AlraiException(
                      ErrorCode.ALRAI_NODE_UNAVAILABLE,
                      "this CN was cut off from the GMS for too long to get the lock"));
      long now = parts.wallMillis().getAsLong();
      return catalog.computeNodes().stream()
          .allMatch(node -> lock.reached().contains(node.id()) || node.leaseUntilMillis() <= now);
    }

    private boolean advances(LockStage next) {
      try {
        parts.gms().submit(new CatalogCommand.AdvanceClusterLock(id, next, 0));
        return true;
      } catch (AlraiException e) {
        if (!e.is(ErrorCode.ALRAI_CATALOG_CONFLICT)) {
          throw e;
        }
        return false;
      }
    }

    /**
     * What is prepared is looked for first: what is committed meanwhile is seen at work. What
     * clients have prepared stays as it is: their XA COMMITs are held off.
     */
    private boolean isQuiet(DnId dn) {
      Set<String> clients = preparedByClients();
      List<String> prepared =
          parts.queries().query(dn, "", Sql.of("XA RECOVER")).stream()
              .map(row -> gtrid(String.valueOf(row.get(1)), String.valueOf(row.get(3))))
              .toList();
      List<String> atWork = parts.queries().query(dn, "", AT_WORK).getFirst();
      return clients.containsAll(prepared)
          && number(atWork.get(0)) <= prepared.size()
          && number(atWork.get(1)) == 0;
    }

    private Set<String> preparedByClients() {
      Set<String> all = new HashSet<>();
      for (DnId dn : parts.queries().links().dns()) {
        parts
            .queries()
            .query(dn, "", ClientPrepared.select(""))
            .forEach(row -> all.add(row.getFirst()));
      }
      return all;
    }

    private static String gtrid(String length, String data) {
      return data.substring(0, Math.min(data.length(), Integer.parseInt(length)));
    }

    private static long number(@Nullable String text) {
      return text == null ? 0 : Long.parseLong(text);
    }

    private void pause(long millis) {
      cancellation.check();
      if (System.nanoTime() - endNanos >= 0) {
        throw new AlraiException(
            ErrorCode.ER_LOCK_WAIT_TIMEOUT,
            "Lock wait timeout exceeded; try restarting transaction");
      }
      Pause.ofMillis(millis);
    }
  }
}
