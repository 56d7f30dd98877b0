package io.alrai.cn.admin;

import io.alrai.cn.statement.StatementRun;
import io.alrai.optimizer.api.AdminStatement;

/** Runs statements by what all sessions share. Called on virtual threads. Thread-safe. */
public interface AdminExecutor {
  /**
   * Runs a statement to its end. The caller has asked {@link XaGuard}.
   *
   * @throws io.alrai.common.error.AlraiException what the client gets as an error
   */
  void run(StatementRun run, AdminStatement.OnCn statement);
}
