package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A program of each client says the same on Alrai as on a plain mysqld. A client that cannot be had
 * on this machine is skipped, and the test report says why.
 */
@ExtendWith(Servers.Shared.class)
class ClientsIT {
  private static final Path PROGRAMS = Path.of("src/test/resources/clients").toAbsolutePath();
  private static final Path BUILT = Path.of("target/clients").toAbsolutePath();
  private static final int INSTALL_SECONDS = 180;
  private static final int RUN_SECONDS = 60;

  @Test
  void pymysql(Servers servers) throws Exception {
    String python = program("python3");
    Path directory = copy("pymysql");
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
    compare(
        servers,
        "pymysql",
        directory,
        Map.of("PYTHONPATH", directory.resolve("packages").toString()),
        Optional.empty(),
        port -> List.of(python, "client.py", String.valueOf(port), "client_pymysql"));
  }

  @Test
  void goSqlDriver(Servers servers) throws Exception {
    String go = program("go");
    Path directory = copy("go");
    install(directory, Map.of(), List.of(go, "build", "-o", "client", "."));
    compare(
        servers,
        "go",
        directory,
        Map.of(),
        Optional.empty(),
        port -> List.of(directory.resolve("client").toString(), String.valueOf(port), "client_go"));
  }

  @Test
  void mysql2(Servers servers) throws Exception {
    String node = program("node");
    String npm = program("npm");
    Path directory = copy("mysql2");
    install(directory, Map.of(), List.of(npm, "install", "--no-audit", "--no-fund"));
    compare(
        servers,
        "mysql2",
        directory,
        Map.of(),
        Optional.empty(),
        port -> List.of(node, "client.js", String.valueOf(port), "client_mysql2"));
  }

  @Test
  void mysqlCommandLine(Servers servers) throws Exception {
    Optional<Path> found =
        MysqlInstallations.find(
                MysqlSearch.fromEnvironment(System.getenv()), InstallProgress.silent())
            .client();
    assumeTrue(found.isPresent(), "there is no mysql command line beside mysqld");
    String client = found.orElseThrow().toString();
    Path directory = copy("mysql");
    compare(
        servers,
        "mysql",
        directory,
        Map.of(),
        Optional.of(directory.resolve("client.sql")),
        port ->
            List.of(
                client,
                "--protocol=TCP",
                "--host=127.0.0.1",
                "--port=" + port,
                "--user=root",
                "--default-character-set=utf8mb4",
                "--force",
                "--table",
                "--show-warnings",
                "--column-type-info",
                "client_mysql"));
  }

  private interface Command {
    List<String> on(int port);
  }

  private static void compare(
      Servers servers,
      String name,
      Path directory,
      Map<String, String> environment,
      Optional<Path> input,
      Command command)
      throws SQLException, InterruptedException {
    List<Program.Ending> endings = new ArrayList<>();
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      Servers.freshSchema(port, "client_" + name);
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

  private static String program(String name) {
    Optional<Path> found = Program.find(name);
    assumeTrue(found.isPresent(), name + " is not installed");
    return found.orElseThrow().toString();
  }

  private static void install(Path directory, Map<String, String> environment, List<String> command)
      throws InterruptedException {
    Program.Ending ending =
        Program.run(directory, environment, Optional.empty(), INSTALL_SECONDS, command);
    assumeTrue(ending.code() == 0, () -> String.join(" ", command) + ": " + ending.output());
  }

  private static Path copy(String name) throws IOException {
    Path directory = BUILT.resolve(name);
    Files.createDirectories(directory);
    try (Stream<Path> files = Files.list(PROGRAMS.resolve(name))) {
      for (Path file : files.toList()) {
        Files.copy(
            file,
            directory.resolve(file.getFileName().toString()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return directory;
  }
}
