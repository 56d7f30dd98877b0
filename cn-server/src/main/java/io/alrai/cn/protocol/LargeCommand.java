package io.alrai.cn.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of a command that grows beyond {@value #STEP} bytes, in steps that are not moved. All
 * of a process hold half of its direct memory at most, so that large commands leave room for every
 * other connection's. One thread.
 */
final class LargeCommand extends CompositeByteBuf {
  /** Bytes that it grows by. */
  static final int STEP = 1 << 20;

  /** What the large commands of this process may still take, bytes. */
  private static final AtomicLong room = new AtomicLong(PlatformDependent.maxDirectMemory() / 2);

  private final AtomicLong budget;
  private long taken;

  private LargeCommand(ByteBuf begun, AtomicLong budget) {
    super(begun.alloc(), begun.isDirect(), Integer.MAX_VALUE);
    this.budget = budget;
  }

  /** A large command that begins with these bytes, which it takes over. */
  static LargeCommand behind(ByteBuf begun) {
    return behind(begun, room);
  }

  static LargeCommand behind(ByteBuf begun, AtomicLong budget) {
    LargeCommand command = new LargeCommand(begun, budget);
    command.addComponent(true, begun);
    return command;
  }

  /**
   * Grows by a step, or so that a wanted number of bytes can be written.
   *
   * @throws OutOfMemoryError when there is no room; nothing has changed
   */
  void grow(int wanted) {
    int more = Math.max(STEP, wanted - writableBytes());
    if (budget.addAndGet(-more) < 0) {
      budget.addAndGet(more);
      throw new OutOfMemoryError("large commands hold their part of the direct memory already");
    }
    taken += more;
    capacity(capacity() + more);
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    budget.addAndGet(taken);
    taken = 0;
  }
}
