package io.alrai.executor.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import io.alrai.executor.memory.Mem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Rows of one stage of a query, byte by byte as they lie in memory: what their columns point to
 * stays in memory. Grows only, and is freed as a whole. Thread-safe.
 */
public final class SpillFile implements AutoCloseable {
  private final SpillSpace space;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong end = new AtomicLong();

  @GuardedBy("lock")
  private Optional<FileChannel> channel = Optional.empty();

  @GuardedBy("lock")
  private boolean closed;

  SpillFile(SpillSpace space) {
    this.space = space;
  }

  private FileChannel channel() {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the rows on disk are gone");
      }
      FileChannel open = channel.orElseGet(space::create);
      channel = Optional.of(open);
      return open;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes rows after all others.
   *
   * @throws AlraiException 1021 where the disk is full, 1114 past the query's limit, 1026, 1317
   */
  public Extent write(long address, int rows, int rowBytes) {
    long bytes = (long) rows * rowBytes;
    space.take(bytes);
    long offset = end.getAndAdd(bytes);
    ByteBuffer buffer = Mem.buffer(address, bytes);
    try {
      FileChannel open = channel();
      while (buffer.hasRemaining()) {
        open.write(buffer, offset + buffer.position());
      }
    } catch (IOException e) {
      throw space.failure(e, bytes);
    }
    return new Extent(this, offset, rows, rowBytes);
  }

  void read(long offset, long address, long bytes) {
    ByteBuffer buffer = Mem.buffer(address, bytes);
    try {
      FileChannel open = channel();
      while (buffer.hasRemaining()) {
        if (open.read(buffer, offset + buffer.position()) < 0) {
          throw new IOException("a file of rows ends at " + (offset + buffer.position()));
        }
      }
    } catch (ClosedByInterruptException e) {
      throw AlraiException.interruption(e);
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_READ, "cannot read spilled rows back: " + FileErrors.text(e), e);
    }
  }

  /** Frees the disk. Repeating it is harmless. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      channel.ifPresent(SpillFile::close);
    } finally {
      lock.unlock();
    }
    space.freed(this, end.get());
  }

  private static void close(FileChannel open) {
    try {
      open.close();
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_READ, "cannot close spilled rows: " + e.getMessage(), e);
    }
  }
}
