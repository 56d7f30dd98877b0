package io.alrai.executor.spill;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Where the queries of a process put rows for which they have no memory. A file loses its name
 * before it has its first byte, so that the system removes it whatever happens to the process.
 * Thread-safe.
 */
public final class SpillDirectory {
  private static final String PREFIX = "alrai-spill-";
  private static final String SUFFIX = ".rows";

  /** Makes a file that is gone when it is closed. */
  @FunctionalInterface
  interface Opener {
    FileChannel open(Path directory) throws IOException;
  }

  private final Path path;
  private final LongSupplier queryBytes;
  private final LongAdder written;
  private final Opener opener;
  private final AtomicLong held = new AtomicLong();

  /**
   * A directory without files.
   *
   * @param path exists, and can be written to
   * @param queryBytes what one query may have there at a time; 0: queries do not spill
   * @param written counts bytes that are written
   */
  public SpillDirectory(Path path, LongSupplier queryBytes, LongAdder written) {
    this(path, queryBytes, written, SpillDirectory::createNameless);
  }

  SpillDirectory(Path path, LongSupplier queryBytes, LongAdder written, Opener opener) {
    this.path = path;
    this.queryBytes = queryBytes;
    this.written = written;
    this.opener = opener;
  }

  /** A directory of the system's, with a limit that no query reaches. */
  public static SpillDirectory standard() {
    return new SpillDirectory(system(), () -> Long.MAX_VALUE, new LongAdder());
  }

  /** The system's directory for temporary files. */
  public static Path system() {
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
  }

  /**
   * A file that is gone when it is closed, and has no name meanwhile.
   *
   * @throws IOException where there can be none
   */
  public static FileChannel createNameless(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, PREFIX, SUFFIX);
    try {
      return FileChannel.open(
          file,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /** Whether queries may use it. */
  public boolean isOpen() {
    return queryBytes.getAsLong() > 0;
  }

  /** Bytes that queries have there now. */
  public long heldBytes() {
    return held.get();
  }

  /**
   * Removes files that still have names: their process was killed in the moment in which it made
   * them. Those in use have none any more.
   *
   * @throws IOException for one that cannot be removed
   */
  public void clean() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path, PREFIX + "*" + SUFFIX)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }

  /**
   * The place of one query.
   *
   * @param check throws when the query is to end; called again and again
   */
  public SpillSpace open(Runnable check) {
    return new SpillSpace(this, queryBytes.getAsLong(), check);
  }

  Path path() {
    return path;
  }

  FileChannel create() throws IOException {
    return opener.open(path);
  }

  void wrote(long bytes) {
    written.add(bytes);
    held.addAndGet(bytes);
  }

  void freed(long bytes) {
    held.addAndGet(-bytes);
  }
}
