package io.alrai.cn.command;

import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.Plan;
import io.alrai.optimizer.api.Planned.Work;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Which statements of a client run again instead of failing: those whose table was being moved, and
 * reads whose connection to a DN broke before the client had any of their answer, as well as all
 * that found only connections on which they were not read, and writes of which it is known that
 * nothing stays. These run again as a whole, with a new snapshot where they need one, and their
 * connections wait for whoever leads the DN then: not in a transaction, whose snapshot is lost, and
 * not where KILL has ended the statement. What a mysqld may die of is not taken from one to the
 * next for ever.
 */
final class StatementRepeats {
  /** How often one is begun in all. */
  private static final int MOST_BROKEN = 4;

  /** Other connections to a process that has died are known to be broken by then. */
  private static final long FIRST_PAUSE_MILLIS = 20;

  /** An agent whose mysqld has died, but does not know it yet, needs longer. */
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final ClientConnection connection;
  private final StatementAdmission admission;
  private final MovedTables moved;
  private int broken = 1;

  /** It was not answered by members that follow, and runs again at the leaders. */
  private boolean left;

  StatementRepeats(ClientConnection connection, StatementAdmission admission) {
    this.connection = connection;
    this.admission = admission;
    this.moved = new MovedTables(connection, admission);
  }

  /** Another statement begins. */
  void next() {
    moved.next();
    broken = 1;
    left = false;
    connection.session().reads().replicas().next();
  }

  /** Whether work of which the client has nothing has done nothing. */
  static boolean isPlainRead(Work work) {
    return work instanceof Work.Data(_, Plan.Select select)
        && !select.locking()
        && !select.ofSession()
        && !RoutinePath.calls(work);
  }

  /**
   * Whether a statement is to run again because of its error; the client has nothing of its answer.
   * The session's thread.
   *
   * @param nothingDone whether it has done nothing then, also where the error does not say so
   */
  boolean runsAgain(AlraiException error, boolean nothingDone) {
    boolean nothing = nothingDone || error.nothingDone();
    return nothing && leavesReplicas(error)
        || moved.runsAgain(error)
        || nothing && isBroken(error) && goesOn();
  }

  /** Whether it was sent to members that follow, and shall be answered by leaders. */
  private boolean leavesReplicas(AlraiException error) {
    SessionTransaction transaction = connection.session().transaction();
    boolean there =
        transaction.open()
            ? isBroken(error) && transaction.views().replicas().lose(error)
            : transaction.reads().replicas().leave()
                && !error.is(ErrorCode.ER_QUERY_TIMEOUT)
                && !error.is(ErrorCode.ALRAI_REPLICA_DELAYED);
    left = there && !connection.end().isToEnd() && !connection.closed();
    if (left) {
      connection.services().clients().statementCounts().replicaFallbacks().increment();
    }
    return left;
  }

  /** Whether it is the error of a connection that broke, or of a mysqld that ends. */
  private static boolean isBroken(AlraiException error) {
    return error.isLostConnection() || error.is(ErrorCode.ER_SERVER_SHUTDOWN);
  }

  private boolean goesOn() {
    SessionTransaction transaction = connection.session().transaction();
    return broken < MOST_BROKEN
        && !transaction.open()
        && !transaction.held().tableLocks().held()
        && !connection.end().isToEnd()
        && !connection.closed();
  }

  /** The client's form of an error. The session's thread. */
  AlraiException told(AlraiException error) {
    return connection.end().told(moved.told(error));
  }

  /**
   * Runs a statement again, as soon as that makes sense. On the event loop.
   *
   * @param sql what others see waiting
   * @param sequence of the client's next packet
   * @param again plans and runs it
   * @return completes after that, or when it will not be done
   */
  CompletableFuture<Void> runAgain(AlraiException error, byte[] sql, int sequence, Runnable again) {
    if (left) {
      left = false;
      return admission.behind(() -> CompletableFuture.completedFuture(null), sql, sequence, again);
    }
    return isBroken(error)
        ? admission.behind(this::pause, sql, sequence, again)
        : moved.runAgain(error, sql, sequence, again);
  }

  private CompletableFuture<Void> pause() {
    long millis =
        Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * Math.powExact(10L, broken - 1));
    broken++;
    connection.services().clients().statementCounts().statementsAgain().increment();
    CompletableFuture<Void> paused = new CompletableFuture<>();
    Runnable over =
        () -> {
          if (connection.end().isToEnd()) {
            paused.completeExceptionally(AlraiException.interruption());
          } else {
            paused.complete(null);
          }
        };
    connection.loop().schedule(over, millis, TimeUnit.MILLISECONDS);
    return paused;
  }
}
