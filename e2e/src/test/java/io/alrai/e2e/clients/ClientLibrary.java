package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.fetch.DebianPackages;
import io.alrai.dn.fetch.DebianSource;
import io.alrai.dn.fetch.FetchException;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlSearch;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * libmysqlclient with its headers and all that it needs, the C library included: packages of Debian
 * in the cache, fetched without root like mysqld. Programs that use it are run by its own loader,
 * as this machine's C library may be older.
 *
 * @param root the unpacked packages
 * @param libraries the directory in it that has the libraries and the loader
 */
record ClientLibrary(Path root, Path libraries) {
  private static final String NAME = "libmysqlclient-dev";

  /** The one of the cache, or one fetched now. Where it cannot be had, the test is skipped. */
  static ClientLibrary find() throws IOException {
    MysqlSearch search = MysqlSearch.fromEnvironment(System.getenv());
    Path directory = search.cacheDirectory().resolve(NAME);
    if (!Files.exists(directory)) {
      assumeTrue(search.mayFetch(), "there is no " + NAME + ", and fetching it is switched off");
      fetch(search.source(), directory);
    }
    return new ClientLibrary(
        directory, only(directory.resolve("usr/lib"), "*-linux-gnu*").toAbsolutePath());
  }

  /** Whole, or not at all. */
  private static void fetch(DebianSource source, Path directory) throws IOException {
    Files.createDirectories(directory.getParent());
    Path unfinished = Files.createTempDirectory(directory.getParent(), NAME + ".unfinished");
    try {
      Path root = unfinished.resolve("root");
      new DebianPackages(
              source, List.of(NAME), unfinished.resolve("packages"), InstallProgress.silent())
          .unpackInto(root);
      Files.move(root, directory);
    } catch (FetchException e) {
      abort(e.sentence());
    } finally {
      delete(unfinished);
    }
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList().reversed()) {
        Files.delete(file);
      }
    }
  }

  /** What makes a build of mysqlclient (Python) or of mysqlclient-sys (Rust) use it. */
  Map<String, String> building() {
    String headers = "-I" + root.resolve("usr/include/mysql");
    return Map.of(
        "MYSQLCLIENT_CFLAGS",
        headers + " -idirafter " + root.resolve("usr/include"),
        "MYSQLCLIENT_LDFLAGS",
        "-L" + libraries + " -lmysqlclient",
        "MYSQLCLIENT_LIB_DIR",
        libraries.toString(),
        // the newest whose declarations mysqlclient-sys has; they have not changed since
        "MYSQLCLIENT_VERSION",
        "9.5.0",
        // else one of the machine comes first
        "PKG_CONFIG_LIBDIR",
        root.resolve("none").toString());
  }

  /** The words in front of a program that runs with it. */
  List<String> loader() throws IOException {
    return List.of(
        only(libraries, "ld-linux*.so.*").toString(), "--library-path", libraries.toString());
  }

  private static Path only(Path directory, String glob) throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, glob)) {
      return found.iterator().next();
    }
  }
}
