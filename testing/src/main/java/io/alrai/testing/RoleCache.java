package io.alrai.testing;

import io.alrai.cn.console.Main;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache of classes with which JVMs of roles start, made as {@code ./alrai up --processes} makes
 * it, once for all tests of a module's build: without it a JVM takes twice as long to start.
 * Thread-safe.
 */
final class RoleCache {
  /** Several times what it takes to make one. */
  private static final long MOST_MINUTES = 4;

  private static final Logger LOG = LoggerFactory.getLogger(RoleCache.class);

  /**
   * Arguments: the checkout, the JDK, the class path, options of the JVM, where caches are, jars on
   * no class path.
   */
  private static final String MAKE =
      """
      root=$1 JAVA_HOME=$2 classpath=$3 options=$4 alrai_caches=$5 alrai_openpgp=$6 alrai_seal=
      . "$root/.mvn/warm.sh"
      alrai_name_cache
      alrai_cache_fits || alrai_warm warm --seconds 2
      alrai_cache_fits && printf '%s\\n' "$cache" "$alrai_cache_options"
      """;

  /** The cache and the options that go with it, once asked for; no words where there is none. */
  private static Optional<List<String>> made = Optional.empty();

  private RoleCache() {}

  /**
   * The class path of this JVM without its directories, which no cache can be made of, and without
   * what the launcher keeps apart.
   */
  static String classPath() {
    return jars(jar -> !isApart(jar));
  }

  private static String jars(Predicate<Path> which) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Files.isRegularFile(Path.of(entry)) && which.test(Path.of(entry)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isApart(Path jar) {
    return jar.getFileName().toString().matches("bc(pg|prov|util)-.*");
  }

  /**
   * What a JVM that starts roles has besides; nothing where classes are not in jars, or no cache
   * could be made.
   *
   * @param options of all these JVMs
   */
  static List<String> options(List<String> options) {
    List<String> cache = cache(options);
    return cache.isEmpty()
        ? List.of()
        : List.of(
            "-Dalrai.openpgp=" + jars(RoleCache::isApart),
            "-Dalrai.roles.cache=-XX:AOTCache=" + cache.get(0),
            "-Dalrai.roles.cacheOptions=" + cache.get(1));
  }

  private static synchronized List<String> cache(List<String> options) {
    List<String> cache = made.orElseGet(() -> make(options));
    made = Optional.of(cache);
    return cache;
  }

  /** Whether this JVM's classes of the project are in jars, as in a build. */
  private static boolean areInJars() {
    String main = Main.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return main.endsWith(".jar");
  }

  private static List<String> make(List<String> options) {
    if (!areInJars() || "no".equals(System.getenv("ALRAI_WARM"))) {
      return List.of();
    }
    Path caches = Path.of("target", "warm").toAbsolutePath();
    Path root = Path.of("..").toAbsolutePath().normalize();
    List<String> command =
        List.of(
            "sh",
            "-c",
            MAKE,
            "sh",
            root.toString(),
            System.getProperty("java.home"),
            classPath(),
            String.join(" ", options),
            caches.toString(),
            jars(RoleCache::isApart));
    Path scratch = TestDirectories.create("warm-");
    Path said = scratch.resolve("said");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      boolean cached = ends(process) && process.exitValue() == 0;
      List<String> lines = Files.readAllLines(said);
      if (!cached) {
        LOG.warn("roles start without a cache of classes, see {}: {}", caches, lines);
      }
      return cached ? lines.subList(lines.size() - 2, lines.size()) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      TestDirectories.remove(scratch);
    }
  }

  /** Whether it ends in time; it is ended, with all that it has started, where it does not. */
  private static boolean ends(Process process) {
    boolean ends = false;
    try {
      ends = process.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!ends) {
        process.destroy();
      }
    }
    return ends;
  }
}
