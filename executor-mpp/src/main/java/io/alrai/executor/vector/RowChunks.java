package io.alrai.executor.vector;

import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of one layout, appended by one worker. They stay where they are until the query ends, unless
 * their memory is bounded: then somebody else takes them all when it is full, and it is used again.
 */
public final class RowChunks {
  private static final long FIRST_BYTES = 1 << 14;
  private static final long MOST_BYTES = 1 << 20;

  /**
   * Rows beside each other.
   *
   * @param address of the first
   * @param rows how many
   */
  public record Chunk(long address, int rows) implements StoredPiece {
    @Override
    public long bufferBytes() {
      return 0;
    }

    @Override
    public long load(PieceBuffer buffer) {
      return address;
    }
  }

  /** Takes rows for which there is no memory any more. */
  @FunctionalInterface
  public interface Overflow {
    /** Takes all rows; they are overwritten when this returns. */
    void take(List<Chunk> rows);
  }

  private record Block(long address, long bytes) {}

  private final RowLayout layout;
  private final QueryMemory memory;
  private final long mostBytes;
  private final Overflow overflow;
  private final List<Chunk> full = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private int usedBlocks;
  private long heldBytes;
  private long chunk;
  private long next;
  private long end;
  private long chunkBytes = FIRST_BYTES / 2;

  /** No rows yet, and no bound but the query's. */
  public RowChunks(RowLayout layout, QueryMemory memory) {
    this(layout, memory, Long.MAX_VALUE, rows -> {});
  }

  /**
   * No rows yet.
   *
   * @param mostBytes what they may take; a first piece of 16 KiB they take in any case
   * @param overflow takes them when they have that
   */
  public RowChunks(RowLayout layout, QueryMemory memory, long mostBytes, Overflow overflow) {
    this.layout = layout;
    this.memory = memory;
    this.mostBytes = mostBytes;
    this.overflow = overflow;
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
    if (usedBlocks < blocks.size()) {
      again();
      return;
    }
    long wanted = Math.min(MOST_BYTES, chunkBytes * 2);
    long bytes = Math.max(layout.size(), wanted / layout.size() * layout.size());
    if (usedBlocks > 0 && heldBytes + bytes > mostBytes) {
      overflow.take(chunks());
      restart();
      again();
      return;
    }
    chunkBytes = wanted;
    heldBytes += bytes;
    blocks.add(new Block(memory.allocate(bytes), bytes));
    enter(blocks.get(usedBlocks++));
  }

  private void again() {
    Block block = blocks.get(usedBlocks++);
    Mem.clear(block.address(), block.bytes());
    enter(block);
  }

  private void enter(Block block) {
    chunk = block.address();
    next = chunk;
    end = chunk + block.bytes();
  }

  /** Forgets all rows; their memory is for those that come next. */
  public void restart() {
    full.clear();
    usedBlocks = 0;
    chunk = 0;
    next = 0;
    end = 0;
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
