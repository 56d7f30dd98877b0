package io.alrai.cn.columnar.remote;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A query on a column node whose rows one thread waits for; another one looks after it. */
final class AwaitedCall {
  /** What nobody has done yet. */
  private static final long NOTHING = -1;

  private final long id;
  private final Consumer<String> cancel;
  private final LongSupplier nanos;
  private volatile long sinceNanos;
  private volatile boolean waits;

  // of the thread that looks
  private long seenNanos;
  private long done = NOTHING;
  private long doneNanos;
  private int unknown;
  private boolean told;

  /**
   * One for which nobody waits yet.
   *
   * @param cancel ends it, for a reason
   */
  AwaitedCall(long id, Consumer<String> cancel, LongSupplier nanos) {
    this.id = id;
    this.cancel = cancel;
    this.nanos = nanos;
  }

  long id() {
    return id;
  }

  /** Waits for what is next. */
  boolean next(BooleanSupplier waiting) {
    sinceNanos = nanos.getAsLong();
    waits = true;
    try {
      return waiting.getAsBoolean();
    } finally {
      waits = false;
    }
  }

  void cancel(String why) {
    cancel.accept(why);
  }

  /** For how long the reader has waited now; 0 when it does not. Of who looks, as what follows. */
  long silence(long now) {
    long since = sinceNanos;
    if (!waits) {
      return 0;
    }
    if (since != seenNanos) {
      seenNanos = since;
      done = NOTHING;
      unknown = 0;
      told = false;
    }
    return now - since;
  }

  /** Its node does not know it; how often that was said in a row. */
  int noteUnknown() {
    return ++unknown;
  }

  /** Its node has done so much of it; for how long that has been the same. */
  long standsStill(long now, long doneNow) {
    unknown = 0;
    if (doneNow != done) {
      done = doneNow;
      doneNanos = now;
    }
    return now - doneNanos;
  }

  /** Its long work is to be logged; true the first time in a wait. */
  boolean noteTold() {
    boolean first = !told;
    told = true;
    return first;
  }
}
