package io.alrai.dist;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * A compressed tar whose bytes depend on what is put in only: all belongs to root, and has one
 * time.
 *
 * <p>The seal of a release has another time, before that and made of its bytes. The stamp of a
 * cache of classes knows files by size and time ({@code .mvn/warm.sh}); jars of two builds may be
 * equal in both.
 */
final class PlainTar implements AutoCloseable {
  /** The mode of programs and directories. */
  static final int PROGRAM = 0755;

  /** The mode of what all may read. */
  static final int TEXT = 0644;

  /** The mode of what is for root. */
  static final int SECRET = 0600;

  private static final int LINK = 0777;

  /** Bits of the seal's digest that are seconds of its time: 8 years. */
  private static final int HEX_DIGITS_OF_SEAL = 7;

  private final TarArchiveOutputStream tar;
  private final Instant time;

  /**
   * An empty one.
   *
   * @param time of all files
   */
  PlainTar(OutputStream out, Instant time) throws IOException {
    this.tar = new TarArchiveOutputStream(new GZIPOutputStream(out, 1 << 16));
    this.time = time;
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
  }

  void directory(String name) throws IOException {
    TarArchiveEntry directory = new TarArchiveEntry(name + "/");
    directory.setMode(PROGRAM);
    put(directory, time);
    tar.closeArchiveEntry();
  }

  void link(String name, String target) throws IOException {
    TarArchiveEntry link = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
    link.setMode(LINK);
    link.setLinkName(target);
    put(link, time);
    tar.closeArchiveEntry();
  }

  void text(String name, String text, int mode) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(bytes.length);
    entry.setMode(mode);
    put(entry, time);
    tar.write(bytes);
    tar.closeArchiveEntry();
  }

  /**
   * All of a release.
   *
   * @param name of its folder
   */
  void release(String name, ReleaseFolder folder) throws IOException {
    for (Path file : folder.files()) {
      Path inside = folder.path().relativize(file);
      String full = name + (inside.toString().isEmpty() ? "" : "/" + inside);
      if (Files.isSymbolicLink(file)) {
        link(full, Files.readSymbolicLink(file).toString());
      } else if (Files.isDirectory(file)) {
        directory(full);
      } else {
        boolean seal = file.equals(folder.path().resolve(ReleaseFolder.SEAL));
        file(full, file, seal ? timeOfSeal(file) : time);
      }
    }
  }

  private void file(String name, Path file, Instant when) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(Files.size(file));
    entry.setMode(Files.isExecutable(file) ? PROGRAM : TEXT);
    put(entry, when);
    Files.copy(file, tar);
    tar.closeArchiveEntry();
  }

  private void put(TarArchiveEntry entry, Instant when) throws IOException {
    entry.setIds(0, 0);
    entry.setNames("root", "root");
    entry.setModTime(FileTime.from(when));
    tar.putArchiveEntry(entry);
  }

  private Instant timeOfSeal(Path seal) throws IOException {
    String digest = ReleaseFolder.digest("SHA-256", seal).substring(0, HEX_DIGITS_OF_SEAL);
    return time.minusSeconds(Long.parseLong(digest, 16));
  }

  @Override
  public void close() throws IOException {
    tar.close();
  }
}
