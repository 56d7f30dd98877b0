package io.alrai.cn.net;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/** Buffers on the heap where any will do, counted. One thread. */
public class CountingAllocator extends AbstractByteBufAllocator {
  private int buffers;
  private long bytesOfGrowth;

  public CountingAllocator() {
    super(false);
  }

  public int buffers() {
    return buffers;
  }

  /** What was copied as buffers grew. */
  public long bytesOfGrowth() {
    return bytesOfGrowth;
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    buffers++;
    return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity) {
      @Override
      public ByteBuf capacity(int newCapacity) {
        bytesOfGrowth += writerIndex();
        return super.capacity(newCapacity);
      }
    };
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity);
  }
}
