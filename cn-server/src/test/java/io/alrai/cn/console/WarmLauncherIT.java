package io.alrai.cn.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.launch.ClassCache;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the shell script {@code alrai} does about the cache of classes and profiles, in a directory
 * that looks like a build whose one class prints its arguments.
 */
@Timeout(120)
final class WarmLauncherIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String WARMING = "warming up, once for each build (up to a minute) ...\n";
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000_000_000L);

  /** TRAINING says how its training ends: with a status, or never, which it then says at a port. */
  private static final String MAIN =
      """
      package io.alrai.cn.console;

      import java.nio.file.*;

      public final class Main {
        public static void main(String[] arguments) throws Exception {
          System.out.println("BUILD" + String.join(" ", arguments));
          if (arguments[0].equals("warm")) {
            Files.writeString(
                Path.of(System.getenv("TRAININGS")),
                "one\\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Files.createTempFile("scratch", "");
            String training = System.getenv("TRAINING");
            if (training.startsWith("port ")) {
              new java.net.Socket("127.0.0.1", Integer.parseInt(training.substring(5)))
                  .getInputStream().read();
            }
            if (training.startsWith("touches ")) {
              Files.writeString(Path.of(training.substring(8)), "", StandardOpenOption.APPEND);
              Files.setLastModifiedTime(
                  Path.of(training.substring(8)),
                  java.nio.file.attribute.FileTime.fromMillis(1_500_000_000_000L));
              training = "0";
            }
            System.exit(Integer.parseInt(training));
          }
        }
      }
      """;

  @TempDir Path build;

  private Path trainings;
  private Path caches;
  private Path jar;
  private Path temporary;

  private record Ending(int code, String output) {}

  @BeforeEach
  void make() throws IOException {
    trainings = build.resolve("trainings");
    caches = build.resolve("cn-server/target/warm");
    jar = build.resolve("cn-server/target/main.jar");
    temporary = Files.createDirectories(build.resolve("temporary"));
    for (String file : List.of("alrai", ".mvn/find-jdk.sh", ".mvn/warm.sh")) {
      Files.createDirectories(build.resolve(file).getParent());
      Files.copy(ROOT.resolve(file), build.resolve(file));
    }
    assertTrue(build.resolve("alrai").toFile().setExecutable(true));
    Files.createDirectories(jar.getParent());
    compile("");
    Files.setLastModifiedTime(jar, LONG_AGO);
    Files.writeString(build.resolve("cn-server/target/alrai.jars"), jar + "\n");
  }

  /**
   * Makes the jar anew, of a class that prints this first; as long as the text is, so is the jar.
   */
  private void compile(String text) throws IOException {
    Path source = build.resolve("classes/io/alrai/cn/console/Main.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, MAIN.replace("BUILD", text));
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()));
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.setLevel(Deflater.NO_COMPRESSION);
      out.putNextEntry(new JarEntry("io/alrai/cn/console/Main.class"));
      out.write(Files.readAllBytes(source.resolveSibling("Main.class")));
    }
  }

  @Test
  void theFirstUpMakesTheCacheAndLaterOnesUseItUntilTheBuildChanges() throws Exception {
    assertEquals(new Ending(0, WARMING + "up --processes\n"), alrai("up", "--processes"));
    Path first = onlyCache();
    assertEquals(new Ending(0, "up --dns 2\n"), alrai("up", "--dns", "2"));
    assertTrue(isUsed());
    assertTrue(isUsed("up", "--dns", "2"));
    assertFalse(isUsed("up", "--dns", "2", "--processes"), "it only keeps those that use it");
    assertTrue(isGivenOn(first));

    Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000_001_000L));
    assertEquals(new Ending(0, "status\n"), alrai("status"), "nothing that is slow for a question");
    assertFalse(isUsed());
    assertFalse(isGivenOn(first));
    assertEquals(new Ending(0, WARMING + "up --processes\n"), alrai("up", "--processes"));
    assertTrue(isUsed());
    assertNotEquals(first, onlyCache(), "the cache of another build is gone");
    assertEquals(2, trainings());
  }

  @Test
  void theGmsAndAProcessThatKeepsRolesAreSmallUnlessAPersonWantsMore() throws Exception {
    String small = "-XX:NewSize=" + (6 << 20);
    String larger = "-XX:NewSize=" + (9 << 20);
    String slow = "-XX:TieredStopAtLevel=1";
    assertFalse(flags("", "cn").contains("NewSize"));
    assertTrue(flags("", "gms").contains(small));
    assertTrue(flags("-Xmn9m", "gms").contains(larger));
    assertFalse(flags("", "gms").contains(slow));
    String keeper = flags("", "up", "--processes");
    assertTrue(keeper.contains(small) && keeper.contains(slow), keeper);
    assertTrue(flags("-Xmn9m", "up", "--processes").contains(larger));
    assertTrue(flags("-Xmn9m", "up").contains(larger));
  }

  /** Those of the JVM's options that are not what they are by themselves. */
  private String flags(String wanted, String... arguments) throws Exception {
    Map<String, String> environment =
        Map.of("ALRAI_WARM", "no", "ALRAI_JVM_OPTIONS", wanted + " -XX:+PrintCommandLineFlags");
    return ending(start(environment, arguments)).output();
  }

  @Test
  void classesOfAnEarlierBuildAreNeverRun() throws Exception {
    compile("one ");
    assertEquals(new Ending(0, WARMING), alrai("warm"));
    assertEquals(new Ending(0, "one status\n"), alrai("status"));
    long size = Files.size(jar);
    compile("two ");
    assertEquals(size, Files.size(jar));
    assertEquals(new Ending(0, "two status\n"), alrai("status"));
    compile("three ");
    assertEquals(new Ending(0, "three status\n"), alrai("status"));
    assertEquals(1, trainings());
  }

  @Test
  void aBuildThatChangesWhileItIsTrainedHasNoCache() throws Exception {
    Map<String, String> touching = Map.of("TRAINING", "touches " + jar);
    assertEquals(new Ending(1, WARMING + told()), ending(start(touching, "warm")));
    assertEquals(Set.of("lock", "log", "failed"), kinds());
    Files.setLastModifiedTime(jar, LONG_AGO);
    assertFalse(isUsed());
  }

  @Test
  void aDamagedCacheOrStampDoesNoHarm() throws Exception {
    assertEquals(new Ending(0, WARMING + "up --processes\n"), alrai("up", "--processes"));
    Path cache = onlyCache();
    byte[] right = Files.readAllBytes(cache);
    byte[] flipped = right.clone();
    Arrays.fill(flipped, right.length / 3, right.length / 3 + 4096, (byte) 0x5a);
    byte[] otherJdk = right.clone();
    Arrays.fill(otherJdk, 100, 1_000, (byte) 'x');
    List<byte[]> damages =
        List.of(
            "no cache at all".getBytes(StandardCharsets.UTF_8),
            Arrays.copyOf(right, right.length / 2),
            flipped,
            otherJdk);
    for (byte[] damage : damages) {
      Files.write(cache, damage);
      assertFalse(isUsed());
    }
    Files.write(cache, right);
    assertTrue(isUsed());

    Path stamp = cache.resolveSibling(cache.getFileName().toString().replace(".aot", ".stamp"));
    String whole = Files.readString(stamp);
    Files.writeString(stamp, whole.substring(0, whole.length() / 2));
    assertFalse(isUsed());
    assertFalse(isGivenOn(cache));
    assertEquals(new Ending(0, WARMING + "up --processes\n"), alrai("up", "--processes"));
    assertEquals(whole, Files.readString(stamp));
    assertTrue(isUsed());
  }

  @Test
  void aTrainingEndsWithWhoeverStartedItAndLeavesNothing() throws Exception {
    try (ServerSocket training = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Process launcher =
          start(Map.of("TRAINING", "port " + training.getLocalPort()), "up", "--processes");
      try (Socket jvm = training.accept()) {
        launcher.toHandle().destroy(); // its output is still read
        assertEquals(new Ending(143, WARMING), ending(launcher));
        assertEquals(-1, endOf(jvm));
      }
    }
    assertEquals(Set.of("lock", "log"), kinds());
    assertEquals(List.of(), files(temporary));
  }

  /** -1 when the other side has ended, orderly or not. */
  private static int endOf(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException e) {
      return -1;
    }
  }

  @Test
  void twoAtOnceMakeOneCache() throws Exception {
    Process one = start(Map.of(), "up", "--processes");
    Process other = start(Map.of(), "up", "--processes");
    String both = ending(one).output() + ending(other).output();
    String line = "up --processes\n";
    assertEquals(
        WARMING + line + line, both.startsWith(line) ? both.substring(line.length()) + line : both);
    assertEquals(1, trainings());
    assertTrue(isUsed());
    assertEquals(Set.of("aot", "stamp", "lock", "log"), kinds());
  }

  @Test
  void whereNothingCanBeWrittenItStartsWithoutACache() throws Exception {
    Files.writeString(caches, "no directory");
    assertEquals(new Ending(0, "up --processes\n"), alrai("up", "--processes"));
    assertEquals(new Ending(1, "alrai: nothing can be kept in " + caches + "\n"), alrai("warm"));
    assertEquals(0, trainings());
  }

  @Test
  void aJdkWithoutSuchCachesIsRunWithoutOne() throws Exception {
    Path jdk = build.resolve("jdk");
    Path java = jdk.resolve("bin/java");
    for (String file : List.of("bin/javac", "bin/java", "lib/modules", "lib/server/libjvm.so")) {
      Files.createDirectories(jdk.resolve(file).getParent());
      Files.writeString(jdk.resolve(file), "");
      assertTrue(jdk.resolve(file).toFile().setExecutable(true));
    }
    Files.copy(Path.of(System.getProperty("java.home"), "release"), jdk.resolve("release"));
    Files.writeString(
        java,
        """
        #!/bin/sh
        case $* in *AOT*) echo "Unrecognized VM option" >&2; exit 1 ;; esac
        exec %s/bin/java "$@"
        """
            .formatted(System.getProperty("java.home")));
    Map<String, String> other = Map.of("ALRAI_JAVA_HOME", jdk.toString());
    assertEquals(
        new Ending(0, WARMING + told() + "up --processes\n"),
        ending(start(other, "up", "--processes")));
    assertEquals(new Ending(0, "up --processes\n"), ending(start(other, "up", "--processes")));
  }

  @Test
  void aTrainingThatFailsIsToldOnceAndMadeAgainOnDemandOnly() throws Exception {
    Map<String, String> failing = Map.of("TRAINING", "1");
    assertEquals(
        new Ending(0, WARMING + told() + "up --processes\n"),
        ending(start(failing, "up", "--processes")));
    assertEquals(new Ending(0, "up --processes\n"), ending(start(failing, "up", "--processes")));
    assertEquals(new Ending(1, WARMING + told()), ending(start(failing, "warm")));
    assertEquals(new Ending(0, WARMING), alrai("warm"));
    assertTrue(isUsed());
    assertEquals(
        new Ending(0, "up --processes\n"),
        ending(start(Map.of("ALRAI_WARM", "no"), "up", "--processes")));
  }

  private Path onlyCache() throws IOException {
    try (Stream<Path> files = Files.list(caches)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(".aot")).toList();
      assertEquals(1, found.size(), found.toString());
      return found.getFirst();
    }
  }

  /** What lies beside the cache: the ends of the files' names. */
  private Set<String> kinds() throws IOException {
    return files(caches).stream()
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .collect(Collectors.toSet());
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private String told() {
    return "alrai: JVMs start without a cache of classes and profiles, see "
        + caches.resolve("log")
        + "\n";
  }

  /** Whether a JVM with this cache gives it to those that it starts. */
  private boolean isGivenOn(Path cache) {
    List<String> option = List.of("-XX:AOTCache=" + cache);
    return ClassCache.fitting(option, jar.toString()).equals(option);
  }

  private long trainings() throws IOException {
    return Files.exists(trainings) ? Files.readAllLines(trainings).size() : 0;
  }

  /** Whether a JVM takes its classes out of the cache: its own log says so. */
  private boolean isUsed() throws Exception {
    return isUsed("status");
  }

  private boolean isUsed(String... arguments) throws Exception {
    Path log = Files.createTempFile(build, "classes", ".log");
    Map<String, String> logged = Map.of("ALRAI_JVM_OPTIONS", "-Xlog:class+load:file=" + log);
    String said = String.join(" ", arguments) + "\n";
    assertEquals(new Ending(0, said), ending(start(logged, arguments)));
    return Files.readString(log).contains("io.alrai.cn.console.Main source: shared objects file");
  }

  private Ending alrai(String... arguments) throws Exception {
    return ending(start(Map.of(), arguments));
  }

  private Process start(Map<String, String> environment, String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(build.resolve("alrai").toString());
    builder.command().addAll(List.of(arguments));
    builder.redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("ALRAI_"));
    builder.environment().put("ALRAI_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("TRAININGS", trainings.toString());
    builder.environment().put("TRAINING", "0");
    builder.environment().put("TMPDIR", temporary.toString());
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static Ending ending(Process process) throws IOException, InterruptedException {
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ending(process.waitFor(), output);
  }
}
