package io.alrai.executor.timeslice;

import io.alrai.common.thread.KernelPriority;

/** A kind of thread of the scheduler. Priorities cannot be raised again, so each has its own. */
enum Seat {
  /** Like any other thread; where nothing is isolated. */
  EQUAL(KernelPriority.NORMAL),
  /** Gives way to others. */
  ISOLATED(KernelPriority.LOW);

  private final KernelPriority priority;

  Seat(KernelPriority priority) {
    this.priority = priority;
  }

  KernelPriority priority() {
    return priority;
  }
}
