package io.alrai.dn.mysqld;

import io.alrai.dn.fetch.DebianSource;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a MySQL server is looked for, in this order.
 *
 * @param configured a mysqld, or a directory with bin/mysqld; when set, nothing else is tried
 * @param directories directories that may hold a {@code mysqld}: those of PATH and usual places
 * @param cacheDirectory holds the fetched server and the template data directories
 * @param mayFetch whether a server may be downloaded when none is found
 * @param source what to download from
 */
public record MysqlSearch(
    Optional<Path> configured,
    List<Path> directories,
    Path cacheDirectory,
    boolean mayFetch,
    DebianSource source) {
  /** What is fetched is signed; by https where http is blocked. */
  private static final String DEBIAN_MIRRORS =
      "http://deb.debian.org/debian https://deb.debian.org/debian";

  private static final List<String> USUAL_PLACES =
      List.of(
          "/usr/sbin",
          "/usr/libexec",
          "/usr/local/sbin",
          "/usr/local/mysql/bin",
          "/opt/homebrew/opt/mysql/bin");

  public MysqlSearch {
    directories = List.copyOf(directories);
  }

  /**
   * Reads ALRAI_MYSQLD (optional), PATH, ALRAI_CACHE (default ~/.cache/alrai), ALRAI_FETCH ("no"
   * forbids downloads), ALRAI_DEBIAN_MIRROR (one or several) and the variables that name proxies.
   */
  public static MysqlSearch fromEnvironment(Map<String, String> environment) {
    Stream<String> path =
        Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .filter(entry -> entry.startsWith("/"));
    return new MysqlSearch(
        setting(environment, "ALRAI_MYSQLD").map(Path::of),
        Stream.concat(path, USUAL_PLACES.stream()).distinct().map(Path::of).toList(),
        cacheDirectory(environment),
        !"no".equals(environment.get("ALRAI_FETCH")),
        DebianSource.of(
            setting(environment, "ALRAI_DEBIAN_MIRROR").orElse(DEBIAN_MIRRORS), environment));
  }

  /** A search that finds this server only. */
  public MysqlSearch withConfigured(Path mysqld) {
    return new MysqlSearch(Optional.of(mysqld), directories, cacheDirectory, mayFetch, source);
  }

  private static Path cacheDirectory(Map<String, String> environment) {
    return setting(environment, "ALRAI_CACHE")
        .map(Path::of)
        .orElseGet(() ->
            setting(environment, "XDG_CACHE_HOME")
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"))
                .resolve("alrai"))
        .toAbsolutePath();
  }

  private static Optional<String> setting(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }
}
