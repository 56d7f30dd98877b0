package io.alrai.cn.process;

import io.alrai.cn.systemd.Notices;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that serves until it is asked to stop, with its pid file; systemd hears of both. */
public final class Service {
  private final Path data;
  private final String name;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** What is started, and what it prints when it serves. */
  public record Started(String readyLine, AutoCloseable parts) {
    /** Starts the parts of a process. */
    public interface Start<X extends Exception> {
      /** Adds each part as soon as it is started; returns the line that says that all serve. */
      String in(Closers parts) throws X;
    }

    /** What was started; what there is of a start that fails is closed. */
    public static <X extends Exception> Started of(Start<X> start) throws X {
      Closers parts = new Closers();
      boolean started = false;
      try {
        Started all = new Started(start.in(parts), parts);
        started = true;
        return all;
      } finally {
        if (!started) {
          parts.close();
        }
      }
    }
  }

  /** Starts what serves. */
  public interface Starter {
    Started start() throws Exception;
  }

  /**
   * A service.
   *
   * @param data the directory whose {@code run} gets the pid
   * @param name of the pid file
   */
  public Service(Path data, String name) {
    this.data = data;
    this.name = name;
  }

  /** Refuses when a process of this name runs already. */
  public void refuseSecond() {
    new RunDirectory(data)
        .process(name)
        .ifPresent(process -> {
          throw new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              name + " with this data directory runs already: process " + process.pid());
        });
  }

  /** Serves until SIGTERM or SIGINT; everything is closed in order then. */
  public int serve(Starter starter) throws Exception {
    refuseSecond();
    Notices systemd = Notices.of(System.getenv());
    systemd.begins("starting");
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(() -> {
                  stop.countDown();
                  try {
                    stopped.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    RunDirectory run = new RunDirectory(data);
    try {
      Started started = starter.start();
      try {
        run.enter(name);
        if (started.readyLine().startsWith("ready mysql:")) {
          run.endpoint(name, started.readyLine().substring("ready ".length()));
        }
        System.out.println(started.readyLine());
        System.out.flush();
        systemd.serves(started.readyLine());
        stop.await();
      } finally {
        systemd.ends("stopping: clients first, each after its transaction");
        started.parts().close();
      }
    } finally {
      run.leave(name);
      stopped.countDown();
    }
    return 0;
  }
}
