package io.alrai.cn.tx;

import io.alrai.cn.held.NamedLocks;
import io.alrai.cn.held.TemporaryConnection;
import io.alrai.cn.lock.SessionAdmission;
import io.alrai.common.error.AlraiException;
import org.jspecify.annotations.Nullable;

/** What ends a session with a connection that it kept. Event loop only. */
public final class LostConnections {
  private LostConnections() {}

  /** Why the session cannot go on; null for no reason. */
  public static @Nullable AlraiException reason(SessionTransaction transaction) {
    if (transaction.held().namedLocks().lost()) {
      return NamedLocks.gone();
    }
    if (transaction.held().temporary().lost()) {
      return TemporaryConnection.gone();
    }
    return transaction.held().admission().lost() ? SessionAdmission.gone() : null;
  }
}
