package io.alrai.dn.xa;

import io.alrai.common.file.DurableFiles;
import io.alrai.dn.binlog.GtidSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A file with the part of a mysqld's log that need not be read any more to know what was decided
 * there: a GTID set as text. What has left the log is always in it, even after a crash of the
 * machine, because it is made durable before files of the log are deleted. One thread at a time.
 */
final class SettledMark {
  private final Path file;
  private final Executor writer;

  /**
   * The mark in a file that may not exist yet.
   *
   * @param writer runs what may block
   */
  SettledMark(Path file, Executor writer) {
    this.file = file;
    this.writer = writer;
  }

  /**
   * What was written last, by any process; empty where nothing was.
   *
   * @throws IOException when the file is there and cannot be read
   */
  GtidSet read() throws IOException {
    try {
      String text = Files.readString(file);
      // the line break at the end shows that it is complete
      return text.endsWith("\n") ? GtidSet.parse(text.strip()) : new GtidSet();
    } catch (NoSuchFileException | IllegalArgumentException nothing) {
      return new GtidSet();
    }
  }

  /**
   * Replaces it. Completes when that is durable; fails, for example, when the disk is full: then
   * the old one stays.
   */
  CompletableFuture<Void> write(GtidSet settled) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            DurableFiles.replace(file, (settled + "\n").getBytes(StandardCharsets.US_ASCII));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        writer);
  }
}
