package io.alrai.e2e.clients;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * ORMs and their migrations: as they come in a schema of one partition, else without their foreign
 * keys.
 */
@ExtendWith(Servers.Shared.class)
class OrmsIT {
  @Test
  void sqlAlchemyAndAlembic(Servers servers) throws Exception {
    Path directory = ClientPrograms.python("sqlalchemy");
    ClientPrograms.compare(
        servers,
        "sqlalchemy",
        (port, name) -> together(servers, port, name),
        directory,
        ClientPrograms.withPackages(directory),
        Optional.empty(),
        port -> List.of("python3", "client.py", String.valueOf(port), "client_sqlalchemy"));
  }

  @Test
  void sqlAlchemyOverShards(Servers servers) throws Exception {
    Path directory = ClientPrograms.python("sqlalchemy");
    ClientPrograms.compare(
        servers,
        "sqlalchemy",
        directory,
        ClientPrograms.withPackages(directory),
        Optional.empty(),
        port ->
            List.of("python3", "client.py", String.valueOf(port), "client_sqlalchemy", "keyless"));
  }

  @Test
  void django(Servers servers) throws Exception {
    Path directory = ClientPrograms.python("django");
    ClientPrograms.compare(
        servers,
        "django",
        (port, name) -> together(servers, port, name),
        directory,
        ClientPrograms.withPackages(directory),
        Optional.empty(),
        port -> List.of("python3", "client.py", String.valueOf(port), "client_django"));
  }

  @Test
  void sequelizeKnexAndTypeOrm(Servers servers) throws Exception {
    String node = ClientPrograms.program("node");
    String npm = ClientPrograms.program("npm");
    Path directory = ClientPrograms.copy("node-orms");
    ClientPrograms.install(directory, Map.of(), List.of(npm, "install", "--no-audit", "--no-fund"));
    ClientPrograms.compare(
        servers,
        "node_orms",
        (port, name) -> together(servers, port, name),
        directory,
        Map.of(),
        Optional.empty(),
        port -> List.of(node, "client.js", String.valueOf(port), "client_node_orms"));
  }

  @Test
  void gorm(Servers servers) throws Exception {
    String go = ClientPrograms.program("go");
    Path directory = ClientPrograms.copy("gorm");
    ClientPrograms.install(directory, Map.of(), List.of(go, "build", "-o", "client", "."));
    String client = directory.resolve("client").toString();
    for (List<String> mode : List.of(List.<String>of(), List.of("prepared"))) {
      ClientPrograms.compare(
          servers,
          "gorm",
          (port, name) -> together(servers, port, name),
          directory,
          Map.of(),
          Optional.empty(),
          port ->
              Stream.concat(Stream.of(client, String.valueOf(port), "client_gorm"), mode.stream())
                  .toList());
    }
  }

  /** A schema whose tables are all in one partition. */
  private static void together(Servers servers, int port, String name) throws SQLException {
    Servers.freshSchema(port, name);
    if (port == servers.cluster().port()) {
      try (Connection connection = MiniCluster.connect(port, "", "");
          Statement statement = connection.createStatement()) {
        statement.execute("ALTER DATABASE " + name + " DEFAULT PARTITIONS 1");
      }
    }
  }
}
