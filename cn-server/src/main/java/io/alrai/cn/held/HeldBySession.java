package io.alrai.cn.held;

import io.alrai.cn.lock.SessionAdmission;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.turn.SessionTurn;
import io.alrai.cn.tx.branch.Savepoints;
import java.util.function.BooleanSupplier;

/**
 * What a session holds while its transactions come and go. Event loop of the session.
 *
 * @param tableLocks LOCK TABLES
 * @param namedLocks GET_LOCK
 * @param temporary the connection that has the session's temporary tables
 * @param admission the session's part in the locks over the cluster
 * @param turn its statement's place under a CCL rule
 * @param work its statement's place among those at work
 */
public record HeldBySession(
    TableLocks tableLocks,
    NamedLocks namedLocks,
    TemporaryConnection temporary,
    SessionAdmission admission,
    SessionTurn turn,
    SessionTurn work) {
  /**
   * What a new session holds: nothing.
   *
   * @param savepoints of the session's transaction
   * @param inXa whether the session is within XA START and what ends it
   */
  public static HeldBySession of(
      TransactionSource source, Savepoints savepoints, BooleanSupplier inXa) {
    return new HeldBySession(
        new TableLocks(source),
        new NamedLocks(source),
        new TemporaryConnection(source, savepoints, inXa),
        new SessionAdmission(source.admission(), source.loop()),
        new SessionTurn(source.loop(), System::nanoTime),
        new SessionTurn(source.loop(), System::nanoTime));
  }

  /**
   * KILL QUERY of what waits to be let in.
   *
   * @return whether something waited
   */
  public boolean interrupt() {
    // it waits for one of them at a time
    return admission.interrupt() || turn.interrupt() || work.interrupt();
  }

  /** Lets all go without a word: the session is gone, and its mysqlds undo what is open. */
  public void abandon() {
    tableLocks.abandon();
    namedLocks.abandon();
    temporary.abandon();
    admission.abandon();
    turn.interrupt();
    work.interrupt();
  }

  /** Its statement has ended: gives its places to others. */
  public void leaveTurns() {
    turn.leave();
    work.leave();
  }
}
