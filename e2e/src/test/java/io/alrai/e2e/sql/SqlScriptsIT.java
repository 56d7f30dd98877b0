package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.DatabaseNames;
import io.alrai.testing.HostileNames;
import io.alrai.testing.ScriptComparison;
import io.alrai.testing.SqlScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every script gives the same answers on Alrai and on a plain mysqld, but for the statements that
 * {@link KnownDifferences} lists: defects that wait to be mended. Each runs in a database of
 * another of {@link DatabaseNames}. {@code -Dscripts.only=dates,dml} runs these scripts only.
 */
@ExtendWith(Servers.Shared.class)
class SqlScriptsIT {
  private static final Path SCRIPTS = Path.of("src/test/resources/scripts");
  private static final Set<String> ONLY =
      Stream.of(System.getProperty("scripts.only", "").split(","))
          .filter(name -> !name.isEmpty())
          .map(name -> name + ".test")
          .collect(Collectors.toUnmodifiableSet());

  private static List<SqlScript> scripts() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(SCRIPTS)) {
      files = all.filter(file -> file.toString().endsWith(".test")).sorted().toList();
    }
    return files.stream().map(SqlScriptsIT::read).toList();
  }

  private static SqlScript read(Path file) {
    try {
      return SqlScript.parse(file.getFileName().toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String schema(SqlScript script, String test) {
    if (script.grants() || script.refers()) {
      return DatabaseNames.ofGranted(test);
    }
    return script.changesCharset() ? DatabaseNames.ofAscii(test) : DatabaseNames.of(test);
  }

  private static SqlScript named(SqlScript script, String test) {
    List<String> statements = script.statements().stream().map(SqlScript.Statement::sql).toList();
    return script.with(
        HostileNames.of(
            statements, script.changesCharset() || script.grants(), DatabaseNames.seed(test)));
  }

  @TestFactory
  Stream<DynamicTest> answersAreEqual(Servers servers) throws IOException {
    ScriptComparison comparison =
        new ScriptComparison(servers.plain().port(), servers.cluster().port());
    return scripts().stream()
        .filter(script -> ONLY.isEmpty() || ONLY.contains(script.name()))
        .flatMap(script ->
            Stream.of("", "&useServerPrepStmts=true")
                .map(properties ->
                    DynamicTest.dynamicTest(
                        script.name() + properties,
                        () -> {
                          String test = script.name() + properties;
                          String schema = schema(script, test);
                          System.out.println(test + " runs in database " + schema);
                          List<ScriptComparison.Difference> differences =
                              comparison.run(named(script, test), schema, properties);
                          KnownDifferences.of(SCRIPTS, script.name()).check(test, differences);
                        })));
  }

  @Test
  void thereAreEnoughStatements() throws IOException {
    int count = scripts().stream().mapToInt(script -> script.statements().size()).sum();
    System.out.println("statements compared with a plain mysqld: " + count);
    assertTrue(count >= 3000, "only " + count);
  }
}
