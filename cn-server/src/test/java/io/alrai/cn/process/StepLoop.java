package io.alrai.cn.process;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** An event loop whose thread is the test's: it does what others give it when the test says so. */
public final class StepLoop extends AbstractScheduledEventExecutor implements EventLoop {
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private volatile Thread owner = Thread.currentThread();
  private final AtomicLong aheadNanos = new AtomicLong();
  private long soonNanos;

  private final Ticker ticker =
      new Ticker() {
        @Override
        public long initialNanoTime() {
          return Ticker.systemTicker().initialNanoTime();
        }

        @Override
        public long nanoTime() {
          return Ticker.systemTicker().nanoTime() + aheadNanos.get();
        }

        @Override
        public void sleep(long delay, TimeUnit unit) throws InterruptedException {
          Ticker.systemTicker().sleep(delay, unit);
        }
      };

  /** From now on the current thread is the loop's. */
  void enter() {
    owner = Thread.currentThread();
  }

  /** From now on its clock jumps to what is due so soon. */
  public void skip(Duration soon) {
    soonNanos = soon.toNanos();
  }

  @Override
  public Ticker ticker() {
    return ticker;
  }

  /** Does all that is due now. */
  public void settle() {
    enter();
    runDue();
    Runnable task;
    while ((task = tasks.poll()) != null) {
      task.run();
      runDue();
    }
  }

  private void runDue() {
    jump();
    Runnable due;
    while ((due = pollScheduledTask(ticker.nanoTime())) != null) {
      due.run();
      jump();
    }
  }

  private void jump() {
    long leftNanos = nextScheduledTaskDeadlineNanos() - ticker.nanoTime();
    if (leftNanos > 0 && leftNanos <= soonNanos) {
      aheadNanos.addAndGet(leftNanos);
    }
  }

  /** Does what is due until something holds; other threads may have to bring it about. */
  public void await(BooleanSupplier condition) {
    await(condition, () -> "it did not come to hold");
  }

  /** As above, with what is said where it does not come to hold. */
  void await(BooleanSupplier condition, Supplier<String> failure) {
    settle();
    long end = System.nanoTime() + MOST_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(failure.get());
      }
      try {
        Runnable task = tasks.poll(5, TimeUnit.MILLISECONDS);
        if (task != null) {
          task.run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
      settle();
    }
  }

  @Override
  public void execute(Runnable command) {
    tasks.add(command);
  }

  @Override
  public boolean inEventLoop(Thread thread) {
    return thread == owner;
  }

  @Override
  public EventLoop next() {
    return this;
  }

  @Override
  public EventLoopGroup parent() {
    return this;
  }

  @Override
  public ChannelFuture register(Channel channel) {
    return register(new DefaultChannelPromise(channel, this));
  }

  @Override
  public ChannelFuture register(ChannelPromise promise) {
    promise.channel().unsafe().register(this, promise);
    return promise;
  }

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel, ChannelPromise promise) {
    channel.unsafe().register(this, promise);
    return promise;
  }

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    throw new UnsupportedOperationException("it ends with its test");
  }

  @Override
  public Future<?> terminationFuture() {
    throw new UnsupportedOperationException("it ends with its test");
  }

  @Override
  @Deprecated
  public void shutdown() {
    throw new UnsupportedOperationException("it ends with its test");
  }

  @Override
  public boolean isShuttingDown() {
    return false;
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }
}
