package io.alrai.optimizer.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AsciiCollations;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.route.insert.InsertTestCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a mysqld took when it was asked is no syntax error: statements with its verdicts, {@code +}
 * or {@code -} in front, line ends and backslashes as Java writes them. {@code ParserCorpusIT} of
 * the module e2e records them, and asks a mysqld about many more.
 */
class RecordedVerdictsTest {
  private static final Path RECORDED = Path.of("src/test/resources/verdicts/statements.txt");
  private static final Planner.Context CONTEXT =
      new Planner.Context(InsertTestCatalog.CATALOG, "shop", false, false);

  @Test
  void whatAMysqldTookIsNoSyntaxError() throws IOException {
    List<String> wrong = new ArrayList<>();
    int taken = 0;
    for (String line : Files.readAllLines(RECORDED)) {
      String sql = statement(line);
      if (line.startsWith("+")) {
        taken++;
        if (isSyntaxError(sql)) {
          wrong.add(sql);
        }
      }
    }
    assertTrue(taken > 1000, "only " + taken);
    assertEquals(List.of(), wrong);
  }

  /** Most others are, too; of some only the mysqlds see it that get them. */
  @Test
  void mostOfTheOthersAreSyntaxErrors() throws IOException {
    int refused = 0;
    int all = 0;
    for (String line : Files.readAllLines(RECORDED)) {
      if (line.startsWith("-")) {
        all++;
        refused += isSyntaxError(statement(line)) ? 1 : 0;
      }
    }
    assertTrue(all > 100, "only " + all);
    assertTrue(refused > all / 2, refused + " of " + all);
  }

  private static String statement(String line) {
    return line.substring(2).translateEscapes();
  }

  private static boolean isSyntaxError(String sql) {
    try {
      new AlraiPlanner(AsciiCollations.NONE).plan(ShapedText.of(sql), CONTEXT);
      return false;
    } catch (AlraiException e) {
      return e.is(ErrorCode.ER_PARSE_ERROR);
    }
  }
}
