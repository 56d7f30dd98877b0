package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.e2e.Servers;
import java.nio.file.Path;
import java.util.List;
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
    Client.python("pymysql").compare(servers);
  }

  @Test
  void mysqlConnectorPython(Servers servers) throws Exception {
    Client client = Client.python("mysql-connector");
    client.compare(servers);
    client.compare(servers, "pure");
  }

  @Test
  void mysqlclient(Servers servers) throws Exception {
    Client.python("mysqlclient", ClientLibrary.find()).compare(servers);
  }

  @Test
  void diesel(Servers servers) throws Exception {
    Client client = Client.rust("diesel", ClientLibrary.find());
    client.compare(servers);
    client.compare(servers, "keyless");
  }

  @Test
  void goSqlDriver(Servers servers) throws Exception {
    Client.go("go").compare(servers);
  }

  @Test
  void sqlx(Servers servers) throws Exception {
    Client client = Client.rust("sqlx");
    client.compare(servers);
    client.compare(servers, "keyless");
  }

  @Test
  void mysql2(Servers servers) throws Exception {
    Client.node("mysql2").compare(servers);
  }

  @Test
  void mysqlCommandLine(Servers servers) throws Exception {
    Optional<Path> found =
        MysqlInstallations.find(
                MysqlSearch.fromEnvironment(System.getenv()), InstallProgress.silent())
            .client();
    assumeTrue(found.isPresent(), "there is no mysql command line beside mysqld");
    String command = found.orElseThrow().toString();
    Client client = Client.of("mysql");
    client.run(
        servers,
        Optional.of(client.directory().resolve("client.sql")),
        port ->
            List.of(
                command,
                "--protocol=TCP",
                "--host=127.0.0.1",
                "--port=" + port,
                "--user=" + client.user(),
                "--default-character-set=utf8mb4",
                "--force",
                "--table",
                "--show-warnings",
                "--column-type-info",
                "--database=" + client.schema()));
  }
}
