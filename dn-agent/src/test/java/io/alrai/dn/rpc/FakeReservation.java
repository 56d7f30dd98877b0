package io.alrai.dn.rpc;

import io.alrai.dn.backend.Eventually;
import io.alrai.dn.group.Reservation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** Allows all, or nothing until it is renewed. */
final class FakeReservation implements Reservation {
  private final List<Runnable> waiting = new CopyOnWriteArrayList<>();
  private volatile boolean ended;

  /** Allows nothing. */
  void end() {
    ended = true;
  }

  /** Allows all. */
  void renew() {
    ended = false;
    waiting.forEach(Runnable::run);
    waiting.clear();
  }

  /** Until so many wait. */
  void awaitWaiting(int count) throws Exception {
    Eventually.await(count + " that wait", () -> waiting.size() >= count);
  }

  @Override
  public boolean allows(long clock) {
    return !ended;
  }

  @Override
  public void whenAllowed(long clock, Executor on, Runnable then) {
    waiting.add(() -> on.execute(then));
  }
}
