package io.alrai.executor.vector;

import io.alrai.executor.memory.QueryMemory;
import java.util.ArrayList;
import java.util.List;

/** Rows of one layout, appended by one worker. They stay where they are until the query ends. */
public final class RowChunks {
  private static final long FIRST_BYTES = 1 << 14;
  private static final long MOST_BYTES = 1 << 20;

  /**
   * Rows beside each other.
   *
   * @param address of the first
   * @param rows how many
   */
  public record Chunk(long address, int rows) {}

  private final RowLayout layout;
  private final QueryMemory memory;
  private final List<Chunk> full = new ArrayList<>();
  private long chunk;
  private long next;
  private long end;
  private long chunkBytes = FIRST_BYTES / 2;

  /** No rows yet. */
  public RowChunks(RowLayout layout, QueryMemory memory) {
    this.layout = layout;
    this.memory = memory;
  }

  /** The rows' layout. */
  public RowLayout layout() {
    return layout;
  }

  /** Room for another row: zeros, to be filled by the caller. */
  public long append() {
    if (next + layout.size() > end) {
      grow();
    }
    long row = next;
    next += layout.size();
    return row;
  }

  private void grow() {
    close();
    chunkBytes = Math.min(MOST_BYTES, chunkBytes * 2);
    long bytes = Math.max(layout.size(), chunkBytes / layout.size() * layout.size());
    chunk = memory.allocate(bytes);
    next = chunk;
    end = chunk + bytes;
  }

  private void close() {
    if (next > chunk) {
      full.add(new Chunk(chunk, (int) ((next - chunk) / layout.size())));
    }
    chunk = next;
  }

  /** All rows so far, in the order in which they came. */
  public List<Chunk> chunks() {
    close();
    return List.copyOf(full);
  }

  /** How many rows there are. */
  public long rows() {
    long sum = (next - chunk) / layout.size();
    for (Chunk known : full) {
      sum += known.rows();
    }
    return sum;
  }
}
