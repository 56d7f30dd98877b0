package io.alrai.cn.held;

import io.alrai.cn.lock.SessionAdmission;

/**
 * What a session holds while its transactions come and go. Event loop of the session.
 *
 * @param tableLocks LOCK TABLES
 * @param namedLocks GET_LOCK
 * @param temporary the connection that has the session's temporary tables
 * @param admission the session's part in the locks over the cluster
 */
public record HeldBySession(
    TableLocks tableLocks,
    NamedLocks namedLocks,
    TemporaryConnection temporary,
    SessionAdmission admission) {
  /** Lets all go without a word: the session is gone, and its mysqlds undo what is open. */
  public void abandon() {
    tableLocks.abandon();
    namedLocks.abandon();
    temporary.abandon();
    admission.abandon();
  }
}
