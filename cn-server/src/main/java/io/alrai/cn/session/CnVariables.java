package io.alrai.cn.session;

import io.alrai.optimizer.split.Workload;
import java.util.Optional;

/**
 * Session variables that the CN keeps for itself: no mysqld is told, as its connections serve many
 * sessions. Owned as the session is.
 */
public final class CnVariables {
  private CompletionType completion = CompletionType.NO_CHAIN;
  private Optional<Workload> workload = Optional.empty();

  CnVariables() {}

  /** With the global values. */
  void begin(GlobalVariables globals) {
    completion = CompletionType.initial(globals);
    workload = Optional.empty();
  }

  /** What follows COMMIT and ROLLBACK that do not say it. */
  public CompletionType completion() {
    return completion;
  }

  /** Sets it. */
  public void completion(CompletionType type) {
    completion = type;
  }

  /** {@code workload_type}: TP, AP, or empty for AUTO. */
  public Optional<Workload> workload() {
    return workload;
  }

  /** Sets it. */
  public void workload(Optional<Workload> wish) {
    workload = wish;
  }
}
