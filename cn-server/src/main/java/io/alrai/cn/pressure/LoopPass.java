package io.alrai.cn.pressure;

/**
 * How long a pass of an event loop has taken: from the first statement that it brought to the
 * moment at which all that had come is read. A statement that comes in a long pass has waited in a
 * socket for about as long, where nobody sees it. Event loop only.
 */
final class LoopPass {
  private final LoopTasks tasks;
  private final Runnable ended;
  private boolean begun;
  private long since;

  /**
   * None has begun.
   *
   * @param ended what follows each that has
   */
  LoopPass(LoopTasks tasks, Runnable ended) {
    this.tasks = tasks;
    this.ended = ended;
  }

  /** There is one: it begins now unless it has begun. */
  void begin(long now) {
    if (!begun) {
      begun = true;
      since = now;
      tasks.schedule(this::end, 0);
    }
  }

  /** Whether the one that has begun has taken longer than that, in nanoseconds. */
  boolean isLate(long now, long most) {
    return now - since > most;
  }

  /** When the last one began. */
  long since() {
    return since;
  }

  private void end() {
    begun = false;
    ended.run();
  }
}
