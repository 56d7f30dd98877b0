package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What mysqlbinlog writes of a plain server's log, sent to Alrai: the same rows. */
@ExtendWith(Servers.Shared.class)
class ReplayedLogIT {
  private static final int RUN_SECONDS = 60;

  @TempDir private Path directory;

  /** Writes on a plain server; which file of its log has it. */
  private static String written(int port) throws SQLException {
    try (Connection plain = MiniCluster.connect(port, "", "");
        Statement statement = plain.createStatement()) {
      Servers.run(plain, "FLUSH BINARY LOGS");
      String log = Servers.only(statement, "SHOW BINARY LOG STATUS");
      Servers.run(
          plain,
          "SET SESSION binlog_format = 'STATEMENT'",
          "CREATE DATABASE replayed",
          "USE replayed",
          "CREATE TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, r DOUBLE, d DATETIME)",
          "CREATE TABLE y (a INT PRIMARY KEY, b VARCHAR(20))",
          "INSERT INTO x (r, d) VALUES (RAND(), NOW())",
          "SET insert_id = 500",
          "INSERT INTO x (r, d) VALUES (RAND(), NOW()), (RAND(), NOW())",
          "INSERT INTO x VALUES (700, 1, NOW())",
          "INSERT INTO x (r, d) SELECT RAND(), d FROM x WHERE id = 1",
          "SET @u = 'o''x'",
          "INSERT INTO y VALUES (LAST_INSERT_ID(), @u)",
          "BEGIN",
          "INSERT INTO x (r, d) VALUES (RAND(), NOW())",
          "UPDATE y SET b = CONCAT(b, '!')",
          "COMMIT",
          "SET SESSION binlog_format = DEFAULT");
      return log;
    }
  }

  private String read(int port, String log) throws Exception {
    Path client =
        MysqlInstallations.find(
                MysqlSearch.fromEnvironment(System.getenv()), InstallProgress.silent())
            .client()
            .orElse(directory);
    Path tool = client.resolveSibling("mysqlbinlog");
    assumeTrue(Files.isExecutable(tool), "there is no mysqlbinlog beside mysqld");
    Program.Ending read =
        Program.run(
            directory,
            Map.of(),
            Optional.empty(),
            RUN_SECONDS,
            List.of(
                tool.toString(),
                "--no-defaults",
                "--read-from-remote-server",
                "-h127.0.0.1",
                "-P" + port,
                "-uroot",
                log));
    assertEquals(0, read.code(), read.output());
    return read.output();
  }

  @Test
  void idsChanceAndTimesAreThoseOfTheLog(Servers servers) throws Exception {
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      try (Connection connection = MiniCluster.connect(port, "", "")) {
        Servers.run(connection, "DROP DATABASE IF EXISTS replayed");
      }
    }
    String read = read(servers.plain().port(), written(servers.plain().port()));
    Program.Ending sent =
        MysqlClient.run(directory, servers.cluster().port(), List.of("--binary-mode"), read);
    assertEquals(0, sent.code(), sent.output());
    List<List<String>> rows = new ArrayList<>();
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      try (Connection connection = MiniCluster.connect(port, "replayed", "")) {
        List<String> all =
            Servers.column(connection, "SELECT CONCAT_WS('|', id, r, d) FROM x ORDER BY id");
        all.addAll(Servers.column(connection, "SELECT CONCAT_WS('|', a, b) FROM y"));
        rows.add(all);
      }
    }
    assertEquals(rows.getFirst(), rows.getLast());
    assertTrue(rows.getFirst().size() == 7, rows.toString());
  }
}
