package io.alrai.dn.mysqld;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the end of a server's error log. */
final class ErrorLogTail {
  private static final int LONGEST = 16 * 1024;

  private ErrorLogTail() {}

  /** Length of the log now, in bytes; 0 when there is none. */
  static long length(Path log) {
    try {
      return Files.exists(log) ? Files.size(log) : 0;
    } catch (IOException e) {
      throw FileTrees.failure("read", log, e);
    }
  }

  /** What was written since {@code from}, the last 16 KiB at most; empty when there is no log. */
  static String read(Path log, long from) {
    if (!Files.exists(log)) {
      return "";
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long length = file.length();
      long start = Math.max(Math.min(from, length), length - LONGEST);
      byte[] bytes = new byte[(int) (length - start)];
      file.seek(start);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw FileTrees.failure("read", log, e);
    }
  }
}
