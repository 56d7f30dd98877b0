package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Debian's mysqld_exporter and pt-query-digest, which give the same names on Alrai as on a plain
 * mysqld under the same load. With {@code -Dtools.watching=true} only.
 */
@ExtendWith(Servers.Shared.class)
@EnabledIfSystemProperty(named = "tools.watching", matches = "true")
class WatchingToolsIT {
  private static final String SCHEMA = "watched_%'`";
  private static final Pattern METRIC = Pattern.compile("(?m)^(mysql_\\w+)[ {]");
  private static final Pattern FAILED =
      Pattern.compile("(?m)^mysql_exporter_collector_success\\{collector=\"(\\S+)\"} 0$");

  /** There is no binary log of the whole. */
  private static final Set<String> OF_A_BINARY_LOG =
      Set.of("mysql_binlog_file_number", "mysql_binlog_files", "mysql_binlog_size_bytes");

  private static final List<String> COLLECTORS =
      List.of(
          "global_status",
          "global_variables",
          "info_schema.innodb_metrics",
          "info_schema.processlist",
          "info_schema.tables",
          "info_schema.innodb_cmp",
          "info_schema.innodb_cmpmem",
          "info_schema.query_response_time",
          "engine_innodb_status",
          "auto_increment.columns",
          "binlog_size",
          "perf_schema.eventsstatements",
          "perf_schema.eventsstatementssum",
          "perf_schema.eventswaits",
          "perf_schema.file_events",
          "perf_schema.indexiowaits",
          "perf_schema.tableiowaits",
          "perf_schema.tablelocks",
          "perf_schema.memory_events",
          "mysql.user");

  @TempDir private Path directory;

  @BeforeEach
  void load(Servers servers) throws SQLException {
    for (int port : ports(servers)) {
      Servers.freshSchema(port, SCHEMA);
      try (Connection client = MiniCluster.connect(port, "", "")) {
        Servers.run(
            client,
            "USE `watched_%'```",
            "CREATE TABLE `t ``1` (id INT AUTO_INCREMENT PRIMARY KEY, b VARCHAR(20), KEY (b))",
            "INSERT INTO `t ``1` (b) VALUES ('one'), ('two'), ('three')");
        for (int i = 0; i < 20; i++) {
          Servers.run(client, "UPDATE `t ``1` SET b = '" + i + "' WHERE id = " + i % 3);
          Servers.column(client, "SELECT b FROM `t ``1` WHERE id = " + i % 3);
          Servers.column(client, "SELECT COUNT(*) FROM `t ``1` WHERE b > 'o'");
        }
      }
    }
  }

  private static List<Integer> ports(Servers servers) {
    return List.of(servers.plain().port(), servers.cluster().port());
  }

  /** A program of one of Debian's packages; skips the test with the reason where there is none. */
  private Path program(String name, String file) throws InterruptedException {
    String fetch = "apt-get download " + name + " && dpkg-deb -x " + name + "_*.deb .";
    Program.Ending ending =
        Program.run(directory, Map.of(), Optional.empty(), 120, List.of("sh", "-c", fetch));
    assumeTrue(
        ending.code() == 0,
        () -> "Debian's package " + name + " cannot be had: " + ending.output());
    return directory.resolve("usr/bin").resolve(file);
  }

  @Test
  void mysqldExporter(Servers servers) throws Exception {
    Path exporter = program("prometheus-mysqld-exporter", "prometheus-mysqld-exporter");
    List<String> said = new ArrayList<>();
    for (int port : ports(servers)) {
      said.add(exported(exporter, port));
    }
    differences("collectors that fail", all(FAILED, said.getFirst()), all(FAILED, said.getLast()));
    differences("metrics", all(METRIC, said.getFirst()), all(METRIC, said.getLast()));
    Set<String> failed = all(FAILED, said.getLast());
    failed.removeAll(all(FAILED, said.getFirst()));
    assertEquals(Set.of(), failed);
    Set<String> missing = all(METRIC, said.getFirst());
    assertTrue(missing.size() > 500, missing.size() + " metrics");
    missing.removeAll(all(METRIC, said.getLast()));
    assertEquals(OF_A_BINARY_LOG, missing);
  }

  private String exported(Path exporter, int port) throws Exception {
    int listen = Ports.free();
    List<String> command =
        new ArrayList<>(List.of(exporter.toString(), "--web.listen-address=127.0.0.1:" + listen));
    COLLECTORS.forEach(collector -> command.add("--collect." + collector));
    Path log = directory.resolve("exporter-" + port + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("DATA_SOURCE_NAME", "root@tcp(127.0.0.1:" + port + ")/");
    Process process = builder.start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listen + "/metrics")).build();
      List<String> answer = new ArrayList<>();
      ClusterProcess.await(
          "the exporter",
          60,
          () -> {
            try {
              answer.add(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
              return true;
            } catch (IOException notYet) {
              return false;
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
      System.out.println(Files.readString(log));
      return answer.getLast();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void ptQueryDigest(Servers servers) throws Exception {
    Path digest = program("percona-toolkit", "pt-query-digest");
    List<Set<String>> found = new ArrayList<>();
    for (int port : ports(servers)) {
      found.add(digested(digest, port));
    }
    differences("statements of pt-query-digest", found.getFirst(), found.getLast());
    assertTrue(found.getFirst().size() >= 3, found::toString);
    assertEquals(found.getFirst(), found.getLast());
  }

  private Set<String> digested(Path digest, int port) throws Exception {
    Path log;
    try (Connection client = MiniCluster.connect(port, "", "")) {
      String file = Servers.column(client, "SELECT @@slow_query_log_file").getFirst();
      String data = Servers.column(client, "SELECT @@datadir").getFirst();
      log = Path.of(data).resolve(file);
      Servers.run(client, "SET GLOBAL slow_query_log = ON");
      try {
        Servers.run(
            client,
            "SET SESSION long_query_time = 0",
            "USE `watched_%'```",
            "SELECT b FROM `t ``1` WHERE id = 1",
            "SELECT b FROM `t ``1` WHERE id = 2",
            "UPDATE `t ``1` SET b = 'x' WHERE id = 2",
            "SELECT COUNT(*) FROM `t ``1` WHERE b > 'o'");
        ClusterProcess.await("the slow log", () -> text(log).contains("SELECT COUNT(*) FROM `t"));
      } finally {
        Servers.run(client, "SET GLOBAL slow_query_log = OFF");
      }
    }
    Program.Ending ending =
        Program.run(
            directory,
            Map.of(),
            Optional.empty(),
            120,
            List.of(
                "perl",
                digest.toString(),
                "--no-version-check",
                "--limit=100%",
                "--order-by=Query_time:cnt",
                log.toString()));
    assertEquals(0, ending.code(), ending::output);
    System.out.println(ending.output());
    return Pattern.compile("(?m)^(?:SELECT|UPDATE) .*`t ``1`.*|^# Attribute .*")
        .matcher(ending.output())
        .results()
        .map((MatchResult match) -> match.group().replaceAll("'?\\b\\d+\\b'?", "N"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException notYet) {
      return "";
    }
  }

  private static Set<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void differences(String what, Set<String> plain, Set<String> alrai) {
    Set<String> missing = new TreeSet<>(plain);
    missing.removeAll(alrai);
    Set<String> own = new TreeSet<>(alrai);
    own.removeAll(plain);
    System.out.printf(
        "%s: %d of a plain mysqld, %d of Alrai; missing %s; its own %s%n",
        what, plain.size(), alrai.size(), missing, own);
  }
}
