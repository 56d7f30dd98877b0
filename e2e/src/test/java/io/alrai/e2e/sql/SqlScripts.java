package io.alrai.e2e.sql;

import io.alrai.testing.DatabaseNames;
import io.alrai.testing.HostileNames;
import io.alrai.testing.SqlScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scripts that run on Alrai and on a plain mysqld, and the names that they run with. */
final class SqlScripts {
  static final Path DIRECTORY = Path.of("src/test/resources/scripts");
  private static final Set<String> ONLY =
      Stream.of(System.getProperty("scripts.only", "").split(","))
          .filter(name -> !name.isEmpty())
          .map(name -> name + ".test")
          .collect(Collectors.toUnmodifiableSet());

  private SqlScripts() {}

  /** All scripts. */
  static List<SqlScript> all() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(DIRECTORY)) {
      files = all.filter(file -> file.toString().endsWith(".test")).sorted().toList();
    }
    return files.stream().map(SqlScripts::read).toList();
  }

  /** Those of {@code -Dscripts.only=dates,dml}; without it all. */
  static List<SqlScript> chosen() throws IOException {
    return all().stream().filter(each -> !areChosen() || ONLY.contains(each.name())).toList();
  }

  /** Whether {@code -Dscripts.only} is given. */
  static boolean areChosen() {
    return !ONLY.isEmpty();
  }

  private static SqlScript read(Path file) {
    try {
      return SqlScript.parse(file.getFileName().toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The database in which a run of a script takes place. */
  static String schema(SqlScript script, String run) {
    if (script.grants() || script.refers()) {
      return DatabaseNames.ofGranted(run);
    }
    return script.changesCharset() ? DatabaseNames.ofAscii(run) : DatabaseNames.of(run);
  }

  /** The script with the names that it declares in this run. */
  static SqlScript named(SqlScript script, String run) {
    List<String> statements = script.statements().stream().map(SqlScript.Statement::sql).toList();
    return script.with(
        HostileNames.of(
            statements, script.changesCharset() || script.grants(), DatabaseNames.seed(run)));
  }
}
