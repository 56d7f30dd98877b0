package io.alrai.cn.pressure;

/** What an event loop does for its places. Called on that loop. */
interface LoopTasks {
  /** Runs something after what runs now, before the loop looks for bytes again. */
  void execute(Runnable task);

  /**
   * Runs something later.
   *
   * @param nanos 0: as soon as what has come in this pass of the loop is read; from within a task,
   *     what comes in the next one
   */
  void schedule(Runnable task, long nanos);
}
