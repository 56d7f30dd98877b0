package io.alrai.cn.slowlog;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The file, and those before it: {@code NAME.1} is the one before, and so on. A file that has grown
 * to its size makes room for a new one, and the oldest is deleted. One thread at a time.
 */
final class SlowLogFile {
  private final Path path;
  private final String header;
  private final long mostBytes;
  private final int mostFiles;
  private @Nullable OutputStream out;
  private long size;

  /** What was written last may lack its end, as of a disk that was full. */
  private boolean broken;

  /**
   * A file that is opened when something is to be written.
   *
   * @param header how it begins
   * @param mostBytes how large it grows
   * @param mostFiles how many there are in all
   */
  SlowLogFile(Path path, String header, long mostBytes, int mostFiles) {
    this.path = path;
    this.header = header;
    this.mostBytes = mostBytes;
    this.mostFiles = mostFiles;
  }

  /** Appends an entry; a failure leaves the file closed. Blocking. */
  void append(String entry) throws IOException {
    byte[] bytes = entry.getBytes(StandardCharsets.UTF_8);
    try {
      OutputStream to = out == null ? open() : out;
      if (size + bytes.length > mostBytes && size > header.length()) {
        rotate();
        to = open();
      }
      if (broken) {
        to.write('\n');
        broken = false;
      }
      to.write(bytes);
      size += bytes.length;
    } catch (IOException e) {
      broken = true;
      close();
      throw e;
    }
  }

  /** Opens it anew, as who moves it away wishes. Blocking. */
  void reopen() throws IOException {
    close();
    open();
  }

  private OutputStream open() throws IOException {
    create();
    OutputStream opened = Files.newOutputStream(path, StandardOpenOption.APPEND);
    out = opened;
    size = Files.size(path);
    if (size == 0) {
      byte[] first = header.getBytes(StandardCharsets.UTF_8);
      opened.write(first);
      size = first.length;
    }
    return opened;
  }

  /** Only its owner and group may read it, as MySQL's. */
  private void create() throws IOException {
    try {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
    } catch (FileAlreadyExistsException _) {
      // goes on where it ends
    }
  }

  private void rotate() throws IOException {
    close();
    for (int i = mostFiles - 1; i > 0; i--) {
      Path from = i == 1 ? path : numbered(i - 1);
      if (Files.exists(from)) {
        Files.move(from, numbered(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private Path numbered(int number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }

  void close() throws IOException {
    OutputStream open = out;
    out = null;
    if (open != null) {
      open.close();
    }
  }
}
