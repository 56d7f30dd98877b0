package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the programs say that MySQL has beside mysql and mysqldump: on Alrai the same as on a plain
 * mysqld.
 */
@ExtendWith(Servers.Shared.class)
class ToolsIT {
  private static final String SCHEMA = "tools";
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE a (id INT PRIMARY KEY, name VARCHAR(20), n DECIMAL(5,2), KEY by_name"
              + " (name)) COMMENT 'first'",
          "CREATE TABLE b (id INT AUTO_INCREMENT PRIMARY KEY, t VARCHAR(10) DEFAULT 'x')",
          "CREATE TABLE c (id INT PRIMARY KEY, t TEXT, FULLTEXT KEY (t))",
          "CREATE VIEW v AS SELECT id FROM a");
  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");
  private static final Pattern VARIABLE = Pattern.compile("(?m)^\\| (\\w+) +\\|");
  private static final int RUN_SECONDS = 60;

  @TempDir private Path directory;

  @BeforeEach
  void tables(Servers servers) throws SQLException {
    for (int port : ports(servers)) {
      Servers.freshSchema(port, SCHEMA);
      try (Connection connection = MiniCluster.connect(port, SCHEMA, "");
          Statement statement = connection.createStatement()) {
        for (String table : TABLES) {
          statement.execute(table);
        }
        statement.execute("INSERT INTO c VALUES (1, 'one'), (2, 'two'), (3, NULL)");
      }
    }
  }

  @Test
  void mysqlimport(Servers servers) throws Exception {
    String a = file("a.txt", "1\tone\t1.5\n2\ttwo\t\\N\n3\tthr\\tee\t2\n");
    same(servers, "mysqlimport", "--local", SCHEMA, a);
    same(servers, "mysqlimport", "--local", SCHEMA, a);
    same(servers, "mysqlimport", "--local", "--replace", SCHEMA, a);
    same(servers, "mysqlimport", "--local", "--delete", "--verbose", "--lock-tables", SCHEMA, a);
    String b = file("b.csv", "\"3\";\"drei\"\n\"4\";\"vi\"\"er\"\n");
    List<String> fields = List.of("--fields-terminated-by=;", "--fields-enclosed-by=\"");
    List<String> options = new ArrayList<>(List.of("--local", "--ignore", "--columns=id,t"));
    options.addAll(fields);
    options.addAll(List.of(SCHEMA, b));
    same(servers, "mysqlimport", options.toArray(String[]::new));
    same(servers, "mysqlimport", "--local", "--columns=t", SCHEMA, file("b.txt", "more\nlast\n"));
    same(servers, "mysqlimport", "--local", SCHEMA, file("nothing.txt", "1\n"));
    for (String query : List.of("SELECT * FROM a ORDER BY id", "SELECT * FROM b ORDER BY id")) {
      same(servers, "mysql", "-e", query, SCHEMA);
    }
  }

  /** A text that is no number is 0 in an AUTO_INCREMENT column, that is the next id. */
  @Test
  void idsOfLinesWithoutOne(Servers servers) throws Exception {
    same(
        servers,
        "mysqlimport",
        "--local",
        SCHEMA,
        file("b.txt", "7\tseven\n0\tnext\n\\N\tthird\n"));
    String lines = file("b.1", "nine\t9th\n 20 apples\t20th\n0.4\t21st\n30.5\t31st\n\\N\t32nd\n");
    for (int port : ports(servers)) {
      run(port, "mysqlimport", "--local", SCHEMA, lines);
    }
    same(servers, "mysql", "-e", "SELECT COUNT(*), COUNT(DISTINCT id), MAX(id) FROM b", SCHEMA);
    same(servers, "mysql", "-e", "SELECT t FROM b WHERE id IN (7, 8, 20, 31) ORDER BY id", SCHEMA);
    String load =
        "LOAD DATA LOCAL INFILE '"
            + lines
            + "' INTO TABLE b (@i, t) SET id = %s;"
            + " SELECT COUNT(*), COUNT(DISTINCT id) FROM b";
    for (String id : List.of("NULL", "0", "@i")) {
      same(servers, "mysql", "--local-infile=1", "-e", load.formatted(id), SCHEMA);
    }
  }

  @Test
  void whatIsSaidOfALoad(Servers servers) throws Exception {
    String lines = file("said.txt", "1\tone\n2\n3\tx\ty\n3\tz\nx\n");
    for (String how : List.of("", "REPLACE ")) {
      String load = "LOAD DATA LOCAL INFILE '" + lines + "' " + how + "INTO TABLE said";
      same(
          servers,
          "mysql",
          "-vv",
          "--local-infile=1",
          "-e",
          "DROP TABLE IF EXISTS said; SET sql_mode = '';"
              + " CREATE TABLE said (a INT PRIMARY KEY, b VARCHAR(9)); "
              + load
              + "; SHOW COUNT(*) WARNINGS; SELECT * FROM said ORDER BY a; DROP TABLE said",
          SCHEMA);
    }
  }

  @Test
  void mysqlshow(Servers servers) throws Exception {
    same(servers, "mysqlshow", SCHEMA);
    same(servers, "mysqlshow", "-v", SCHEMA);
    same(servers, "mysqlshow", "-vv", SCHEMA);
    same(servers, "mysqlshow", "-t", SCHEMA);
    same(servers, "mysqlshow", SCHEMA, "a");
    same(servers, "mysqlshow", SCHEMA, "a", "n%");
    same(servers, "mysqlshow", "-k", SCHEMA, "b");
    same(servers, "mysqlshow", "tool%");
    same(servers, "mysqlshow", SCHEMA, "nothing");
    same(servers, "mysqlshow", "nothing");
  }

  @Test
  void mysqlcheck(Servers servers) throws Exception {
    same(servers, "mysqlcheck", SCHEMA);
    for (String what : List.of("--analyze", "--optimize", "--repair", "--check-upgrade")) {
      same(servers, "mysqlcheck", what, SCHEMA);
    }
    for (String how : List.of("--quick", "--extended", "--medium", "--fast", "--silent")) {
      same(servers, "mysqlcheck", "--check", how, SCHEMA);
    }
    same(servers, "mysqlcheck", "--optimize", "--all-in-1", SCHEMA);
    same(servers, "mysqlcheck", "--auto-repair", "--databases", SCHEMA);
    same(servers, "mysqlcheck", SCHEMA, "a", "nothing", "v");
    same(servers, "mysqlcheck", "nothing");
  }

  @Test
  void mysqladmin(Servers servers) throws Exception {
    for (String command :
        List.of(
            "ping", "flush-logs", "flush-status", "flush-tables", "flush-privileges", "reload")) {
      same(servers, "mysqladmin", command);
    }
    for (int i = 0; i < 2; i++) {
      same(servers, "mysqladmin", "create", "made_by_admin");
    }
    for (int i = 0; i < 2; i++) {
      same(servers, "mysqladmin", "--force", "drop", "made_by_admin");
    }
    same(servers, "mysqladmin", "kill", "99999999");
    same(servers, "mysqladmin", "nonsense");
    List<Program.Ending> status = both(servers, "mysqladmin", "status", "ping");
    assertEquals(masked(status.getFirst()), masked(status.getLast()));
  }

  /** Their values are a server's own; Alrai has names beside those of a mysqld. */
  @Test
  void mysqladminLists(Servers servers) throws Exception {
    for (String list : List.of("extended-status", "variables")) {
      List<Program.Ending> endings = both(servers, "mysqladmin", list);
      Set<String> missing = names(endings.getFirst());
      assertTrue(missing.size() > 300, endings.getFirst().output());
      missing.removeAll(names(endings.getLast()));
      assertEquals(Set.of(), missing);
    }
    for (Program.Ending ending : both(servers, "mysqladmin", "--verbose", "processlist")) {
      String heading = ending.output().lines().skip(1).findFirst().orElse("");
      assertEquals(
          "|Id|User|Host|db|Command|Time|State|Info|", heading.replace(" ", ""), ending.output());
      assertTrue(ending.output().contains("show full processlist"), ending.output());
    }
  }

  @Test
  void mysqlslap(Servers servers) throws Exception {
    List<List<String>> runs =
        List.of(
            List.of("--auto-generate-sql", "--concurrency=3", "--iterations=2"),
            List.of(
                "--auto-generate-sql",
                "--auto-generate-sql-load-type=write",
                "--auto-generate-sql-add-autoincrement",
                "--auto-generate-sql-secondary-indexes=2",
                "--number-int-cols=3",
                "--number-char-cols=2",
                "--commit=5"),
            List.of(
                "--auto-generate-sql",
                "--auto-generate-sql-load-type=key",
                "--auto-generate-sql-guid-primary",
                "--auto-generate-sql-unique-write-number=10",
                "--auto-generate-sql-unique-query-number=5",
                "--concurrency=2,4",
                "--csv"),
            List.of(
                "--create-schema=" + SCHEMA,
                "--query=SELECT * FROM c; UPDATE b SET t = 'z'; INSERT INTO b VALUES ()",
                "--delimiter=;",
                "--concurrency=2",
                "--no-drop"),
            List.of("--create-schema=" + SCHEMA, "--query=SELECT nope FROM a", "--no-drop"));
    for (List<String> options : runs) {
      List<String> all = new ArrayList<>(options);
      all.add("--number-of-queries=40");
      List<Program.Ending> endings = both(servers, "mysqlslap", all.toArray(String[]::new));
      assertEquals(masked(endings.getFirst()), masked(endings.getLast()));
      assertEquals(endings.getFirst().code(), endings.getLast().code());
    }
    same(servers, "mysql", "-e", "SELECT t, COUNT(*) FROM b GROUP BY t", SCHEMA);
    same(servers, "mysql", "-e", "SHOW DATABASES LIKE 'mysqlslap'");
  }

  private void same(Servers servers, String program, String... arguments) throws Exception {
    List<Program.Ending> endings = both(servers, program, arguments);
    assertEquals(endings.getFirst().output(), endings.getLast().output());
    assertEquals(endings.getFirst().code(), endings.getLast().code());
  }

  private List<Program.Ending> both(Servers servers, String program, String... arguments)
      throws InterruptedException {
    List<Program.Ending> endings = new ArrayList<>();
    for (int port : ports(servers)) {
      endings.add(run(port, program, arguments));
    }
    return endings;
  }

  private Program.Ending run(int port, String program, String... arguments)
      throws InterruptedException {
    Path binary =
        MysqlInstallations.find(
                MysqlSearch.fromEnvironment(System.getenv()), InstallProgress.silent())
            .mysqld()
            .resolveSibling(program);
    assumeTrue(Files.isExecutable(binary), "there is no " + program + " beside mysqld");
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(binary.toString(), "--no-defaults", "-h127.0.0.1", "-P" + port, "-uroot"));
    command.addAll(List.of(arguments));
    return Program.run(directory, Map.of(), Optional.empty(), RUN_SECONDS, command);
  }

  private static List<Integer> ports(Servers servers) {
    return List.of(servers.plain().port(), servers.cluster().port());
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private static String masked(Program.Ending ending) {
    return NUMBER.matcher(ending.output()).replaceAll("N");
  }

  private static Set<String> names(Program.Ending ending) {
    return VARIABLE
        .matcher(ending.output())
        .results()
        .map((MatchResult result) -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
