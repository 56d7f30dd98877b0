package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;

/**
 * The rules of the gate, one predicate each. They are a class of their own so that a test can break
 * one and show that its simulator notices.
 */
class GateRules {
  /** Rule 1: something with a larger stamp may be visible already, so S cannot be shown. */
  boolean refuses(HlcTimestamp fence, HlcTimestamp snapshot) {
    return fence.compareTo(snapshot) > 0;
  }

  /** Rule 2: a prepared transaction that may still commit at or below S is pushed. */
  boolean mustPush(HlcTimestamp lowerBound, HlcTimestamp snapshot) {
    return lowerBound.compareTo(snapshot) <= 0;
  }

  /** Rule 3: the cut waits until all that must be in has arrived. */
  boolean mayCut(boolean everythingArrived) {
    return everythingArrived;
  }

  /** Rule 3: what has arrived and is not acknowledged is before the cut if its stamp is. */
  boolean isIn(HlcTimestamp stamp, HlcTimestamp snapshot) {
    return stamp.compareTo(snapshot) <= 0;
  }

  /** Rule 3: while S waited for its cut, something above it became visible or was submitted. */
  boolean overtakes(HlcTimestamp fence, HlcTimestamp snapshot) {
    return fence.compareTo(snapshot) > 0;
  }

  /**
   * Rule 3: what arrives between OPEN(S) and its cut is in the view, so it is stamped at or below
   * S.
   */
  HlcTimestamp stampBeforeCut(HlcTimestamp advanced, HlcTimestamp lowestWaiting) {
    return advanced.compareTo(lowestWaiting) <= 0 ? advanced : lowestWaiting;
  }

  /** Rule 3: what depends on more than S cannot be stamped at or below S. */
  boolean dependsBeyond(HlcTimestamp dependency, HlcTimestamp snapshot) {
    return dependency.compareTo(snapshot) > 0;
  }

  /** Rule 3: a decided commit above S is kept from the mysqld while S waits for its cut. */
  boolean withholds(HlcTimestamp commitTs, HlcTimestamp lowestWaiting) {
    return commitTs.compareTo(lowestWaiting) > 0;
  }

  /** Rule 4: nothing after the cut becomes visible before its views are open. */
  boolean holdsAcks() {
    return true;
  }

  /**
   * Something arrived that an earlier cut should have had before it.
   *
   * @throws IllegalStateException always: it reached the mysqld past the gate
   */
  void passedBy(Arrival arrival, HlcTimestamp stamp, HlcTimestamp cutThrough) {
    throw new IllegalStateException(
        arrival + " is stamped " + stamp + ", but a view at " + cutThrough + " was cut before");
  }
}
