package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.DatabaseNames;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A program in {@code resources/clients} that says the same on Alrai as on a plain mysqld. Where it
 * cannot be had on this machine, its test is skipped, and the report says why.
 *
 * @param name of its directory
 * @param directory where it was built
 * @param environment what it needs of that
 * @param launch what is run, in front of a port and a schema
 * @param together whether the tables of its schema are in one partition
 */
record Client(
    String name,
    Path directory,
    Map<String, String> environment,
    List<String> launch,
    boolean together) {
  private static final Path PROGRAMS = Path.of("src/test/resources/clients").toAbsolutePath();
  private static final Path BUILT = Path.of("target/clients").toAbsolutePath();

  /** In URLs that they, or what they use, make of names a hard one would be another. */
  private static final Set<String> TAKE_PLAIN_NAMES = Set.of("jvm", "diesel");

  private static final int INSTALL_SECONDS = 180;
  private static final int RUN_SECONDS = 150;

  /** What is run against an endpoint. */
  interface Command {
    List<String> on(int port);
  }

  /** One that needs nothing but what is launched. */
  static Client of(String name) throws IOException {
    return new Client(name, copy(name), Map.of(), List.of(), false);
  }

  /** A program for Python, with the packages that it requires. */
  static Client python(String name) throws IOException, InterruptedException {
    return python(name, Map.of(), List.of(program("python3")));
  }

  /** One whose packages are made for, and run with, libmysqlclient. */
  static Client python(String name, ClientLibrary library)
      throws IOException, InterruptedException {
    Program.Ending itself =
        Program.run(
            BUILT.getParent(),
            Map.of(),
            Optional.empty(),
            RUN_SECONDS,
            List.of(program("python3"), "-c", "import sys; print(sys.executable)"));
    assumeTrue(itself.code() == 0, itself.output());
    List<String> launch = new ArrayList<>(library.loader());
    launch.add(itself.output().strip());
    return python(name, library.building(), launch);
  }

  private static Client python(String name, Map<String, String> building, List<String> python)
      throws IOException, InterruptedException {
    Path directory = copy(name);
    install(
        directory,
        building,
        List.of(
            program("python3"),
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "--target",
            "packages",
            "-r",
            "requirements.txt"));
    String packages = directory.resolve("packages").toString();
    List<String> launch = new ArrayList<>(python);
    launch.add("client.py");
    return new Client(name, directory, Map.of("PYTHONPATH", packages), launch, false);
  }

  /** A program for Node, with its packages. */
  static Client node(String name) throws IOException, InterruptedException {
    String node = program("node");
    Path directory = copy(name);
    install(
        directory,
        List.of(program("npm"), "install", "--ignore-scripts", "--no-audit", "--no-fund"));
    return new Client(name, directory, Map.of(), List.of(node, "client.js"), false);
  }

  /**
   * One with Prisma's client for its schema. Prisma looks for the engine of its migrations then,
   * which it fetches from a server of its own, but does not run it: another program stands for it.
   */
  static Client prisma(String name) throws IOException, InterruptedException {
    Client client = node(name);
    String node = program("node");
    install(
        client.directory(),
        Map.of("PRISMA_SCHEMA_ENGINE_BINARY", node),
        List.of(
            node, "node_modules/prisma/build/index.js", "generate", "--schema", "schema.prisma"));
    return client;
  }

  /** A program in Go. */
  static Client go(String name) throws IOException, InterruptedException {
    Path directory = copy(name);
    install(directory, List.of(program("go"), "build", "-o", "client", "."));
    return new Client(
        name, directory, Map.of(), List.of(directory.resolve("client").toString()), false);
  }

  /**
   * A program in Rust, of the versions in its Cargo.lock. What two of them have in common is
   * compiled once.
   */
  static Client rust(String name) throws IOException, InterruptedException {
    return rust(name, Map.of(), List.of());
  }

  /** One that is linked with libmysqlclient. */
  static Client rust(String name, ClientLibrary library) throws IOException, InterruptedException {
    return rust(name, library.building(), library.loader());
  }

  private static Client rust(String name, Map<String, String> building, List<String> loader)
      throws IOException, InterruptedException {
    Path directory = copy(name);
    Path target = BUILT.resolve("rust");
    install(
        directory,
        building,
        List.of(
            program("cargo"), "build", "-q", "--locked", "-j2", "--target-dir", target.toString()));
    List<String> launch = new ArrayList<>(loader);
    launch.add(target.resolve("debug").resolve(name + "-client").toString());
    return new Client(name, directory, Map.of(), launch, false);
  }

  /** A program in Java, compiled and run by the JDK of this test. */
  static Client jvm(String name) throws IOException, InterruptedException {
    Path directory = copy(name);
    install(
        directory,
        List.of(
            program("mvn"), "-q", "dependency:copy-dependencies", "-DoutputDirectory=packages"));
    String packages = directory.resolve("packages") + "/*";
    Path sources = directory.resolve("src/app");
    List<String> compile =
        new ArrayList<>(
            List.of(jdk("javac"), "-nowarn", "-proc:none", "-cp", packages, "-d", "classes"));
    try (Stream<Path> files = Files.list(sources)) {
      files.map(Path::toString).sorted().forEach(compile::add);
    }
    install(directory, compile);
    String path = directory.resolve("classes") + ":" + packages;
    return new Client(
        name,
        directory,
        Map.of(),
        List.of(jdk("java"), "-XX:TieredStopAtLevel=1", "-cp", path, "app.Main"),
        false);
  }

  private static String jdk(String tool) {
    return Path.of(System.getProperty("java.home"), "bin", tool).toString();
  }

  /** A copy in a schema whose tables are in one partition: it writes to joins of a keyless one. */
  Client withTablesTogether() {
    return new Client(name, directory, environment, launch, true);
  }

  /** Its schema at both endpoints, of a hard name where it can take one. */
  String schema() {
    if (TAKE_PLAIN_NAMES.contains(name)) {
      return "Client_" + name;
    }
    return switch (name) {
      // TypeORM puts it without quotes into some texts
      case "node-orms" -> DatabaseNames.ofUnquoted(name);
      // after a change of user the driver encodes texts in another character set
      case "mysql-connector" -> DatabaseNames.ofAscii(name);
      default -> DatabaseNames.of(name);
    };
  }

  /** Its account at both endpoints: of a hard name, with all privileges. */
  String user() {
    return TAKE_PLAIN_NAMES.contains(name) ? "root" : DatabaseNames.ofUser(name);
  }

  private void makeUser(int port) throws SQLException {
    if (user().equals("root")) {
      return;
    }
    String account = DatabaseNames.quoted(user()) + "@'%'";
    try (Connection connection = MiniCluster.connect(port, "", "")) {
      Servers.run(
          connection,
          "CREATE USER IF NOT EXISTS " + account,
          "GRANT ALL ON *.* TO " + account + " WITH GRANT OPTION");
    }
  }

  /** Runs it against a plain mysqld and against Alrai, and compares what it says. */
  void compare(Servers servers, String... arguments) throws SQLException, InterruptedException {
    List<Program.Ending> endings =
        run(
            servers,
            Optional.empty(),
            port ->
                Stream.of(
                        launch.stream(),
                        Stream.of(String.valueOf(port), schema()),
                        Stream.of(arguments))
                    .flatMap(words -> words)
                    .toList());
    assertEquals(0, endings.getLast().code());
    assertTrue(endings.getLast().output().endsWith("done\n"));
  }

  /** Runs any command, which reads a file. */
  List<Program.Ending> run(Servers servers, Optional<Path> input, Command command)
      throws SQLException, InterruptedException {
    List<Program.Ending> endings = new ArrayList<>();
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      Servers.freshSchema(port, schema());
      makeUser(port);
      if (together && port == servers.cluster().port()) {
        putTogether(port);
      }
      Map<String, String> all = new HashMap<>(environment);
      all.put("CLIENT_USER", user());
      endings.add(Program.run(directory, all, input, RUN_SECONDS, command.on(port)));
    }
    assertTrue(endings.getFirst().output().lines().count() > 10, endings.getFirst().output());
    assertEquals(endings.getFirst().output(), endings.getLast().output());
    assertEquals(endings.getFirst().code(), endings.getLast().code());
    return endings;
  }

  private void putTogether(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "ALTER DATABASE " + DatabaseNames.quoted(schema()) + " DEFAULT PARTITIONS 1");
    }
  }

  private static String program(String name) {
    Optional<Path> found = Program.find(name);
    assumeTrue(found.isPresent(), name + " is not installed");
    return found.orElseThrow().toString();
  }

  private static void install(Path directory, List<String> command) throws InterruptedException {
    install(directory, Map.of(), command);
  }

  private static void install(Path directory, Map<String, String> environment, List<String> command)
      throws InterruptedException {
    Program.Ending ending =
        Program.run(directory, environment, Optional.empty(), INSTALL_SECONDS, command);
    assumeTrue(ending.code() == 0, () -> String.join(" ", command) + ": " + ending.output());
  }

  /** A copy to build in. */
  private static Path copy(String name) throws IOException {
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
