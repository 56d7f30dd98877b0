package io.alrai.dn.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A directory that archives are unpacked into, whatever paths they hold: nothing is written or
 * linked outside of it. Names that climb out are refused; nothing is written through a link that
 * leads out; an absolute target of a link means the one below this directory, as it would in the
 * system that the archive is for.
 */
final class SafeTree {
  private final Path root;
  private final long mostBytes;
  private final int mostEntries;
  private long bytes;
  private int entries;

  /**
   * Creates the directory.
   *
   * @param mostBytes of all files
   * @param mostEntries files, directories and links
   */
  SafeTree(Path root, long mostBytes, int mostEntries) throws IOException {
    Files.createDirectories(root);
    this.root = root.toRealPath();
    this.mostBytes = mostBytes;
    this.mostEntries = mostEntries;
  }

  /** A directory and its parents; fine when it is there. */
  void directory(String name) throws IOException, FetchException {
    Path path = place(name);
    if (!Files.isDirectory(path)) {
      requireFree(path, name);
      Files.createDirectories(path);
    }
  }

  /**
   * A file, in place of one that is there.
   *
   * @param mode permissions as in a tar archive; the owner can always read and write, and nobody
   *     gets the rights of another user by it
   */
  void file(String name, int mode, InputStream content) throws IOException, FetchException {
    Path path = free(name);
    try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW)) {
      byte[] buffer = new byte[64 * 1024];
      for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
        bytes += n;
        if (bytes > mostBytes) {
          throw new FetchException("its packages hold more than " + (mostBytes >> 20) + " MB");
        }
        out.write(buffer, 0, n);
      }
    }
    Files.setPosixFilePermissions(path, permissions(mode));
  }

  /** A symbolic link. */
  void link(String name, String target) throws IOException, FetchException {
    Path path = free(name);
    Path parent = parent(path);
    Path leadsTo =
        target.startsWith("/")
            ? below(root, parts(target, name), name)
            : below(parent, target, name).normalize();
    if (target.isEmpty() || !leadsTo.startsWith(root)) {
      throw refused(name, "a link out of its directory");
    }
    Files.createSymbolicLink(
        path, target.startsWith("/") ? parent.relativize(leadsTo) : Path.of(target));
  }

  /** A second name of a file that is there. */
  void hardLink(String name, String target) throws IOException, FetchException {
    Path to = place(target);
    if (!Files.isRegularFile(to, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(name, "a link to what is no file of it");
    }
    Files.createLink(free(name), to);
  }

  /**
   * To be called at the end: looks at each link again, as links may lead over links.
   *
   * @throws FetchException when one leads out
   */
  void requireLinksInside() throws IOException, FetchException {
    List<Path> links;
    try (Stream<Path> all = Files.walk(root)) {
      links = all.filter(Files::isSymbolicLink).toList();
    }
    for (Path link : links) {
      if (Files.exists(link) && !link.toRealPath().startsWith(root)) {
        throw refused(String.valueOf(root.relativize(link)), "a link out of its directory");
      }
    }
  }

  /** Where this may be put: what is there, unless a directory, is gone and the parents exist. */
  private Path free(String name) throws IOException, FetchException {
    Path path = place(name);
    if (path.equals(root)) {
      throw refused(name, "no file name");
    }
    requireFree(path, name);
    Files.createDirectories(parent(path));
    return path;
  }

  private static void requireFree(Path path, String name) throws IOException, FetchException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(name, "in the place of a directory");
    }
    Files.deleteIfExists(path);
  }

  /** The path below the root, of which no part that is there leads out of it. */
  private Path place(String name) throws IOException, FetchException {
    entries++;
    if (entries > mostEntries) {
      throw new FetchException("its packages hold more than " + mostEntries + " files");
    }
    if (name.startsWith("/")) {
      throw refused(name, "an absolute path");
    }
    Path path = below(root, parts(name, name), name);
    Path there = path.equals(root) ? root : parent(path);
    while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = parent(there);
    }
    if (!Files.exists(there) || !there.toRealPath().startsWith(root)) {
      throw refused(name, "a path over a link out of its directory");
    }
    return path;
  }

  private static String parts(String path, String name) throws FetchException {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      if (part.equals("..")) {
        throw refused(name, "a path out of its directory");
      }
      if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return String.join("/", parts);
  }

  private static Path below(Path directory, String path, String name) throws FetchException {
    try {
      return directory.resolve(path);
    } catch (InvalidPathException e) {
      throw refused(name, "a path that this machine cannot have (LC_ALL=C.UTF-8 may help)");
    }
  }

  private static Path parent(Path path) {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalStateException(path + " is not below a root");
    }
    return parent;
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> all = new HashSet<>(PosixFilePermissions.fromString("rw-r--r--"));
    if ((mode & 0111) != 0) {
      all.addAll(PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return all;
  }

  private static FetchException refused(String name, String why) {
    return new FetchException("a package of it holds " + shown(name) + ", " + why);
  }

  private static String shown(String name) {
    String plain = name.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= 100 ? plain : plain.substring(0, 100) + "...";
  }
}
