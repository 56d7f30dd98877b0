package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.DatabaseNames;
import io.alrai.testing.ScriptComparison;
import java.io.IOException;
import java.util.List;
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
  @TestFactory
  Stream<DynamicTest> answersAreEqual(Servers servers) throws IOException {
    ScriptComparison comparison =
        new ScriptComparison(servers.plain().port(), servers.cluster().port());
    return SqlScripts.chosen().stream()
        .flatMap(script ->
            Stream.of("", "&useServerPrepStmts=true")
                .map(properties ->
                    DynamicTest.dynamicTest(
                        script.name() + properties,
                        () -> {
                          String run = script.name() + properties;
                          String schema = SqlScripts.schema(script, run);
                          System.out.println(run + " runs in database " + schema);
                          List<ScriptComparison.Difference> differences =
                              comparison.run(SqlScripts.named(script, run), schema, properties);
                          KnownDifferences.of(SqlScripts.DIRECTORY, script.name())
                              .check(run, differences);
                        })));
  }

  @Test
  void thereAreEnoughStatements() throws IOException {
    int count = SqlScripts.all().stream().mapToInt(script -> script.statements().size()).sum();
    System.out.println("statements compared with a plain mysqld: " + count);
    assertTrue(count >= 3000, "only " + count);
  }
}
