package io.alrai.cn.settings;

import io.alrai.common.error.AlraiException;
import org.jspecify.annotations.Nullable;

/** An account whose use is bounded. Thread-safe. */
public interface UsedAccount {
  /**
   * A statement of one of its clients is about to run.
   *
   * @param asked whether it is one that its client has sent, not one that EXECUTE names
   * @param kind null for what only Alrai has
   * @throws AlraiException 1226 when it has had so many in this hour
   */
  void statement(boolean asked, @Nullable CountedStatement kind);

  /**
   * A session of it becomes one that is counted.
   *
   * @param registers makes it so; run once, before this returns
   */
  void enters(Runnable registers);

  /** How many sessions it may have at a time; 0 where it has no limit of its own. */
  long mostSessions();
}
