package io.alrai.dn.xa;

import io.alrai.dn.binlog.GtidSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The part of a mysqld's log that needs not be read any more to know what was decided there, in a
 * file: a GTID set as text. It may be old, as after the death of the machine: then more is read. A
 * file that is damaged says nothing, and all is read. One thread at a time.
 */
final class SettledMark {
  private final Path file;

  SettledMark(Path file) {
    this.file = file;
  }

  /**
   * What was written last, by whatever process; empty where there is nothing.
   *
   * @throws IOException when the file is there and cannot be read
   */
  GtidSet read() throws IOException {
    try {
      String text = Files.readString(file);
      // the end of line tells that it is whole
      return text.endsWith("\n") ? GtidSet.parse(text.strip()) : new GtidSet();
    } catch (NoSuchFileException | IllegalArgumentException nothing) {
      return new GtidSet();
    }
  }

  /**
   * Replaces it.
   *
   * @throws IOException when the disk is full, for example: the old one stays
   */
  void write(GtidSet settled) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, settled + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
