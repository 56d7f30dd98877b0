package io.alrai.cn.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The AOT cache of classes and profiles that a JVM may be started with. JDK 25 before 25.0.4 takes
 * the classes of a cache though the jars are others by now (JDK-8377932), so whoever starts a JVM
 * looks whether it belongs to them. The launcher does so by itself ({@code .mvn/warm.sh}); this is
 * for JVMs that start others, maybe long after a build was made anew. Any thread; reads a few
 * attributes of each jar.
 *
 * <p>Beside {@code KEY.aot} lies {@code KEY.stamp}: a line {@code options ...}, a line {@code
 * classpath ...}, and one for each file that the cache was made of, {@code SIZE SECONDS NAME}.
 *
 * @param file the cache, whose name ends with {@code .aot}
 */
public record ClassCache(Path file) {
  private static final String OPTION = "-XX:AOTCache=";
  private static final String SUFFIX = ".aot";
  private static final Pattern FILE_LINE = Pattern.compile("(\\d+) (\\d+) (.+)");

  /**
   * Options for a JVM of the same JDK.
   *
   * @param options of this JVM
   * @param classPath of the new one
   * @return all of them but a cache that is not made of just what is there now
   */
  public static List<String> fitting(List<String> options, String classPath) {
    return options.stream()
        .filter(option ->
            !option.startsWith(OPTION) || fits(option.substring(OPTION.length()), classPath))
        .toList();
  }

  private static boolean fits(String file, String classPath) {
    try {
      return new ClassCache(Path.of(file)).fits(classPath);
    } catch (IOException | InvalidPathException e) {
      return false; // when in doubt, none
    }
  }

  private boolean fits(String classPath) throws IOException {
    String name = file.toString();
    if (!name.endsWith(SUFFIX) || !Files.isReadable(file)) {
      return false;
    }
    Path stamp = Path.of(name.substring(0, name.length() - SUFFIX.length()) + ".stamp");
    List<String> lines = Files.readAllLines(stamp);
    Set<String> unseen = new HashSet<>(List.of(classPath.split(File.pathSeparator)));
    for (String line : lines.subList(Math.min(2, lines.size()), lines.size())) {
      Matcher known = FILE_LINE.matcher(line);
      if (!known.matches() || !isSame(known)) {
        return false;
      }
      unseen.remove(known.group(3));
    }
    return lines.size() > 2 && lines.get(1).equals("classpath " + classPath) && unseen.isEmpty();
  }

  private static boolean isSame(Matcher known) throws IOException {
    BasicFileAttributes now =
        Files.readAttributes(Path.of(known.group(3)), BasicFileAttributes.class);
    return known.group(1).equals(Long.toString(now.size()))
        && known.group(2).equals(Long.toString(now.lastModifiedTime().to(TimeUnit.SECONDS)));
  }
}
