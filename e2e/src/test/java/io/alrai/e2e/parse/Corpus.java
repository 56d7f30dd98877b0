package io.alrai.e2e.parse;

import io.alrai.testing.SqlScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Statements for parsers, right ones and wrong ones: of the grammar, of the scripts, and both with
 * small changes.
 */
final class Corpus {
  private static final Path GRAMMAR = Path.of("src/test/resources/grammar/statements.txt");
  private static final Path EXAMPLES = Path.of("src/test/resources/grammar/examples.txt");
  private static final Path SCRIPTS = Path.of("src/test/resources/scripts");

  /** Longer ones are repetitions of something short. */
  private static final int LONGEST = 1000;

  /** The tables that the grammar's statements speak of. */
  static final List<String> TABLES =
      List.of(
          "CREATE TABLE t (id INT PRIMARY KEY, a INT DEFAULT 1, b VARCHAR(20), d DATE, j JSON,"
              + " KEY k (a))",
          "CREATE TABLE u (id INT PRIMARY KEY DEFAULT 0, a INT, b VARCHAR(20), KEY k (a))",
          "CREATE TABLE s (id INT PRIMARY KEY, a INT)",
          "INSERT INTO t VALUES (1, 1, 'a', '2020-01-01', '{\"x\": 1}'), (2, 1, 'b', NULL, NULL)",
          "INSERT INTO u VALUES (1, 1, 'a'), (3, 3, 'c')");

  private final SplittableRandom dice;
  private final Mutants mutants;
  private final Grammar grammar;
  private final List<String> ofScripts;

  Corpus(long seed) throws IOException {
    dice = new SplittableRandom(seed);
    mutants = new Mutants(dice);
    grammar = new Grammar(Files.readString(GRAMMAR));
    ofScripts = scripts();
  }

  /** The statements of all scripts as they are. */
  static List<String> scripts() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(SCRIPTS)) {
      files = all.filter(file -> file.toString().endsWith(".test")).sorted().toList();
    }
    List<String> statements = new ArrayList<>();
    for (Path file : files) {
      SqlScript.parse(file.getFileName().toString(), Files.readString(file)).statements().stream()
          .map(SqlScript.Statement::plain)
          .filter(sql -> sql.length() <= LONGEST)
          .forEach(statements::add);
    }
    return statements;
  }

  /** Statements that a parser may read otherwise than a mysqld does, right ones and wrong ones. */
  static List<String> examples() throws IOException {
    return Files.readAllLines(EXAMPLES).stream().filter(line -> !line.startsWith("#")).toList();
  }

  /** A statement of the grammar. */
  String ofGrammar() {
    return grammar.statement(dice);
  }

  /** A statement of the grammar with small changes. */
  String ofGrammarChanged() {
    return mutants.of(grammar.statement(dice));
  }

  /** A statement of a script with small changes. */
  String ofScriptChanged() {
    return mutants.of(ofScripts.get(dice.nextInt(ofScripts.size())));
  }
}
