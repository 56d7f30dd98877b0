package io.alrai.cn.command;

import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.DdlJob.Target;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What becomes of a client's statement that a mysqld answers with 1146, though the catalog has the
 * table: a DDL job has it in hand, or has brought it to another place since the statement was
 * planned. On one server the statement would have waited for the table's metadata lock. So it runs
 * again after the job. In a transaction, for whose other tables the job may wait, that would be a
 * deadlock, and is reported as one.
 */
final class MovedTables {
  private static final Pattern NO_SUCH =
      Pattern.compile("Table '([^'.]+)\\.([^']+)' doesn't exist");

  /** How often a statement is planned anew where no job is known. */
  private static final int MOST_ATTEMPTS = 50;

  /** How long a change of another CN may take to come here. */
  private static final long PAUSE_MILLIS = 20;

  private final ClientConnection connection;
  private final StatementAdmission admission;
  private int attempts;

  MovedTables(ClientConnection connection, StatementAdmission admission) {
    this.connection = connection;
    this.admission = admission;
  }

  /** Another statement begins. */
  void next() {
    attempts = 0;
  }

  /**
   * Whether a statement is to run again because of its error; nothing of it has been done then. The
   * session's thread.
   */
  boolean runsAgain(AlraiException error) {
    SessionTransaction transaction = connection.session().transaction();
    return isMoved(error)
        && attempts < MOST_ATTEMPTS
        && !transaction.open()
        && !transaction.held().tableLocks().held();
  }

  /** The client's form of the error: a deadlock in a transaction. The session's thread. */
  AlraiException told(AlraiException error) {
    return isMoved(error) && connection.session().transaction().open()
        ? new AlraiException(
            ErrorCode.ER_LOCK_DEADLOCK,
            "Deadlock found when trying to get lock; try restarting transaction: a table of it is"
                + " being changed",
            error)
        : error;
  }

  private boolean isMoved(AlraiException error) {
    return error.is(ErrorCode.ER_NO_SUCH_TABLE) && table(error).isPresent();
  }

  /** The table that the error names, if the catalog has it. */
  private Optional<Target> table(AlraiException error) {
    Matcher named = NO_SUCH.matcher(error.sentence());
    return named.matches() && catalog().table(named.group(1), named.group(2)).isPresent()
        ? Optional.of(new Target(named.group(1), named.group(2)))
        : Optional.empty();
  }

  private Catalog catalog() {
    return connection.services().gms().catalog();
  }

  /**
   * Runs a statement again, when no job has its table any more. On the event loop.
   *
   * @param sql what others see waiting
   * @param sequence of the client's next packet
   * @param again plans and runs it
   * @return completes after that, or when it will not be done
   */
  CompletableFuture<Void> runAgain(AlraiException error, byte[] sql, int sequence, Runnable again) {
    attempts++;
    // for a table that has been dropped by now there is no job, and planning reports that there is
    // none
    Target target = table(error).orElse(Target.of(""));
    if (inHand(target)) {
      return admission.behind(
          () ->
              connection
                  .session()
                  .transaction()
                  .held()
                  .admission()
                  .awaitTable(() -> !inHand(target)),
          sql,
          sequence,
          again);
    }
    EventLoop loop = connection.loop();
    CompletableFuture<Void> paused = new CompletableFuture<>();
    loop.schedule(() -> paused.complete(null), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    return admission.behind(() -> paused, sql, sequence, again);
  }

  private boolean inHand(Target target) {
    return catalog().jobs().values().stream()
        .filter(DdlJob::open)
        .flatMap(job -> job.targets().stream())
        .anyMatch(target::overlaps);
  }
}
