package io.alrai.cn.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What came of logins that are not whole yet: on the heap, so that clients nobody knows take
 * nothing of the direct memory that everybody else's statements need, and bounded over the process.
 * Event loop only.
 */
final class LoginBytes implements ByteToMessageDecoder.Cumulator {
  /** A login is smaller: only what is larger counts. */
  private static final int USUAL = 2048;

  /** What larger ones may still take, bytes. */
  private static final AtomicLong ROOM = new AtomicLong(Runtime.getRuntime().maxMemory() / 16);

  private final AtomicLong room;
  private long taken;

  /** Those of one connection. */
  LoginBytes() {
    this(ROOM);
  }

  LoginBytes(AtomicLong room) {
    this.room = room;
  }

  /** There is no room for so large a login now. */
  static final class NoRoom extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoRoom() {
      super("logins that are not whole take too much memory", null, false, false);
    }
  }

  @Override
  public ByteBuf cumulate(ByteBufAllocator alloc, ByteBuf before, ByteBuf in) {
    try {
      int needed = before.readableBytes() + in.readableBytes();
      if (!before.isDirect()
          && before.maxWritableBytes() > 0
          && before.writableBytes() >= in.readableBytes()) {
        return before.writeBytes(in);
      }
      int size = Math.max(USUAL, Integer.highestOneBit(Math.max(1, needed)) << 1);
      take(size);
      ByteBuf larger = alloc.heapBuffer(size);
      larger.writeBytes(before).writeBytes(in);
      before.release();
      return larger;
    } finally {
      in.release();
    }
  }

  private void take(int size) {
    long more = size > USUAL ? size - taken : 0;
    if (more > 0 && room.addAndGet(-more) < 0) {
      room.addAndGet(more);
      throw new NoRoom();
    }
    taken += more;
  }

  /** The login has ended. */
  void close() {
    room.addAndGet(taken);
    taken = 0;
  }
}
