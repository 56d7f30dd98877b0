package io.alrai.dn.gate;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A request to an agent. It is answered, or fails when the agent dies, once. */
final class Call<T> {
  private final World world;
  private final LongSupplier delay;
  private final Consumer<HlcTimestamp> callerClock;
  private final Consumer<T> answered;
  private final Runnable failed;
  private boolean done;

  /**
   * A call.
   *
   * @param delay how long messages between the two take
   * @param callerClock takes the clock of the answer
   * @param answered runs at the caller's
   * @param failed runs at the caller's: nobody knows how far the request came
   */
  Call(
      World world,
      LongSupplier delay,
      Consumer<HlcTimestamp> callerClock,
      Consumer<T> answered,
      Runnable failed) {
    this.world = world;
    this.delay = delay;
    this.callerClock = callerClock;
    this.answered = answered;
    this.failed = failed;
  }

  /** Sends the request. */
  void send(Runnable arrives) {
    world.after(delay.getAsLong(), arrives);
  }

  void answer(T value, HlcTimestamp agentClock) {
    if (!done) {
      done = true;
      world.after(
          delay.getAsLong(),
          () -> {
            if (follows(agentClock)) {
              answered.accept(value);
            } else {
              failed.run();
            }
          });
    }
  }

  /** A clock that is too far ahead ends the connection, and the answer is lost. */
  private boolean follows(HlcTimestamp agentClock) {
    try {
      callerClock.accept(agentClock);
      return true;
    } catch (AlraiException ahead) {
      world.refusals++;
      return false;
    }
  }

  void fail() {
    if (!done) {
      done = true;
      world.after(delay.getAsLong(), failed);
    }
  }
}
