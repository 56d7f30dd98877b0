package io.alrai.dist;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * A compressed tar file that depends on the contents of a folder only: names are sorted, files
 * belong to root, may be read by all, and have one time.
 *
 * <p>The seal has another time, before that and made of its bytes. The stamp of a cache of classes
 * knows files by size and time ({@code .mvn/warm.sh}); jars of two builds may be equal in both.
 *
 * @param time of all files
 */
record Tarball(Instant time) {
  private static final int PROGRAM = 0755;
  private static final int TEXT = 0644;
  private static final int LINK = 0777;

  /** Bits of the seal's digest that are seconds of its time: 8 years. */
  private static final int HEX_DIGITS_OF_SEAL = 7;

  void write(ReleaseFolder folder, Path file) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part));
        TarArchiveOutputStream tar =
            new TarArchiveOutputStream(new GZIPOutputStream(out, 1 << 16))) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
      for (Path each : folder.files()) {
        add(tar, folder, each);
      }
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private void add(TarArchiveOutputStream tar, ReleaseFolder folder, Path file) throws IOException {
    Path inside = folder.path().relativize(file);
    String name = folder.path().getFileName() + (inside.toString().isEmpty() ? "" : "/" + inside);
    if (Files.isSymbolicLink(file)) {
      TarArchiveEntry link = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
      link.setMode(LINK);
      link.setLinkName(Files.readSymbolicLink(file).toString());
      begin(tar, link, time);
    } else if (Files.isDirectory(file)) {
      TarArchiveEntry directory = new TarArchiveEntry(name + "/");
      directory.setMode(PROGRAM);
      begin(tar, directory, time);
    } else {
      TarArchiveEntry entry = new TarArchiveEntry(name);
      entry.setSize(Files.size(file));
      entry.setMode(Files.isExecutable(file) ? PROGRAM : TEXT);
      boolean seal = file.equals(folder.path().resolve(ReleaseFolder.SEAL));
      begin(tar, entry, seal ? timeOfSeal(file) : time);
      Files.copy(file, tar);
    }
    tar.closeArchiveEntry();
  }

  private static void begin(TarArchiveOutputStream tar, TarArchiveEntry entry, Instant time)
      throws IOException {
    entry.setIds(0, 0);
    entry.setNames("root", "root");
    entry.setModTime(FileTime.from(time));
    tar.putArchiveEntry(entry);
  }

  private Instant timeOfSeal(Path seal) throws IOException {
    String digest = ReleaseFolder.sha256(seal).substring(0, HEX_DIGITS_OF_SEAL);
    return time.minusSeconds(Long.parseLong(digest, 16));
  }
}
