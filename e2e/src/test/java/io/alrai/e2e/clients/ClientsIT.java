package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.e2e.Servers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A program of each client says the same on Alrai as on a plain mysqld. A client that cannot be had
 * on this machine is skipped, and the test report says why.
 */
@ExtendWith(Servers.Shared.class)
class ClientsIT {
  @Test
  void pymysql(Servers servers) throws Exception {
    Path directory = ClientPrograms.python("pymysql");
    ClientPrograms.compare(
        servers,
        "pymysql",
        directory,
        ClientPrograms.withPackages(directory),
        Optional.empty(),
        port -> List.of("python3", "client.py", String.valueOf(port), "client_pymysql"));
  }

  @Test
  void goSqlDriver(Servers servers) throws Exception {
    String go = ClientPrograms.program("go");
    Path directory = ClientPrograms.copy("go");
    ClientPrograms.install(directory, Map.of(), List.of(go, "build", "-o", "client", "."));
    ClientPrograms.compare(
        servers,
        "go",
        directory,
        Map.of(),
        Optional.empty(),
        port -> List.of(directory.resolve("client").toString(), String.valueOf(port), "client_go"));
  }

  @Test
  void mysql2(Servers servers) throws Exception {
    String node = ClientPrograms.program("node");
    String npm = ClientPrograms.program("npm");
    Path directory = ClientPrograms.copy("mysql2");
    ClientPrograms.install(directory, Map.of(), List.of(npm, "install", "--no-audit", "--no-fund"));
    ClientPrograms.compare(
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
    Path directory = ClientPrograms.copy("mysql");
    ClientPrograms.compare(
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
}
