package io.alrai.e2e.upgrade;

import io.alrai.cn.console.Main;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.Ports;
import io.alrai.testing.TestDirectories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A cluster whose roles are processes that are started and ended one by one, each by a release of
 * its own. One thread.
 */
final class RoleProcesses implements AutoCloseable {
  private static final long SECONDS = 180;
  private static final long FOUND_SECONDS = 400;
  private static final int PORTS = 10;

  private final Path directory = TestDirectories.create("kill-");
  private final int port = Ports.free();
  private final Map<String, Process> running = new LinkedHashMap<>();

  /** Founds it by {@code up}, with all roles as processes, and ends that again. */
  void found(Release release, String... arguments) {
    List<String> command = new ArrayList<>(List.of("up", "--processes"));
    command.addAll(List.of("--port", "" + port, "--data", directory.toString()));
    command.addAll(List.of(arguments));
    Path log = directory.resolve("up.log");
    Process up = launch(release, log, command);
    try {
      ClusterProcess.await(
          () -> "its beginning:\n" + text(log),
          FOUND_SECONDS,
          100,
          () -> !up.isAlive() || lines(log, "ready ") > 0);
      if (!up.isAlive()) {
        throw new AssertionError(text(log));
      }
    } finally {
      end(up);
    }
  }

  /** All roles that were founded, in the order in which they are upgraded. */
  List<String> roles() {
    try (Stream<Path> files = Files.list(directory.resolve("etc"))) {
      List<String> found =
          files.map(file -> file.getFileName().toString().replace(".properties", "")).toList();
      return Stream.of("gms-", "logger-", "columnar-", "dn-", "cn-")
          .flatMap(kind -> found.stream().filter(name -> name.startsWith(kind)).sorted())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The endpoints of its CNs. */
  List<Integer> ports() {
    long cns = roles().stream().filter(role -> role.startsWith("cn-")).count();
    return Stream.iterate(port, next -> next + 1).limit(Math.min(cns, PORTS)).toList();
  }

  /** Puts a key into the configuration of a role. */
  void configure(String role, String key, String value) {
    Path file = config(role);
    try {
      List<String> lines =
          Files.readAllLines(file).stream()
              .map(line -> line.startsWith(key + " =") ? key + " = " + value : line)
              .toList();
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts all, those together that wait for each other; returns when all serve. */
  void startAll(Release release) {
    for (String kinds : List.of("gms-.*", "(logger|dn)-.*", "columnar-.*", "cn-.*")) {
      start(release, roles().stream().filter(role -> role.matches(kinds)).toList());
    }
  }

  /** Starts these together; returns when all serve. */
  void start(Release release, List<String> roles) {
    Map<String, Long> before = new LinkedHashMap<>();
    for (String role : roles) {
      before.put(role, lines(log(role), "ready "));
      String command = role.replaceAll("-.*", "");
      running.put(
          role, launch(release, log(role), List.of(command, "--config", config(role).toString())));
    }
    before.forEach((role, ready) -> {
      Process process = running.get(role);
      ClusterProcess.await(
          () -> role + ":\n" + text(log(role)),
          SECONDS,
          20,
          () -> !process.isAlive() || lines(log(role), "ready ") > ready);
      if (!process.isAlive()) {
        throw new AssertionError(role + " has ended:\n" + text(log(role)));
      }
    });
  }

  /** SIGTERM; returns when it is gone. */
  void stop(String role) {
    end(running.remove(role));
  }

  private static void end(Process process) {
    process.destroy();
    ClusterProcess.await("the end of " + process.info(), SECONDS, () -> !process.isAlive());
  }

  private Path config(String role) {
    return directory.resolve("etc").resolve(role + ".properties");
  }

  private Path log(String role) {
    return directory.resolve(role + ".log");
  }

  /** What a role has said. */
  String said(String role) {
    return text(log(role));
  }

  private static long lines(Path log, String beginning) {
    return Files.exists(log)
        ? text(log).lines().filter(line -> line.startsWith(beginning)).count()
        : 0;
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process launch(Release release, Path log, List<String> command) {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-XX:MaxDirectMemorySize=192m",
                "-XX:+UseCompactObjectHeaders",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                release.classpath(),
                Main.class.getName()));
    line.addAll(command);
    try {
      return new ProcessBuilder(line)
          .redirectInput(Path.of("/dev/null").toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills all that is left and deletes the directory. */
  @Override
  public void close() {
    running.values().forEach(Process::destroyForcibly);
    List<ProcessHandle> left = left();
    while (!left.isEmpty()) {
      left.forEach(ProcessHandle::destroyForcibly);
      left = left();
    }
    TestDirectories.remove(directory);
  }

  private List<ProcessHandle> left() {
    String mark = directory + "/";
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process ->
            Arrays.stream(commandLine(process).split("\0", -1)).anyMatch(w -> w.contains(mark)))
        .toList();
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(
          Path.of("/proc", Long.toString(process.pid()), "cmdline"),
          java.nio.charset.StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
