package io.alrai.dn.mysqld;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.time.Backoff;
import io.alrai.dn.mysqld.MysqldException.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one server running: starts it, looks whether it answers, starts it again when it died, ends
 * it in order. Holds the lock of the instance's directory from {@link #start} to the end of {@link
 * #stop}; when this process dies, the server goes with it ({@link MysqldProcess}), by SIGKILL: a
 * process that wants an ordered end calls {@link #stop} in a shutdown hook.
 *
 * <p>All methods may be called from any thread but the listener's. One thread of its own does the
 * work; it owns everything but the fields marked below.
 */
public final class MysqldSupervisor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MysqldSupervisor.class);
  private static final Duration LEFTOVER_BOUND = Duration.ofSeconds(30);
  private static final Duration PROBE_BOUND = Duration.ofSeconds(2);

  private final MysqldInstance instance;
  private final MysqldListener listener;
  private final MysqldAttendant attendant;
  private final SupervisorBounds bounds;
  private final Backoff backoff = new Backoff();
  private final CompletableFuture<Void> firstUp = new CompletableFuture<>();
  private final Object monitor = new Object();

  @GuardedBy("monitor")
  private MysqldState state = MysqldState.NEW;

  @GuardedBy("monitor")
  private StopRequest request = StopRequest.NONE;

  @GuardedBy("monitor")
  private @Nullable MysqldProcess process;

  /** Whether that process was ended for a new one. */
  @GuardedBy("monitor")
  private boolean renewed;

  @GuardedBy("monitor")
  private @Nullable Thread thread;

  private enum StopRequest {
    NONE,
    ORDERED,
    KILL
  }

  /** With the standard bounds and nothing but the server. */
  public MysqldSupervisor(MysqldInstance instance, MysqldListener listener) {
    this(instance, listener, MysqldAttendant.none(), SupervisorBounds.standard());
  }

  /** Starts nothing yet. */
  public MysqldSupervisor(
      MysqldInstance instance,
      MysqldListener listener,
      MysqldAttendant attendant,
      SupervisorBounds bounds) {
    this.instance = instance;
    this.listener = listener;
    this.attendant = attendant;
    this.bounds = bounds;
  }

  /**
   * Starts the server, after ending one that an earlier process left behind, and returns when it
   * answers. A server that dies later is started again for as long as it takes.
   *
   * @throws MysqldException why it does not start; nothing runs then, and this supervisor is spent
   */
  public void start() {
    synchronized (monitor) {
      if (state != MysqldState.NEW) {
        throw new IllegalStateException("start() was called before: " + state);
      }
      PathLock lock = MysqldInstance.lock(instance.files());
      transition(MysqldState.STARTING, "asked to");
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("mysqld-" + instance.config().serverId())
              .start(() -> run(lock));
    }
    try {
      firstUp.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof MysqldException failure) {
        throw new MysqldException(failure.reason(), failure.sentence(), failure);
      }
      throw e;
    }
  }

  /**
   * Ends the server in order (SIGTERM, and SIGKILL after the bound or when it cannot be drained);
   * returns when it is gone.
   */
  public void stop() {
    end(StopRequest.ORDERED);
  }

  /** Ends the server at once (SIGKILL) and for good; returns when it is gone. */
  public void stopNow() {
    end(StopRequest.KILL);
  }

  /** Calls {@link #stop}. */
  @Override
  public void close() {
    stop();
  }

  /** Lets the server die as in a crash (SIGKILL); it is started again. */
  public void crash() {
    synchronized (monitor) {
      if (process != null) {
        process.kill();
      }
    }
  }

  /**
   * As {@link #crash}, by somebody who wants another life of it: nothing has failed, and one that
   * was up is started again without a pause, however often that happens.
   */
  public void renew() {
    synchronized (monitor) {
      if (process != null && process.isAlive()) {
        renewed = true;
        process.kill();
      }
    }
  }

  /** Where the server answers, whether it runs or not. */
  public Path socketPath() {
    return instance.socketPath();
  }

  /** What is supervised. */
  public MysqldInstance instance() {
    return instance;
  }

  /** Now. */
  public MysqldState state() {
    synchronized (monitor) {
      return state;
    }
  }

  /** The server's process number, while it runs. */
  public OptionalLong pid() {
    synchronized (monitor) {
      return process != null && process.isAlive()
          ? OptionalLong.of(process.pid())
          : OptionalLong.empty();
    }
  }

  private void end(StopRequest how) {
    Thread running;
    synchronized (monitor) {
      if (state == MysqldState.NEW) {
        transition(MysqldState.STOPPED, "never started");
      }
      if (request != StopRequest.KILL) {
        request = how;
      }
      monitor.notifyAll();
      running = thread;
    }
    if (running == null) {
      return;
    }
    try {
      running.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MysqldException(Reason.INTERRUPTED, "interrupted while stopping " + instance, e);
    }
  }

  private void transition(MysqldState next, String reason) {
    synchronized (monitor) {
      if (!state.mayBecome(next)) {
        throw new IllegalStateException(instance + ": " + state + " cannot become " + next);
      }
      LOG.info("{}: {} -> {} ({})", instance, state, next, reason);
      state = next;
    }
  }

  // ---- the supervising thread ----

  private void run(PathLock lock) {
    try (lock) {
      LeftoverMysqld.end(instance.files(), LEFTOVER_BOUND);
      supervise();
    } catch (InterruptedException e) {
      LOG.warn("{}: supervisor interrupted, the server is killed", instance, e);
    } catch (RuntimeException e) {
      if (firstUp.isDone()) {
        LOG.error("{}: supervisor failed, the server is killed", instance, e);
      }
      firstUp.completeExceptionally(e);
    } finally {
      killWhatRuns();
      firstUp.completeExceptionally(
          new MysqldException(Reason.INTERRUPTED, instance + " was stopped while starting"));
      synchronized (monitor) {
        state = MysqldState.STOPPED;
      }
    }
  }

  private void supervise() throws InterruptedException {
    while (true) {
      Duration uptime = runOnce();
      if (stopRequested()) {
        return;
      }
      pause(pauseAfter(uptime));
      if (stopRequested()) {
        transition(MysqldState.STOPPING, "asked to");
        return;
      }
      transition(MysqldState.STARTING, "again");
    }
  }

  private Duration pauseAfter(Duration uptime) {
    boolean failed;
    synchronized (monitor) {
      failed = !renewed || uptime.isZero();
    }
    return failed ? backoff.pauseAfter(uptime) : backoff.renewedAfter(uptime);
  }

  /** One life of the server. Returns how long it was up: zero when it did not come up. */
  private Duration runOnce() throws InterruptedException {
    MysqldProcess running;
    try {
      attendant.beforeLaunch(instance);
      running = MysqldProcess.launch(instance);
      publish(running);
      if (!running.awaitReady(bounds.start(), this::stopRequested) || !attach(running)) {
        transition(MysqldState.STOPPING, "asked to while starting");
        return Duration.ZERO; // killWhatRuns ends it
      }
      instance.forgetAccountStatements();
    } catch (MysqldException e) {
      if (!firstUp.isDone()) {
        throw e;
      }
      LOG.error("{} did not start again: {}", instance, e.sentence());
      killWhatRuns();
      transition(MysqldState.DOWN, e.reason().name());
      return Duration.ZERO;
    }
    long upSince = System.nanoTime();
    transition(MysqldState.UP, "pid " + running.pid());
    tell(() -> listener.up(instance));
    firstUp.complete(null);
    String reason = watch(running);
    tell(() -> listener.down(instance, reason));
    if (stopRequested()) {
      transition(MysqldState.STOPPING, reason);
      endInOrder(running);
      attendant.detach(instance);
    } else {
      attendant.detach(instance);
      transition(MysqldState.DOWN, reason);
    }
    return Duration.ofNanos(System.nanoTime() - upSince);
  }

  /** Whether it is attached; false when it shall be ended. */
  private boolean attach(MysqldProcess running) throws InterruptedException {
    boolean attached = false;
    try {
      attendant.attach(instance, () -> running.isAlive() && !stopRequested());
      attached = running.isAlive() && !stopRequested();
    } finally {
      if (!attached) {
        attendant.detach(instance);
      }
    }
    if (!attached && !stopRequested()) {
      throw StartFailure.of("MySQL server in " + instance.files().directory(), "it died at once");
    }
    return attached;
  }

  private void publish(MysqldProcess running) {
    synchronized (monitor) {
      process = running;
      renewed = false;
    }
    running
        .exit()
        .thenRun(() -> {
          synchronized (monitor) {
            monitor.notifyAll();
          }
        });
  }

  /** Returns, with the reason, when the server ended or shall end. */
  private String watch(MysqldProcess running) throws InterruptedException {
    long answeredAt = System.nanoTime();
    while (true) {
      synchronized (monitor) {
        if (running.isAlive() && request == StopRequest.NONE) {
          monitor.wait(bounds.probeEvery().toMillis());
        }
        if (request != StopRequest.NONE) {
          return "asked to";
        }
      }
      if (!running.isAlive()) {
        return "ended with code " + running.exitCode();
      }
      if (MysqldProbe.answers(instance.socketPath(), PROBE_BOUND.toMillis())) {
        answeredAt = System.nanoTime();
      } else {
        noteSilence(running, Duration.ofNanos(System.nanoTime() - answeredAt));
      }
    }
  }

  private void noteSilence(MysqldProcess running, Duration silence) {
    LOG.warn("{} has not answered for {} ms", instance, silence.toMillis());
    if (silence.compareTo(bounds.hungAfter()) > 0) {
      LOG.error("{} hangs and is killed", instance);
      running.kill();
    }
  }

  private void endInOrder(MysqldProcess running) throws InterruptedException {
    boolean ordered;
    synchronized (monitor) {
      ordered = request == StopRequest.ORDERED;
    }
    ordered = ordered && attendant.drain(instance, bounds.drain());
    if (ordered) {
      running.terminate();
      if (running.awaitExit(bounds.stop())) {
        return;
      }
      LOG.warn("{} did not stop within {} s and is killed", instance, bounds.stop().toSeconds());
    }
    running.kill();
    running.awaitExit(bounds.stop());
  }

  private void pause(Duration pause) throws InterruptedException {
    long end = System.nanoTime() + pause.toNanos();
    synchronized (monitor) {
      long leftMillis = pause.toMillis();
      while (request == StopRequest.NONE && leftMillis > 0) {
        monitor.wait(leftMillis);
        leftMillis = (end - System.nanoTime()) / 1_000_000;
      }
    }
  }

  private boolean stopRequested() {
    synchronized (monitor) {
      return request != StopRequest.NONE;
    }
  }

  private void killWhatRuns() {
    MysqldProcess running;
    synchronized (monitor) {
      running = process;
    }
    if (running == null || !running.isAlive()) {
      return;
    }
    running.kill();
    try {
      running.awaitExit(bounds.stop());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException e) {
      LOG.error("{}: its listener failed", instance, e);
    }
  }
}
