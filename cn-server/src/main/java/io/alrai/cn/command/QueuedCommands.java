package io.alrai.cn.command;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one client that wait for the one at work, in the order in which they came. They are
 * bounded by number and bytes: a client with more is not read until half of them are done. Event
 * loop only.
 */
final class QueuedCommands {
  private static final int MOST = 64;
  private static final int MOST_BYTES = 1 << 20;

  private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>();
  private long bytes;

  /**
   * Takes a command over.
   *
   * @return whether no more shall come
   */
  boolean add(ByteBuf packets) {
    queue.add(packets);
    bytes += packets.readableBytes();
    return queue.size() > MOST || bytes > MOST_BYTES;
  }

  /** The next command, now owned by the caller; null if there is none. */
  @Nullable ByteBuf poll() {
    ByteBuf next = queue.poll();
    if (next != null) {
      bytes -= next.readableBytes();
    }
    return next;
  }

  /** Whether more commands may be read again. */
  boolean hasRoom() {
    return queue.size() < MOST / 2 && bytes < MOST_BYTES / 2;
  }
}
