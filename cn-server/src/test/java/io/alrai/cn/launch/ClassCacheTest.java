package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a JVM that starts others makes of a cache and its stamp. */
final class ClassCacheTest {
  @TempDir Path directory;

  private Path cache;
  private Path stamp;
  private Path one;
  private Path two;
  private Path jdk;
  private String classPath;
  private String written;

  @BeforeEach
  void make() throws IOException {
    cache = Files.writeString(directory.resolve("1-2.aot"), "classes");
    one = file("one.jar");
    two = file("a second.jar");
    jdk = file("release");
    classPath = one + ":" + two;
    written = "options -Da=b\nclasspath " + classPath + "\n" + line(jdk) + line(one) + line(two);
    stamp = Files.writeString(directory.resolve("1-2.stamp"), written);
  }

  private Path file(String name) throws IOException {
    Path file = Files.writeString(directory.resolve(name), name);
    return Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_123L));
  }

  private static String line(Path file) throws IOException {
    return Files.size(file) + " 1700000000 " + file + "\n";
  }

  private List<String> fitting(String path) {
    return ClassCache.fitting(List.of("-Xmx9m", "-XX:AOTCache=" + cache, "-Da=b"), path);
  }

  @Test
  void rolesTakeTheCacheThatIsForThemAndOthersPassItOn() {
    List<String> options =
        List.of(
            "-Xmx9m",
            "-Dalrai.roles.cache=-XX:AOTCache=" + cache,
            "-Dalrai.roles.cacheOptions=-XX:+VerifySharedSpaces  -Xlog:aot*=off");
    assertEquals(options, ClassCache.fitting(options, classPath));
    assertEquals(
        List.of("-Xmx9m", "-XX:AOTCache=" + cache, "-XX:+VerifySharedSpaces", "-Xlog:aot*=off"),
        RoleOptions.of(options, classPath, "dn"));
    assertEquals(
        List.of("-Xmx9m", "-XX:+VerifySharedSpaces", "-Xlog:aot*=off"),
        RoleOptions.of(options, classPath + ":" + cache, "dn"));
  }

  private void assertFits() {
    assertEquals(List.of("-Xmx9m", "-XX:AOTCache=" + cache, "-Da=b"), fitting(classPath));
  }

  private void assertDoesNotFit() {
    assertEquals(List.of("-Xmx9m", "-Da=b"), fitting(classPath));
  }

  @Test
  void aCacheOfJustTheseFilesIsKept() {
    assertFits();
  }

  @Test
  void aFileThatIsOlderNewerLongerOrGoneMakesItStale() throws IOException {
    for (Path file : List.of(one, two, jdk)) {
      String name = file.getFileName().toString();
      for (long seconds : List.of(1_699_999_999L, 1_700_000_001L)) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(seconds * 1_000));
        assertDoesNotFit();
        file(name);
        assertFits();
      }
      Files.writeString(file, name + "!");
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_123L));
      assertDoesNotFit();
      Files.delete(file);
      assertDoesNotFit();
      file(name);
      assertFits();
    }
  }

  @Test
  void anotherClassPathHasAnotherCache() throws IOException {
    Path three = file("three.jar");
    for (String other : List.of(two + ":" + one, one.toString(), classPath + ":" + three)) {
      assertEquals(List.of("-Xmx9m", "-Da=b"), fitting(other), other);
    }
  }

  @Test
  void withoutAWholeStampThereIsNoCache() throws IOException {
    for (int end = written.length() - 2; end >= 0; end--) {
      Files.writeString(stamp, written.substring(0, end));
      assertDoesNotFit();
    }
    Files.writeString(stamp, written + "more\n");
    assertDoesNotFit();
    Files.write(stamp, new byte[] {(byte) 0xff, (byte) 0xfe});
    assertDoesNotFit();
    Files.delete(stamp);
    assertDoesNotFit();
    Files.writeString(stamp, written);
    assertFits();
    Files.delete(cache);
    assertDoesNotFit();
  }

  @Test
  void aFileWhoseNameIsNotACachesIsNoCache() {
    assertEquals(List.of(), ClassCache.fitting(List.of("-XX:AOTCache=" + one), classPath));
    assertEquals(List.of(), ClassCache.fitting(List.of("-XX:AOTCache="), classPath));
  }
}
