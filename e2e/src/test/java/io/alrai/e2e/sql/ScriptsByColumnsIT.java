package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.ScriptComparison;
import io.alrai.testing.ScriptComparison.Difference;
import io.alrai.testing.SqlScript;
import io.alrai.testing.StatementAnswer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The scripts of {@link SqlScriptsIT} with a column index on every table that can have one, and
 * sessions that ask these wherever they can: those of {@link #ALWAYS} and some by chance, which
 * {@code -Dscripts.seed=n} repeats; {@code -Dscripts.all=true} runs all, {@code
 * -Dscripts.only=dates,dml} these.
 */
@ExtendWith(Servers.Shared.class)
class ScriptsByColumnsIT {
  private static final Set<String> ALWAYS =
      Set.of(
          "aggregates.test",
          "cte.test",
          "dml.test",
          "groups.test",
          "hidden_keys.test",
          "joined_rows.test",
          "joins.test",
          "locks.test",
          "nulls.test",
          "subqueries.test",
          "transactions.test");

  private static final int BY_CHANCE = 8;
  private static final Pattern INDEX = Pattern.compile("\\n/\\* CLUSTERED COLUMNAR INDEX .*\\*/$");
  private static final List<ScriptIndexes> RUNS = new ArrayList<>();

  private static List<SqlScript> scripts() throws IOException {
    List<SqlScript> chosen = SqlScripts.chosen();
    if (SqlScripts.areChosen() || Boolean.getBoolean("scripts.all")) {
      return chosen;
    }
    long seed = Long.getLong("scripts.seed", System.nanoTime());
    System.out.println("scripts by columns with -Dscripts.seed=" + seed);
    List<SqlScript> others =
        new ArrayList<>(chosen.stream().filter(script -> !ALWAYS.contains(script.name())).toList());
    Collections.shuffle(others, new Random(seed));
    return Stream.concat(
            chosen.stream().filter(script -> ALWAYS.contains(script.name())),
            others.stream().limit(BY_CHANCE))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> answersAreEqual(Servers servers) throws IOException {
    return scripts().stream()
        .map(script -> DynamicTest.dynamicTest(script.name(), () -> compare(servers, script)));
  }

  private static void compare(Servers servers, SqlScript script)
      throws SQLException, ExecutionException, InterruptedException {
    int port = servers.cluster().port();
    String run = script.name();
    String schema = SqlScripts.schema(script, run);
    try (Connection alrai = MiniCluster.connect(port, "", "")) {
      ScriptIndexes indexes = new ScriptIndexes(alrai, schema);
      List<Difference> differences =
          new ScriptComparison(servers.plain().port(), port)
                  .run(
                      SqlScripts.named(script, run),
                      schema,
                      "",
                      "&sessionVariables=workload_type='AP'",
                      indexes)
                  .stream()
                  .filter(difference -> !isOfIndexes(difference))
                  .toList();
      System.out.println(run + " in database " + schema + ": " + indexes);
      RUNS.add(indexes);
      KnownDifferences.of(SqlScripts.DIRECTORY, run).check(run, differences);
    }
  }

  /** SHOW CREATE TABLE has the index, and columns do not warn of divisions by zero. */
  private static boolean isOfIndexes(Difference difference) {
    return withoutIndexes(difference.alrai()).equals(withoutIndexes(difference.plain()));
  }

  private static StatementAnswer withoutIndexes(StatementAnswer answer) {
    return new StatementAnswer(
        answer.columns(),
        answer.rows().stream().map(row -> INDEX.matcher(row).replaceFirst("")).toList(),
        answer.updateCount(),
        answer.generatedKeys(),
        answer.error(),
        answer.warnings().stream().filter(warning -> !warning.startsWith("1365 ")).toList());
  }

  @AfterAll
  static void columnsHaveAnswered() {
    int byColumns = RUNS.stream().mapToInt(ScriptIndexes::byColumns).sum();
    int selects = RUNS.stream().mapToInt(ScriptIndexes::selects).sum();
    System.out.printf(
        "statements of %d scripts: %d, SELECTs %d, answered by columns %d (%d %%), indexes %d%n",
        RUNS.size(),
        RUNS.stream().mapToInt(ScriptIndexes::statements).sum(),
        selects,
        byColumns,
        100 * byColumns / Math.max(1, selects),
        RUNS.stream().mapToInt(ScriptIndexes::indexes).sum());
    if (!SqlScripts.areChosen()) {
      assertTrue(byColumns > selects / 5, byColumns + " of " + selects + " SELECTs by columns");
    }
  }
}
