package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.e2e.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs in {@code resources/clients} that say the same on Alrai as on a plain mysqld. */
final class ClientPrograms {
  private static final Path PROGRAMS = Path.of("src/test/resources/clients").toAbsolutePath();
  private static final Path BUILT = Path.of("target/clients").toAbsolutePath();
  private static final int INSTALL_SECONDS = 180;
  private static final int RUN_SECONDS = 60;

  private ClientPrograms() {}

  /** What is run against an endpoint. */
  interface Command {
    List<String> on(int port);
  }

  /** Makes an empty schema at an endpoint. */
  interface FreshSchema {
    void on(int port, String name) throws SQLException;
  }

  /** Runs it against a plain mysqld and against Alrai, and compares what it says. */
  static void compare(
      Servers servers,
      String name,
      Path directory,
      Map<String, String> environment,
      Optional<Path> input,
      Command command)
      throws SQLException, InterruptedException {
    compare(servers, name, Servers::freshSchema, directory, environment, input, command);
  }

  /** The same with schemas of another kind. */
  static void compare(
      Servers servers,
      String name,
      FreshSchema freshSchema,
      Path directory,
      Map<String, String> environment,
      Optional<Path> input,
      Command command)
      throws SQLException, InterruptedException {
    List<Program.Ending> endings = new ArrayList<>();
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      freshSchema.on(port, "client_" + name);
      endings.add(Program.run(directory, environment, input, RUN_SECONDS, command.on(port)));
    }
    assertTrue(endings.getFirst().output().lines().count() > 10, endings.getFirst().output());
    assertEquals(endings.getFirst().output(), endings.getLast().output());
    assertEquals(endings.getFirst().code(), endings.getLast().code());
    if (input.isEmpty()) {
      assertEquals(0, endings.getLast().code());
      assertTrue(endings.getLast().output().endsWith("done\n"));
    }
  }

  /** A program on the PATH; the test is skipped where there is none. */
  static String program(String name) {
    Optional<Path> found = Program.find(name);
    assumeTrue(found.isPresent(), name + " is not installed");
    return found.orElseThrow().toString();
  }

  /** Builds or fetches a client; the test is skipped where that fails. */
  static void install(Path directory, Map<String, String> environment, List<String> command)
      throws InterruptedException {
    Program.Ending ending =
        Program.run(directory, environment, Optional.empty(), INSTALL_SECONDS, command);
    assumeTrue(ending.code() == 0, () -> String.join(" ", command) + ": " + ending.output());
  }

  /** The client's directory with the packages that it requires. */
  static Path python(String name) throws IOException, InterruptedException {
    String python = program("python3");
    Path directory = copy(name);
    install(
        directory,
        Map.of(),
        List.of(
            python,
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "--target",
            "packages",
            "-r",
            "requirements.txt"));
    return directory;
  }

  /** The environment that {@link #python} prepared. */
  static Map<String, String> withPackages(Path directory) {
    return Map.of("PYTHONPATH", directory.resolve("packages").toString());
  }

  /** A copy to build in. */
  static Path copy(String name) throws IOException {
    Path source = PROGRAMS.resolve(name);
    Path directory = BUILT.resolve(name);
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = directory.resolve(source.relativize(file));
        Files.createDirectories(target.getParent());
        Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return directory;
  }
}
