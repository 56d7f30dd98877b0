package io.alrai.executor.vector;

import io.alrai.executor.memory.QueryMemory;

/** Memory for one piece of rows at a time. Belongs to one thread at a time. */
public final class PieceBuffer {
  private final QueryMemory memory;
  private long address;
  private long size;

  /** No piece yet. */
  public PieceBuffer(QueryMemory memory) {
    this.memory = memory;
  }

  /** The address of so many bytes, whatever is in them; pieces of a query are about as large. */
  public long room(long bytes) {
    if (bytes > size) {
      address = memory.allocate(bytes);
      size = bytes;
    }
    return address;
  }
}
