package io.alrai.cn.shard;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the CN itself computes for a session's statement, so that KILL and the client's leaving end
 * it. Thread-safe.
 */
public final class OwnWork {
  private final Set<Registration> running = ConcurrentHashMap.newKeySet();

  /** Work at work. */
  public final class Registration implements AutoCloseable {
    private final Runnable end;

    private Registration(Runnable end) {
      this.end = end;
    }

    @Override
    public void close() {
      running.remove(this);
    }
  }

  /**
   * Work begins.
   *
   * @param end ends it; any thread, must not wait, may come several times
   */
  public Registration begin(Runnable end) {
    Registration registration = new Registration(end);
    running.add(registration);
    return registration;
  }

  /** Ends all that is at work. */
  public void end() {
    running.forEach(registration -> registration.end.run());
  }
}
