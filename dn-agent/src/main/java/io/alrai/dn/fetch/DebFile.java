package io.alrai.dn.fetch;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.tukaani.xz.XZInputStream;

/**
 * A package file, deb(5): an ar archive of {@code debian-binary}, {@code control.tar.*} and {@code
 * data.tar.*}. The last holds the package's files.
 */
final class DebFile {
  /** For dictionaries of xz; at its strongest it has one of 64 MB. */
  private static final int XZ_MEMORY_KIB = 96 * 1024;

  private DebFile() {}

  /** The archive's side failed, not the disk. */
  private static final class Malformed extends IOException {
    private static final long serialVersionUID = 1L;

    Malformed(Exception cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }
  }

  /** Whatever fails here is the archive's fault. */
  private static final class Content extends FilterInputStream {
    Content(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return super.read(bytes, offset, length);
      } catch (IOException | RuntimeException e) {
        throw new Malformed(e);
      }
    }
  }

  /**
   * Unpacks the package's files.
   *
   * @throws FetchException when it is not as it should be
   * @throws IOException when it cannot be read or written
   */
  static void unpack(Path file, SafeTree tree) throws IOException, FetchException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        ArArchiveInputStream members = new ArArchiveInputStream(in)) {
      for (ArArchiveEntry member = next(members); member != null; member = next(members)) {
        if (member.getName().startsWith("data.tar")) {
          unpack(decompressed(member.getName(), members), tree);
          return;
        }
      }
    } catch (Malformed e) {
      throw new FetchException("its " + file.getFileName() + " is damaged: " + e.getMessage(), e);
    }
    throw new FetchException("its " + file.getFileName() + " is no package: it has no data.tar");
  }

  private static InputStream decompressed(String member, InputStream in)
      throws IOException, FetchException {
    try {
      return switch (member) {
        case "data.tar" -> in;
        case "data.tar.gz" -> new GZIPInputStream(in);
        case "data.tar.xz" -> new XZInputStream(in, XZ_MEMORY_KIB);
        default ->
            throw new FetchException("a package of it is compressed in a way not known: " + member);
      };
    } catch (IOException e) {
      throw new Malformed(e);
    }
  }

  private static void unpack(InputStream in, SafeTree tree) throws IOException, FetchException {
    TarArchiveInputStream data = new TarArchiveInputStream(in, StandardCharsets.UTF_8.name());
    Content content = new Content(data);
    for (TarArchiveEntry entry = next(data); entry != null; entry = next(data)) {
      String name = entry.getName();
      if (entry.isDirectory()) {
        tree.directory(name);
      } else if (entry.isSymbolicLink()) {
        tree.link(name, entry.getLinkName());
      } else if (entry.isLink()) {
        tree.hardLink(name, entry.getLinkName());
      } else if (isPlain(entry)) {
        tree.file(name, entry.getMode(), content);
      } else {
        throw new FetchException("a package of it holds " + name + ", which is no plain file");
      }
    }
  }

  /** isFile() is true for devices, too. */
  private static boolean isPlain(TarArchiveEntry entry) {
    byte type = entry.getLinkFlag();
    return type == TarConstants.LF_NORMAL || type == TarConstants.LF_OLDNORM;
  }

  private static ArArchiveEntry next(ArArchiveInputStream members) throws IOException {
    try {
      return members.getNextEntry();
    } catch (IOException | RuntimeException e) {
      throw new Malformed(e);
    }
  }

  private static TarArchiveEntry next(TarArchiveInputStream data) throws IOException {
    try {
      return data.getNextEntry();
    } catch (IOException | RuntimeException e) {
      throw new Malformed(e);
    }
  }
}
