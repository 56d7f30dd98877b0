package io.alrai.testing;

import io.alrai.cn.console.Main;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache of classes and profiles with which JVMs of roles start, made as {@code ./alrai up
 * --processes} makes it, once for all tests of a module's build. JVMs without one take twice as
 * long. Thread-safe.
 */
final class RoleCache {
  private static final Logger LOG = LoggerFactory.getLogger(RoleCache.class);

  /** Arguments: the checkout, the JDK, the class path, options of the JVM, where caches are. */
  private static final String MAKE =
      """
      root=$1 JAVA_HOME=$2 classpath=$3 options=$4 alrai_caches=$5 alrai_seal=
      . "$root/.mvn/warm.sh"
      alrai_name_cache
      alrai_cache_fits || alrai_warm warm --seconds 2
      alrai_cache_fits && printf '%s\\n' "$cache" "$alrai_cache_options"
      """;

  /** The cache and the options that go with it, once asked for; no words where there is none. */
  private static Optional<List<String>> made = Optional.empty();

  private RoleCache() {}

  /** The class path of this JVM without its directories, which no cache can be made of. */
  static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Files.isRegularFile(Path.of(entry)))
        .collect(Collectors.joining(File.pathSeparator));
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
    if (!areInJars()) {
      return List.of();
    }
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
            Path.of("target", "warm").toAbsolutePath().toString());
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      List<String> lines = said.lines().toList();
      if (code != 0) {
        LOG.warn("roles start without a cache of classes: {}", said);
        return List.of();
      }
      return lines.subList(lines.size() - 2, lines.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
