package io.alrai.cn.statement;

/**
 * A statement whose shards have been asked on the event loop. The rest, {@link #finish}, needs no
 * thread of its own when all answers are small and complete; otherwise it belongs on a virtual
 * thread.
 */
public interface StartedStatement {
  /** Runs an action once, now or later, when every shard has answered. Event loop only. */
  void whenAnswered(Runnable action);

  /** Whether {@link #finish} never waits: all answers are there, small, and none is an error. */
  boolean isShort();

  /**
   * The rest of {@link DataExecutor#run}.
   *
   * @throws io.alrai.common.error.AlraiException what the client gets as an error
   */
  void finish();
}
