package io.alrai.cn.launch;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.Backoff;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A role's process that is started again when it ends, with growing pauses, until it is closed.
 * Started and closed by any thread; a thread of its own waits for the process.
 */
final class KeptRole implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KeptRole.class);

  /** Starts the process. */
  interface Launcher {
    /**
     * The next one.
     *
     * @param keepsLog whether the log of the one before is kept
     */
    Detached launch(boolean keepsLog);
  }

  /** One that cannot start again and again would push out the logs of what came before. */
  private static final int FAILURES_KEPT = 1;

  private final String name;
  private final Launcher launcher;
  private final Backoff backoff = new Backoff();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CompletableFuture<Void> kept = new CompletableFuture<>();
  private @Nullable Detached running; // guarded by this
  private int failures; // starts in a row that did not serve; guarded by this

  KeptRole(String name, Launcher launcher) {
    this.name = name;
    this.launcher = launcher;
  }

  /** A role that is started with a configuration. */
  static KeptRole of(Path directory, String name, String command, Path config) {
    List<String> arguments = List.of(command, "--config", config.toString());
    return new KeptRole(
        name, keepsLog -> Detached.launchRole(directory, name, arguments, keepsLog));
  }

  /** The name of its node. */
  String name() {
    return name;
  }

  /**
   * Starts it and returns when it serves.
   *
   * @throws AlraiException why it does not; nothing runs then
   */
  void start() throws InterruptedException {
    Detached first = launch();
    boolean serves = false;
    try {
      first.awaitReady();
      serves = true;
    } finally {
      if (serves) {
        keepOn(first);
      } else {
        kept.complete(null);
      }
    }
  }

  /**
   * Starts it and returns when it serves or does not; then it is tried again until it does.
   *
   * @return why it does not serve yet
   */
  Optional<AlraiException> startOrRetry() throws InterruptedException {
    Detached first = launch();
    try {
      first.awaitReady();
      return Optional.empty();
    } catch (AlraiException e) {
      return Optional.of(e);
    } finally {
      keepOn(first);
    }
  }

  private void keepOn(Detached first) {
    Thread.ofVirtual().name("keep-" + name).start(() -> keep(first));
  }

  private synchronized Detached launch() {
    Detached launched = launcher.launch(failures <= FAILURES_KEPT);
    failures++;
    running = launched;
    return launched;
  }

  private void keep(Detached first) {
    Optional<Detached> current = Optional.of(first);
    try {
      while (true) {
        Duration uptime = current.isPresent() ? lived(current.get()) : Duration.ZERO;
        Duration pause = backoff.pauseAfter(uptime);
        if (isOpen()) {
          log.warn("{} has ended and is started again in {} ms", name, pause.toMillis());
        }
        if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
        current = again();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      kept.complete(null);
    }
  }

  /** Waits for its end; how long it served. */
  private Duration lived(Detached process) throws InterruptedException {
    try {
      process.awaitReady();
    } catch (AlraiException e) {
      if (isOpen()) {
        log.error("{}: {}", name, e.sentence());
      }
      process.process().onExit().join();
      return Duration.ZERO;
    }
    long served = System.nanoTime();
    serves();
    log.info("{} serves: process {}", name, process.process().pid());
    process.process().onExit().join();
    return Duration.ofNanos(System.nanoTime() - served);
  }

  private synchronized void serves() {
    failures = 0;
  }

  private synchronized Optional<Detached> again() {
    try {
      return isOpen() ? Optional.of(launch()) : Optional.empty();
    } catch (AlraiException e) {
      log.error("{}: {}", name, e.sentence());
      return Optional.empty();
    }
  }

  private boolean isOpen() {
    return closing.getCount() > 0;
  }

  /** Stops it; returns when it is gone. */
  @Override
  public void close() {
    ProcessHandle last;
    synchronized (this) {
      closing.countDown();
      if (running == null) {
        return;
      }
      last = running.process();
    }
    OrderedStop.of(name, last);
    kept.join();
  }
}
