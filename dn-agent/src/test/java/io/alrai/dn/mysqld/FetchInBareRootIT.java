package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.fetch.TestArchive;
import io.alrai.dn.fetch.TestKey;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fetch on a machine that has nothing but a JDK, /bin/sh and the C library: a root directory with
 * just these, made here and entered by chroot in a mount namespace of its own.
 */
class FetchInBareRootIT {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final TestKey KEY = TestKey.make();

  @TempDir Path temporary;
  private Path root;
  private String classPath = "";

  @BeforeEach
  void makeRoot() throws IOException {
    assumeTrue(
        run("unshare", "-rm", "true").exitCode() == 0, "this machine lets nobody make namespaces");
    root = Files.createDirectory(temporary.resolve("root"));
    for (String directory : List.of("bin", "dev", "proc", "tmp", "app")) {
      Files.createDirectory(root.resolve(directory));
    }
    Files.copy(Path.of("/bin/sh").toRealPath(), root.resolve("bin/sh"));
    Files.createDirectories(below(Path.of(System.getProperty("java.home"))));
    copyLibraries();
    copyClassPath();
    Files.write(root.resolve("tmp/keys.asc"), KEY.publicKey());
  }

  private Path below(Path path) {
    return root.resolve(Path.of("/").relativize(path));
  }

  /** What this JVM has loaded from elsewhere than the JDK, and the loader. */
  private void copyLibraries() throws IOException {
    String jdk = Path.of(System.getProperty("java.home")).toRealPath().toString();
    TreeSet<String> libraries = new TreeSet<>();
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      maps.map(line -> line.substring(line.lastIndexOf(' ') + 1))
          .filter(file -> file.matches("/.*\\.so[.0-9]*") && !file.startsWith(jdk))
          .forEach(libraries::add);
    }
    for (String loader : List.of("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")) {
      if (Files.exists(Path.of(loader))) {
        libraries.add(loader);
      }
    }
    for (String library : libraries) {
      Path copy = below(Path.of(library));
      Files.createDirectories(copy.getParent());
      Files.copy(Path.of(library).toRealPath(), copy, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void copyClassPath() throws IOException {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path from = Path.of(entry);
      if (Files.exists(from)) {
        Path to = Path.of("/app", Integer.toString(entries.size()), from.getFileName().toString());
        Files.createDirectories(below(to).getParent());
        try (Stream<Path> files = Files.walk(from)) {
          for (Path file : files.toList()) {
            Files.copy(file, below(to).resolve(from.relativize(file).toString()));
          }
        }
        entries.add(to.toString());
      }
    }
    classPath = String.join(File.pathSeparator, entries);
  }

  private static CommandRun run(String... command) {
    return CommandRun.of(Arrays.asList(command), BOUND);
  }

  private CommandRun fetch(String mirror) {
    String jdk = System.getProperty("java.home");
    return run(
        "unshare",
        "-rm",
        "sh",
        "-c",
        "mount --rbind /proc \"$1/proc\" && mount --rbind /dev \"$1/dev\""
            + " && mount --bind \"$2\" \"$1$2\" && root=$1 && shift 2"
            + " && PATH=/bin exec "
            + chroot()
            + " \"$root\" \"$@\"",
        "sh",
        root.toString(),
        jdk,
        jdk + "/bin/java",
        "-cp",
        classPath,
        BareFetch.class.getName(),
        "/tmp/cache",
        mirror,
        "/tmp/keys.asc");
  }

  private static String chroot() {
    return Stream.of("/usr/sbin/chroot", "/usr/bin/chroot", "/sbin/chroot")
        .filter(file -> Files.isExecutable(Path.of(file)))
        .findFirst()
        .orElse("chroot");
  }

  @Test
  void aServerIsFetchedWithoutAnyTool() throws IOException {
    try (Stream<Path> programs = Files.list(root.resolve("bin"))) {
      assertEquals(List.of(root.resolve("bin/sh")), programs.toList());
    }
    try (TestArchive archive = new TestArchive(KEY)) {
      FakeServer.publish(archive, FakeServer.saying("9.7.4"));
      CommandRun run = fetch(archive.mirror());
      assertEquals(0, run.exitCode(), run.output());
      assertTrue(run.output().contains("mysqld=/tmp/cache/mysql-9.7/bin/mysqld"), run.output());
      assertTrue(run.output().contains("version=9.7.4"), run.output());
    }
  }

  @Test
  void noSourceIsSaidInASentence() {
    CommandRun run = fetch("http://mirror.invalid/debian");
    assertEquals(1, run.exitCode(), run.output());
    assertTrue(run.output().startsWith("MySQL cannot be fetched: "), run.output());
    assertTrue(run.output().contains("there is no address for the name mirror.invalid"));
  }
}
