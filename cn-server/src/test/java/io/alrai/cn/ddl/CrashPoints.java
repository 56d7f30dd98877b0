package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;

/** Counts the points at which a CN may die, and lets it die at one of them. */
final class CrashPoints {
  private int armedAt = Integer.MAX_VALUE;
  private int passed;
  private boolean dead;
  private int writes;
  private int lost = -1;
  private AlraiException loss = AlraiException.interruption();
  private boolean silent;

  /** The death of a CN: nothing that it would still do takes place. */
  static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** From now on counts anew and dies at that point, the first being 1. */
  synchronized void arm(int point) {
    passed = 0;
    dead = false;
    armedAt = point;
  }

  /** Never dies any more. */
  synchronized void disarm() {
    dead = false;
    armedAt = Integer.MAX_VALUE;
  }

  /**
   * From now on counts writes anew; the answer of one of them is lost, though it is done.
   *
   * @param write the first is 1
   * @param by what whoever waits for it hears instead
   */
  synchronized void loseAnswer(int write, AlraiException by) {
    lost = writes + write;
    loss = by;
  }

  synchronized AlraiException loss() {
    return loss;
  }

  /** Whether the answer to the last write is lost. */
  synchronized boolean isLost() {
    return writes == lost;
  }

  /** Whether that write is still to come. */
  synchronized boolean stillLoses() {
    return writes < lost;
  }

  /** Whether the GMS answers nobody. */
  synchronized void silent(boolean now) {
    silent = now;
  }

  synchronized boolean silent() {
    return silent;
  }

  synchronized boolean dead() {
    return dead;
  }

  /** How often the GMS was to change the catalog or a job. */
  synchronized int writes() {
    return writes;
  }

  synchronized void write() {
    writes++;
  }

  synchronized void point() {
    passed++;
    if (dead || passed == armedAt) {
      dead = true;
      throw new Death();
    }
  }
}
