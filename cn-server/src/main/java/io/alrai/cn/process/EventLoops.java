package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The event loops of a process. */
public final class EventLoops implements AutoCloseable {
  private final EventLoopGroup group;

  private EventLoops(int count) {
    requireMachine();
    group = new MultiThreadIoEventLoopGroup(count, EpollIoHandler.newFactory());
  }

  /**
   * To be called before anything is fetched or started.
   *
   * @throws AlraiException when Alrai cannot run on this machine, and why
   */
  public static void requireMachine() {
    Throwable reason = Epoll.unavailabilityCause();
    if (reason != null) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "Alrai needs Linux on x86-64 or arm64, and this is "
              + System.getProperty("os.name")
              + " on "
              + System.getProperty("os.arch")
              + "; its native library for epoll does not load: "
              + Objects.requireNonNullElse(reason.getCause(), reason).getMessage());
    }
  }

  /** For a process that has the machine for itself: one loop for each processor. */
  static EventLoops alone() {
    return of(0);
  }

  /**
   * As many as somebody wants.
   *
   * @param count 0: one for each processor
   */
  static EventLoops of(int count) {
    return new EventLoops(count == 0 ? Runtime.getRuntime().availableProcessors() : count);
  }

  /**
   * For a process with mysqlds beside it: one loop for every two processors. More of them compete
   * with the mysqlds they wait for: with two on two processors point SELECTs are a tenth faster,
   * but their 95th percentile is 2.5 times that of a plain mysqld instead of 1.7.
   */
  static EventLoops besideMysqlds() {
    return of(countBesideMysqlds());
  }

  /**
   * How many a process has beside mysqlds. A CN in a process of its own is a ninth faster with them
   * on two processors, as each of its turns has more questions for the agents.
   */
  public static int countBesideMysqlds() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  EventLoopGroup group() {
    return group;
  }

  List<EventLoop> each() {
    List<EventLoop> loops = new ArrayList<>();
    for (EventExecutor loop : group) {
      loops.add((EventLoop) loop);
    }
    return loops;
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3_000);
  }
}
