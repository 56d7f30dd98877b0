package io.alrai.dn.mysqld;

import io.alrai.common.file.DiskSpace;
import io.alrai.dn.fetch.DebianPackages;
import io.alrai.dn.fetch.DebianSource;
import io.alrai.dn.fetch.FetchException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Fetches a MySQL server into the cache:
 *
 * <pre>
 *   CACHE/mysql-9.7/root/...          the unpacked packages
 *   CACHE/mysql-9.7/bin/mysqld,mysql  scripts that run the programs with the packages' own loader
 *                                     and libraries, as the machine's C library may be older
 * </pre>
 *
 * <p>It appears under its name when it is complete and its server has reported its version; a lock
 * lets one process fetch and others wait.
 */
final class MysqlFetch {
  private static final String NAME = "mysql-9.7";
  private static final List<String> PACKAGES =
      List.of("mysql-server-core", "mysql-client-core", "mysql-common");
  private static final long NEEDED_BYTES = 700L << 20;
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};

  /** The paths are found from the script's own, so that the directory can be moved. */
  private static final String SCRIPT =
      """
      #!/bin/sh
      self=$0
      [ -L "$self" ] && self=$(readlink -f "$self")
      case $self in */*) ;; *) self=./$self ;; esac
      root=$(cd "${self%/*}/../root" && pwd -P) || exit 1
      exec "$root/@loader@" --library-path "$root/@libraries@" "$root/@program@"@options@ "$@"
      """;

  private static final String SERVER_OPTIONS =
      " --no-defaults --lc-messages-dir=\"$root/usr/share/mysql\""
          + " --character-sets-dir=\"$root/usr/share/mysql/charsets\""
          + " --plugin-dir=\"$root/usr/lib/mysql/plugin\" --secure-file-priv=";

  private final Path cacheDirectory;
  private final DebianSource source;

  MysqlFetch(Path cacheDirectory, DebianSource source) {
    this.cacheDirectory = cacheDirectory;
    this.source = source;
  }

  /** Where the fetched server lies, or would lie. */
  Path mysqld() {
    return cacheDirectory.resolve(NAME).resolve("bin/mysqld");
  }

  /**
   * Fetches it, unless another process has done so meanwhile.
   *
   * @throws MysqldException FETCH_FAILED, DISK_FULL, PERMISSION; or UNSUITABLE when what was
   *     fetched does not run here
   */
  MysqlInstallation fetch(InstallProgress progress) {
    FileTrees.createDirectories(cacheDirectory);
    Path lockFile = cacheDirectory.resolve(NAME + ".lock");
    Runnable whenHeld = () -> progress.step("another process is fetching MySQL: waiting for it");
    try (PathLock _ = PathLock.acquire(lockFile, whenHeld)) {
      if (!isUsable()) {
        requireSpace();
        fetchAlone(progress);
      }
    }
    return MysqlInstallation.of(mysqld());
  }

  /** A power failure may have left a server that does not run: it is fetched again. */
  private boolean isUsable() {
    if (!Files.exists(mysqld())) {
      return false;
    }
    try {
      return MysqlInstallation.of(mysqld()).version().compareTo(MysqlVersion.OLDEST) >= 0;
    } catch (MysqldException e) {
      return false;
    }
  }

  /** Only with the lock. */
  private void fetchAlone(InstallProgress progress) {
    Path unfinished = cacheDirectory.resolve(NAME + ".unfinished");
    FileTrees.delete(unfinished);
    try {
      Path installed = unfinished.resolve("installed");
      Path root = installed.resolve("root");
      unpack(unfinished.resolve("packages"), root, progress);
      writeScripts(root, installed.resolve("bin"));
      MysqlVersion version = MysqlInstallation.of(installed.resolve("bin/mysqld")).version();
      Path directory = cacheDirectory.resolve(NAME);
      FileTrees.delete(directory); // an unusable rest, if anything
      FileTrees.moveDurably(installed, directory);
      progress.step("MySQL " + version + " is in " + directory);
    } finally {
      FileTrees.delete(unfinished);
    }
  }

  private void unpack(Path work, Path root, InstallProgress progress) {
    try {
      new DebianPackages(source, PACKAGES, work, progress).unpackInto(root);
      FileTrees.delete(work);
    } catch (FetchException e) {
      throw new MysqldException(
          Reason.FETCH_FAILED,
          "MySQL cannot be fetched: "
              + e.sentence()
              + "\nALRAI_DEBIAN_MIRROR names other mirrors of Debian (also file:///...), https_proxy"
              + " and http_proxy a proxy, ALRAI_MYSQLD an installed MySQL server of at least "
              + MysqlVersion.OLDEST,
          e);
    } catch (IOException e) {
      throw FileTrees.failure("unpack MySQL's packages to", root, e);
    }
  }

  private void requireSpace() {
    try {
      long usable = DiskSpace.usable(cacheDirectory);
      if (usable < NEEDED_BYTES) {
        throw new MysqldException(
            Reason.DISK_FULL,
            "fetching MySQL needs "
                + (NEEDED_BYTES >> 20)
                + " MB in "
                + cacheDirectory
                + ", and "
                + (usable >> 20)
                + " MB are free; ALRAI_CACHE names another place");
      }
    } catch (IOException e) {
      throw FileTrees.failure("look at", cacheDirectory, e);
    }
  }

  private static void writeScripts(Path root, Path bin) {
    try {
      Files.createDirectories(bin);
      Path loader = first(root, List.of("usr/lib64", "usr/lib", "lib64", "lib"), "ld-linux*.so.*");
      Path libc = libraryDirectory(root);
      writeScript(root, bin, loader, libc, root.resolve("usr/sbin/mysqld"), SERVER_OPTIONS);
      try (Stream<Path> programs = Files.list(root.resolve("usr/bin"))) {
        for (Path program : programs.filter(MysqlFetch::isClientProgram).toList()) {
          writeScript(root, bin, loader, libc, program, "");
        }
      }
    } catch (IOException e) {
      throw FileTrees.failure("write", bin, e);
    }
  }

  private static void writeScript(
      Path root, Path bin, Path loader, Path libraries, Path program, String options)
      throws IOException {
    String text =
        SCRIPT
            .replace("@loader@", root.relativize(loader).toString())
            .replace("@libraries@", root.relativize(libraries).toString())
            .replace("@program@", root.relativize(program).toString())
            .replace("@options@", options);
    Path script = bin.resolve(program.getFileName());
    Files.writeString(script, text);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path libraryDirectory(Path root) throws IOException {
    try (Stream<Path> directories = Files.list(root.resolve("usr/lib"))) {
      return directories
          .filter(directory -> directory.toString().contains("-linux-gnu"))
          .filter(Files::isDirectory)
          .findFirst()
          .orElseThrow(() -> incomplete("no C library"));
    }
  }

  private static Path first(Path root, List<String> directories, String glob) throws IOException {
    for (String directory : directories) {
      if (Files.isDirectory(root.resolve(directory))) {
        try (var found = Files.newDirectoryStream(root.resolve(directory), glob)) {
          for (Path path : found) {
            return path;
          }
        }
      }
    }
    throw incomplete("no " + glob);
  }

  private static MysqldException incomplete(String what) {
    return new MysqldException(
        Reason.FETCH_FAILED, "the fetched packages are not as expected: " + what);
  }

  private static boolean isClientProgram(Path program) {
    if (!String.valueOf(program.getFileName()).startsWith("mysql")
        || Files.isSymbolicLink(program)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(program)) {
      return Arrays.equals(in.readNBytes(ELF.length), ELF);
    } catch (IOException e) {
      throw FileTrees.failure("read", program, e);
    }
  }
}
