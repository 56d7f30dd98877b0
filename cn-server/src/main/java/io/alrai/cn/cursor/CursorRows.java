package io.alrai.cn.cursor;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of one cursor in the order of their coming: the first in memory, all others in a file.
 *
 * <pre>
 * add* complete (next* pause)* close
 *
 * file:  | length of a row, 4 bytes | row | length | row ...
 * </pre>
 *
 * While it is read, a piece of the file is in memory, until {@link #pause}. It has one owner at a
 * time, who is the only one to use and to close it.
 */
public final class CursorRows implements AutoCloseable {
  /** How many bytes of rows stay in memory, if there is room. */
  private static final int MOST_IN_MEMORY = 16 << 10;

  private static final int PIECE = 64 << 10;
  private static final ByteBuffer NO_PIECE = ByteBuffer.allocate(0);

  private static final Logger log = LoggerFactory.getLogger(CursorRows.class);

  private final CursorRoom room;
  private final ArrayDeque<byte[]> first = new ArrayDeque<>();
  private int inMemory;
  private ByteBuffer piece = NO_PIECE;
  private long taken;
  private long written;
  private long read;
  private @Nullable FileChannel file;
  private boolean closed;

  CursorRows(CursorRoom room) {
    this.room = room;
  }

  /**
   * Adds a row after all others; it belongs to the cursor now.
   *
   * @throws AlraiException 1114, 1021, 1026 or 1041 where there is no room for it
   */
  public void add(byte[] row) {
    if (file == null && inMemory + row.length <= MOST_IN_MEMORY && room.takeMemory(row.length)) {
      inMemory += row.length;
      first.add(row);
      return;
    }
    if (file == null) {
      file = room.createFile();
      piece = ByteBuffer.allocate(PIECE);
    }
    if (piece.remaining() < Integer.BYTES + row.length) {
      write();
    }
    if (piece.remaining() < Integer.BYTES + row.length) {
      piece = ByteBuffer.allocate(Integer.BYTES + row.length);
    }
    piece.putInt(row.length).put(row);
  }

  /** No more rows come. */
  public void complete() {
    if (file != null) {
      write();
      piece = NO_PIECE;
    }
  }

  private void write() {
    piece.flip();
    int bytes = piece.remaining();
    room.takeDisk(taken, bytes);
    taken += bytes;
    long end = written + bytes;
    try {
      while (piece.hasRemaining()) {
        channel().write(piece, end - piece.remaining());
      }
    } catch (IOException e) {
      throw room.failure(e);
    }
    written = end;
    piece = piece.capacity() > PIECE ? ByteBuffer.allocate(PIECE) : piece.clear();
  }

  /** Whether {@link #next} never waits for the disk. */
  public boolean isInMemory() {
    return file == null;
  }

  /**
   * The next row; null after the last.
   *
   * @throws AlraiException 1024
   */
  public byte @Nullable [] next() {
    byte[] held = first.poll();
    if (held != null) {
      inMemory -= held.length;
      room.freeMemory(held.length);
      return held;
    }
    if (read == written) {
      return null;
    }
    if (piece.remaining() < Integer.BYTES) {
      load(PIECE);
    }
    int length = piece.getInt(piece.position());
    if (piece.remaining() < Integer.BYTES + length) {
      load(Math.max(PIECE, Integer.BYTES + length));
    }
    byte[] row = new byte[length];
    piece.getInt();
    piece.get(row);
    read += Integer.BYTES + length;
    return row;
  }

  /** Nothing is read for a while. */
  public void pause() {
    piece = NO_PIECE;
  }

  private void load(int bytes) {
    piece = ByteBuffer.allocate((int) Math.min(bytes, written - read));
    try {
      while (piece.hasRemaining()) {
        if (channel().read(piece, read + piece.position()) < 0) {
          throw new IOException("it ends at " + (read + piece.position()));
        }
      }
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_READ, "cannot read the rows of a cursor: " + FileErrors.text(e), e);
    }
    piece.flip();
  }

  private FileChannel channel() throws IOException {
    FileChannel open = file;
    if (open == null) {
      throw new IOException("it has no file");
    }
    return open;
  }

  /** Frees memory and disk. Repeating it is harmless. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    first.clear();
    room.freeMemory(inMemory);
    room.closed();
    FileChannel open = file;
    if (open != null) {
      room.fileClosed(taken);
      try {
        open.close();
      } catch (IOException e) {
        log.warn("cannot close the file of a cursor", e);
      }
    }
  }
}
