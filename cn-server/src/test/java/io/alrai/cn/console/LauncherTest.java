package io.alrai.cn.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shell script {@code alrai}: in a source tree, with JDKs of other versions, and in a release.
 */
final class LauncherTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final String WRAPPER = ".mvn/wrapper/maven-wrapper.properties";

  /** What every machine has. */
  private static final List<String> TOOLS =
      List.of(
          "sed",
          "dirname",
          "readlink",
          "basename",
          "uname",
          "tr",
          "cat",
          "chmod",
          "mkdir",
          "mktemp",
          "mv",
          "rm",
          "sha256sum");

  @TempDir Path machine;

  private record Ending(int code, String output) {}

  @Test
  void aJdkThatIsTooOldIsToldInOneSentence() throws Exception {
    Path old = jdk("jdk-17", "17.0.9");
    assertEquals(
        new Ending(
            1,
            "Alrai needs a JDK 25 or newer and found only JDK 17: install one (for example Eclipse"
                + " Temurin 25) or set ALRAI_JAVA_HOME to it.\n"),
        run(old, "", ROOT.resolve("alrai").toString(), "status"));
  }

  @Test
  void aMachineWithoutAJdkIsToldInOneSentence() throws Exception {
    assertEquals(
        new Ending(
            1,
            "Alrai needs a JDK 25 or newer and found none: install one (for example Eclipse"
                + " Temurin 25) or set ALRAI_JAVA_HOME to it.\n"),
        run(machine, "", ROOT.resolve("alrai").toString(), "status"));
  }

  @Test
  void aNewerJdkElsewhereIsFoundThoughTheOneOnThePathIsOld() throws Exception {
    Path old = jdk("jdk-17", "17.0.9");
    Path fit = jdk("jdk-25", "25.0.1");
    String find = ". " + ROOT.resolve(".mvn/find-jdk.sh") + "; echo $JAVA_HOME";
    assertEquals(new Ending(0, fit + "\n"), run(old, machine + "/jdk-*", "/bin/sh", "-euc", find));
  }

  @Test
  void aReleaseRunsTheJvmAndTheJarsBesideItFromAnywhere() throws Exception {
    Path release = release("it's a \"release\"");
    Path old = jdk("jdk-17", "17.0.9");
    Files.writeString(machine.resolve("pom.xml"), "no business of a release");
    Path link = Files.createSymbolicLink(machine.resolve("alrai"), release.resolve("bin/alrai"));
    for (Path launcher : List.of(release.resolve("bin/alrai"), link)) {
      Map<String, String> other = Map.of("JAVA_HOME", old.toString(), "ALRAI_JAVA_HOME", "/none");
      Ending ending = run(old, other, launcher.toString(), "status", "a  b");
      String jars = release.resolve("lib/one.jar") + ":" + release.resolve("lib/two.jar");
      assertEquals(0, ending.code(), ending.output());
      assertTrue(
          ending
              .output()
              .endsWith(
                  "[-Dalrai.openpgp="
                      + release.resolve("lib/bcpg-jdk18on-1.jar")
                      + ":"
                      + release.resolve("lib/bcprov-1.jar")
                      + "][-cp]["
                      + jars
                      + "][io.alrai.cn.console.Main][status][a  b]\n"),
          ending.output());
    }
  }

  @Test
  void aReleaseThatCannotRunSaysWhy() throws Exception {
    Path colon = release("12:30");
    assertEquals(
        new Ending(
            1,
            "alrai: Java takes no jars from a folder with a colon in its name: move "
                + colon
                + "\n"),
        run(machine, "", colon.resolve("bin/alrai").toString(), "status"));
    Path half = release("half");
    Files.delete(half.resolve("jre/bin/java"));
    assertEquals(
        new Ending(
            1,
            "alrai: this release is not whole, it has no "
                + half.resolve("jre/bin/java")
                + ": unpack it again\n"),
        run(machine, "", half.resolve("bin/alrai").toString(), "status"));
  }

  /** A release whose JVM prints its arguments. */
  private Path release(String name) throws IOException {
    Path release = machine.resolve(name);
    script(release.resolve("jre/bin"), "java", "printf '[%s]' \"$@\"; echo");
    Files.createDirectories(release.resolve("bin"));
    Files.copy(ROOT.resolve("alrai"), release.resolve("bin/alrai"));
    Files.createDirectories(release.resolve("lib"));
    Files.copy(ROOT.resolve(".mvn/warm.sh"), release.resolve("lib/warm.sh"));
    Files.writeString(
        release.resolve("lib/classpath"), "one.jar\nbcpg-jdk18on-1.jar\nbcprov-1.jar\ntwo.jar\n");
    Files.writeString(release.resolve("SHA256SUMS"), "");
    return release;
  }

  @Test
  void mavenComesWithoutCurlWgetUnzipAndTar() throws Exception {
    Path zip = maven();
    assertEquals(new Ending(0, "this is maven verify\n"), verify(sha256(zip)));
  }

  @Test
  void aMavenWithAnotherChecksumIsRefused() throws Exception {
    maven();
    Ending ending = verify(wrapper().getProperty("distributionSha256Sum"));
    assertEquals(1, ending.code());
    assertTrue(ending.output().contains("Failed to validate Maven"), ending.output());
  }

  private static Properties wrapper() throws IOException {
    Properties wrapper = new Properties();
    try (Reader in = Files.newBufferedReader(ROOT.resolve(WRAPPER))) {
      wrapper.load(in);
    }
    return wrapper;
  }

  /** The distribution that the wrapper wants, in a repository on this machine. */
  private Path maven() throws IOException {
    String url = wrapper().getProperty("distributionUrl");
    Path zip = machine.resolve(url.substring(url.indexOf("/org/apache/maven/") + 1));
    Files.createDirectories(zip.getParent());
    String name = zip.getFileName().toString().replace("-bin.zip", "");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry(name + "/bin/mvn"));
      out.write("#!/bin/sh\necho this is maven \"$@\"\n".getBytes(StandardCharsets.UTF_8));
    }
    return zip;
  }

  private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
    byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(sum);
  }

  /** {@code mvnw verify} in a copy of this project that expects such a checksum. */
  private Ending verify(String checksum) throws IOException, InterruptedException {
    Path project = machine.resolve("project");
    for (String file : List.of("mvnw", ".mvn/find-jdk.sh", WRAPPER)) {
      Files.createDirectories(project.resolve(file).getParent());
      Files.copy(ROOT.resolve(file), project.resolve(file));
    }
    Files.writeString(
        project.resolve(WRAPPER),
        Files.readString(ROOT.resolve(WRAPPER))
            .replaceFirst("(?m)^distributionSha256Sum=.*$", "distributionSha256Sum=" + checksum));
    return run(
        machine,
        Map.of(
            "ALRAI_JAVA_HOME",
            System.getProperty("java.home"),
            "MVNW_REPOURL",
            "file://" + machine),
        project.resolve("mvnw").toString(),
        "verify");
  }

  /** A directory that looks like a JDK of this version, without its release file. */
  private Path jdk(String name, String version) throws IOException {
    for (String program : List.of("java", "javac")) {
      script(machine.resolve(name).resolve("bin"), program, "echo " + program + " " + version);
    }
    return machine.resolve(name);
  }

  private static void script(Path directory, String name, String line) throws IOException {
    Files.createDirectories(directory);
    Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + line + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }

  /** Runs a command where only this JDK is on the PATH and the others are in these places. */
  private Ending run(Path jdk, String places, String... command)
      throws IOException, InterruptedException {
    return run(jdk, Map.of("ALRAI_JDK_PLACES", places), command);
  }

  private Ending run(Path jdk, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path tools = machine.resolve("tools");
    for (String tool : TOOLS) {
      script(tools, tool, "PATH=/usr/bin:/bin; exec " + tool + " \"$@\"");
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("PATH", jdk.resolve("bin") + ":" + tools);
    builder.environment().put("HOME", jdk.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ending(process.waitFor(), output);
  }
}
