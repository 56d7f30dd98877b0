package io.alrai.cn.console;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The event loops of a process. */
final class EventLoops implements AutoCloseable {
  private final EventLoopGroup group;

  /** So many loops; 0 for one for each processor. */
  EventLoops(int count) {
    int loops = count > 0 ? count : Runtime.getRuntime().availableProcessors();
    group = new MultiThreadIoEventLoopGroup(loops, EpollIoHandler.newFactory());
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
