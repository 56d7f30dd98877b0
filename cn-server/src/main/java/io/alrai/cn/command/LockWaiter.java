package io.alrai.cn.command;

import io.alrai.cn.lock.SessionAdmission;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.Session;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Shows in SHOW PROCESSLIST what a session waits for. Event loop only. */
final class LockWaiter implements SessionAdmission.Waiter {
  private final Session session;
  private final LongSupplier wallMillis;
  private @Nullable Activity before;

  LockWaiter(Session session, LongSupplier wallMillis) {
    this.session = session;
    this.wallMillis = wallMillis;
  }

  @Override
  public long patienceSeconds() {
    return session.variables().settings().lockWaitSeconds();
  }

  @Override
  public void waits(String state) {
    Activity then = before == null ? session.activity() : before;
    before = then;
    session.activity(then.waiting(state, wallMillis.getAsLong()));
  }

  @Override
  public void goesOn() {
    Activity then = before;
    before = null;
    if (then != null) {
      session.activity(then);
    }
  }
}
