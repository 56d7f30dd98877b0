package io.alrai.e2e.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.e2e.Servers;
import io.alrai.optimizer.api.AsciiCollations;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.PlainMysqld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a mysqld takes is no syntax error here, and what it calls one does not run here. With seed 1
 * and a fresh one; {@code -Dcorpus.fresh=N} takes N fresh ones, {@code -Dcorpus.seed=N} that one
 * only, {@code -Dcorpus.size=N} so many statements of each kind of any seed. {@code
 * -Dcorpus.record=true} writes the verdicts that the planner's unit test reads.
 */
@ExtendWith(Servers.Shared.class)
class ParserCorpusIT {
  private static final String SCHEMA = "corpus";
  private static final Path RECORDED =
      Path.of("../optimizer/src/test/resources/verdicts/statements.txt");
  private static final int SIZE = Integer.getInteger("corpus.size", 400);

  /**
   * Statements of a fresh seed: what it finds is new, and most of it is found by hours of its own.
   */
  private static final int FRESH_SIZE = Integer.getInteger("corpus.size", 50);

  private static final int FRESH = Integer.getInteger("corpus.fresh", 1);
  private static final int RECORDED_OF_EACH = 700;
  private static final int FEW = 5;
  private static final int MOST_SHOWN = 20;

  /** After so many statements the session is a new one: they change it. */
  private static final int STATEMENTS_OF_A_SESSION = 40;

  /** What must not run here: it waits, or changes what others need. */
  private static final List<String> NOT_RUN =
      List.of(
          "PASSWORD",
          "USER",
          "GRANT",
          "REVOKE",
          "ROLE",
          "KILL",
          "GLOBAL",
          "FLUSH",
          "LOCK",
          "SLEEP",
          "PREPARE",
          "XA ",
          "SHUTDOWN",
          "PERSIST",
          "RESTART");

  // A mysqld of its own: some texts kill it.
  private static PlainMysqld plain;

  @BeforeAll
  static void start() throws SQLException {
    plain = PlainMysqld.start();
    tables(plain.port());
  }

  @AfterAll
  static void stop() {
    plain.close();
  }

  private static void tables(int port) throws SQLException {
    Servers.freshSchema(port, SCHEMA);
    try (Connection connection = MiniCluster.connect(port, SCHEMA, "")) {
      Servers.run(connection, Corpus.TABLES.toArray(String[]::new));
    }
  }

  private static List<Long> seeds() {
    Long given = Long.getLong("corpus.seed");
    return given == null
        ? LongStream.concat(LongStream.of(1), LongStream.generate(System::nanoTime).limit(FRESH))
            .boxed()
            .toList()
        : List.of(given);
  }

  private static int size(long seed) {
    return seed == 1 || Long.getLong("corpus.seed") != null ? SIZE : FRESH_SIZE;
  }

  /** Whether it is one statement, and could be sent as text. */
  private static boolean isCompared(String sql) {
    return !sql.contains("?") && !sql.contains(";");
  }

  private static List<String> some(int count, Supplier<String> source) {
    return Stream.generate(source).filter(ParserCorpusIT::isCompared).limit(count).toList();
  }

  @Test
  void whatAMysqldTakesIsPlannedOrRefusedForAReason(Servers servers)
      throws IOException, SQLException {
    tables(servers.cluster().port());
    Planner.Context context =
        new Planner.Context(servers.cluster().cluster().gms().catalog(), SCHEMA, false, false);
    List<String> wrong = new ArrayList<>();
    planned(
        Corpus.scripts().stream().filter(ParserCorpusIT::isCompared).toList(),
        "scripts",
        context,
        wrong);
    for (long seed : seeds()) {
      Corpus corpus = new Corpus(seed);
      List<String> statements = new ArrayList<>();
      statements.addAll(some(size(seed), corpus::ofGrammar));
      statements.addAll(some(size(seed), corpus::ofGrammarChanged));
      statements.addAll(some(2 * size(seed), corpus::ofScriptChanged));
      planned(statements, ofSeed(seed), context, wrong);
    }
    none(wrong);
  }

  private static void planned(
      List<String> statements, String source, Planner.Context context, List<String> wrong)
      throws SQLException {
    int taken = 0;
    int before = wrong.size();
    try (ServerVerdict server = new ServerVerdict(plain.port(), SCHEMA)) {
      for (String sql : statements) {
        if (server.takes(sql).orElse(false)) {
          taken++;
          syntaxError(sql, context)
              .ifPresent(error -> wrong.add(source + ": " + error + "\n  " + sql));
        }
      }
    }
    System.out.printf(
        "%s: of %d statements a mysqld takes %d, Alrai's planner %d of them%n",
        source, statements.size(), taken, taken - (wrong.size() - before));
    assertTrue(taken > statements.size() / 2, "a mysqld takes only " + taken);
  }

  private static String ofSeed(long seed) {
    return "-Dcorpus.seed=" + seed + " -Dcorpus.size=" + size(seed);
  }

  private static void none(List<String> wrong) {
    List<String> shown = wrong.subList(0, Math.min(MOST_SHOWN, wrong.size()));
    assertEquals(List.of(), shown, () -> String.join("\n", shown));
  }

  private static Optional<String> syntaxError(String sql, Planner.Context context) {
    try {
      new AlraiPlanner(AsciiCollations.NONE).plan(ShapedText.of(sql), context);
      return Optional.empty();
    } catch (AlraiException e) {
      return e.is(ErrorCode.ER_PARSE_ERROR) ? Optional.of(e.sentence()) : Optional.empty();
    }
  }

  @Test
  void syntaxErrorsDoNotRun(Servers servers) throws IOException, SQLException {
    tables(servers.cluster().port());
    List<String> wrong = new ArrayList<>();
    for (long seed : seeds()) {
      Corpus corpus = new Corpus(seed);
      List<String> statements = new ArrayList<>();
      statements.addAll(some(size(seed), corpus::ofGrammar));
      statements.addAll(some(size(seed), corpus::ofGrammarChanged));
      statements.removeIf(ParserCorpusIT::isNotRun);
      run(statements, ofSeed(seed), servers.cluster().port(), wrong);
    }
    none(wrong);
  }

  @Test
  void examplesAreTakenWhereAMysqldTakesThem(Servers servers) throws IOException, SQLException {
    tables(servers.cluster().port());
    List<String> statements = new ArrayList<>();
    for (String sql : Corpus.examples()) {
      statements.add(sql);
      statements.add("EXPLAIN " + sql);
    }
    List<String> wrong = new ArrayList<>();
    run(statements, "examples", servers.cluster().port(), wrong);
    none(wrong);
  }

  private static boolean isNotRun(String sql) {
    String upper = sql.toUpperCase(Locale.ROOT);
    return NOT_RUN.stream().anyMatch(upper::contains);
  }

  private static void run(List<String> statements, String source, int port, List<String> wrong)
      throws SQLException {
    int errors = 0;
    int same = 0;
    Connection alrai = MiniCluster.connect(port, SCHEMA, "");
    try (ServerVerdict server = new ServerVerdict(plain.port(), SCHEMA)) {
      for (int i = 0; i < statements.size(); i++) {
        if (i % STATEMENTS_OF_A_SESSION == 0) {
          alrai.close();
          alrai = MiniCluster.connect(port, SCHEMA, "");
        }
        String sql = statements.get(i);
        Optional<Boolean> takes = server.takes(sql);
        if (takes.isEmpty()) {
          continue;
        }
        Optional<SQLException> failure = failure(alrai, sql);
        boolean syntaxError = failure.filter(ServerVerdict::isSyntaxError).isPresent();
        failure
            .filter(error -> error.getErrorCode() == ErrorCode.ALRAI_INTERNAL.errno())
            .ifPresent(defect -> wrong.add(source + ": " + defect.getMessage() + "\n  " + sql));
        if (takes.get()) {
          if (syntaxError) {
            wrong.add(source + ": " + failure.get().getMessage() + "\n  " + sql);
          }
        } else {
          errors++;
          same += syntaxError ? 1 : 0;
          if (failure.isEmpty()) {
            wrong.add(source + ": no error:\n  " + sql);
          }
        }
      }
    } finally {
      alrai.close();
    }
    System.out.printf(
        "%s: %d statements run, of %d syntax errors %d are the same%n",
        source, statements.size(), errors, same);
    assertTrue((same + FEW) * 10 >= errors * 8, same + " of " + errors);
  }

  /** Empty when it was done. */
  private static Optional<SQLException> failure(Connection connection, String sql)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false); // the driver writes {d '..'} in its own way
      statement.execute(sql);
      return Optional.empty();
    } catch (SQLException e) {
      assertTrue(connection.isValid(5), () -> e + " ends the session: " + sql);
      return Optional.of(e);
    }
  }

  @Test
  void recordedVerdictsAreThoseOfAMysqld() throws IOException, SQLException {
    if (Boolean.getBoolean("corpus.record")) {
      record();
    }
    List<String> recorded = Files.readAllLines(RECORDED);
    List<String> others = new ArrayList<>();
    int told = 0;
    try (ServerVerdict server = new ServerVerdict(plain.port(), SCHEMA)) {
      for (String line : recorded) {
        Optional<Boolean> takes = server.takes(line.substring(2).translateEscapes());
        told += takes.isPresent() ? 1 : 0;
        if (takes.isPresent() && takes.get() != line.startsWith("+")) {
          others.add(line);
        }
      }
    }
    assertEquals(List.of(), others);
    assertTrue(told > recorded.size() / 2, "a mysqld tells only " + told);
  }

  private static void record() throws IOException, SQLException {
    Corpus corpus = new Corpus(1);
    List<String> statements = new ArrayList<>();
    statements.addAll(some(RECORDED_OF_EACH, corpus::ofGrammar));
    statements.addAll(some(RECORDED_OF_EACH, corpus::ofGrammarChanged));
    statements.addAll(some(RECORDED_OF_EACH, corpus::ofScriptChanged));
    List<String> lines = new ArrayList<>();
    try (ServerVerdict server = new ServerVerdict(plain.port(), SCHEMA)) {
      for (String sql : statements) {
        server.takes(sql).ifPresent(takes -> lines.add((takes ? "+ " : "- ") + inOneLine(sql)));
      }
    }
    Files.createDirectories(RECORDED.getParent());
    Files.write(RECORDED, lines);
  }

  private static String inOneLine(String sql) {
    return sql.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }
}
