package io.alrai.cn.admin;

import io.alrai.cn.tx.ClientXa;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Targets;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminTraits;
import io.alrai.optimizer.api.Planned.Work;

/** What a session may run between XA START and what ends that. Whoever has the session. */
public final class XaGuard {
  private XaGuard() {}

  /**
   * Checks a statement over rows, or another one.
   *
   * @throws io.alrai.common.error.AlraiException 1399 where it does not fit the state, 1614 where
   *     the transaction has been rolled back
   */
  public static void check(ClientXa xa, Work work) {
    if (!xa.running()) {
      return;
    }
    switch (work) {
      case Work.Data(_, Plan.Select select)
          when select.targets() instanceof Targets.AnyDn any && !any.tables() -> {}
      case Work.Data _ -> requireActive(xa);
      case Work.Administrative admin -> check(xa, admin.statement());
    }
  }

  /** Checks a statement that the CN runs by itself. */
  public static void check(ClientXa xa, AdminStatement statement) {
    if (!xa.running()) {
      return;
    }
    switch (AdminTraits.of(statement).inXa()) {
      case NEVER -> throw xa.wrongState();
      case ACTIVE -> requireActive(xa);
      case ANY -> {}
    }
  }

  private static void requireActive(ClientXa xa) {
    switch (xa.state()) {
      case IDLE -> throw xa.wrongState();
      case ROLLBACK_ONLY -> throw ClientXa.rolledBack();
      case ACTIVE, NON_EXISTING -> {}
    }
  }
}
