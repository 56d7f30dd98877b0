package io.alrai.executor.operator;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Sorted rows in a temporary file that is already unlinked from its directory where the system
 * allows it, so that a crash leaves nothing behind. Each record is key length (4 bytes), row length
 * (4 bytes), key, row.
 */
final class SortedRun implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final DataInputStream in;
  private KeyedRow current = KeyedRow.NONE;

  private SortedRun(DataInputStream in) {
    this.in = in;
  }

  /** Writes records that are in order, and opens them for reading. */
  static SortedRun write(Path directory, List<KeyedRow> records) {
    try {
      Path file = Files.createTempFile(directory, "alrai-sort-", ".run");
      try (DataOutputStream out =
          new DataOutputStream(
              new BufferedOutputStream(
                  Files.newOutputStream(file, StandardOpenOption.WRITE), BUFFER_BYTES))) {
        for (KeyedRow record : records) {
          out.writeInt(record.key().length);
          out.writeInt(record.row().length);
          out.write(record.key());
          out.write(record.row());
        }
      } catch (IOException e) {
        Files.deleteIfExists(file);
        throw e;
      }
      return new SortedRun(
          new DataInputStream(
              new BufferedInputStream(
                  Files.newInputStream(file, StandardOpenOption.DELETE_ON_CLOSE), BUFFER_BYTES)));
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_WRITE,
          "cannot write rows that do not fit in memory to " + directory + ": " + FileErrors.text(e),
          e);
    }
  }

  /** Moves to the next record; false at the end. */
  boolean advance() {
    try {
      int keyLength = in.readInt();
      int rowLength = in.readInt();
      byte[] key = new byte[keyLength];
      byte[] row = new byte[rowLength];
      in.readFully(key);
      in.readFully(row);
      current = new KeyedRow(key, row);
      return true;
    } catch (EOFException e) {
      return false;
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_READ, "cannot read spilled rows back: " + FileErrors.text(e), e);
    }
  }

  /** The record {@link #advance} moved to. */
  KeyedRow current() {
    return current;
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_READ, "cannot close spilled rows: " + e.getMessage(), e);
    }
  }
}
