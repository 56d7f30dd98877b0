package io.alrai.cn.protocol;

import io.netty.channel.Channel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the connection of a client that takes nothing of what waits for it for {@code
 * net_write_timeout} seconds: its statement has branches, and maybe locks, that others need. Event
 * loop only.
 */
public final class ClientWatch {
  private static final Logger log = LoggerFactory.getLogger(ClientWatch.class);
  private static final long LOOK_MILLIS = 500;

  private final Channel channel;
  private final LongSupplier patienceSeconds;
  private final Runnable onEnd;
  private final LongSupplier nanos;
  private @Nullable Future<?> looking;
  private long waiting;
  private long sinceNanos;

  /**
   * A watch over one client.
   *
   * @param patienceSeconds the session's {@code net_write_timeout}
   * @param onEnd counts those that are ended
   * @param nanos as {@link System#nanoTime}
   */
  public ClientWatch(
      Channel channel, LongSupplier patienceSeconds, Runnable onEnd, LongSupplier nanos) {
    this.channel = channel;
    this.patienceSeconds = patienceSeconds;
    this.onEnd = onEnd;
    this.nanos = nanos;
  }

  /** The channel takes no more, or does again. */
  public void writable(boolean now) {
    Future<?> before = looking;
    if (now && before != null) {
      before.cancel(false);
      looking = null;
    } else if (!now && before == null) {
      waiting = channel.bytesBeforeWritable();
      sinceNanos = nanos.getAsLong();
      looking =
          channel
              .eventLoop()
              .scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    if (!channel.isActive() || channel.isWritable()) {
      writable(true);
      return;
    }
    long now = channel.bytesBeforeWritable();
    if (now < waiting) {
      sinceNanos = nanos.getAsLong();
    }
    waiting = now;
    long seconds = patienceSeconds.getAsLong();
    if (nanos.getAsLong() - sinceNanos >= TimeUnit.SECONDS.toNanos(seconds)) {
      writable(true);
      log.warn(
          "the client {} has taken nothing for {} s (net_write_timeout): its connection is closed",
          channel.remoteAddress(),
          seconds);
      onEnd.run();
      channel.close();
    }
  }
}
