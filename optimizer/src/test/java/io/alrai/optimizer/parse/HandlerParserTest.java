package io.alrai.optimizer.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.HandlerStatement;
import io.alrai.optimizer.api.HandlerStatement.Form;
import io.alrai.optimizer.api.HandlerStatement.KeyValue;
import io.alrai.optimizer.api.HandlerStatement.Read;
import io.alrai.optimizer.api.HandlerStatement.Step;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HandlerParserTest {
  private static final Planner.Context CONTEXT =
      new Planner.Context(Catalog.EMPTY, "shop", false, false);

  @Test
  void opensAndCloses() {
    assertParsed(
        new HandlerStatement.Open(new TableName(Optional.empty(), "t"), Optional.empty()),
        "HANDLER t OPEN");
    assertParsed(
        new HandlerStatement.Open(new TableName(Optional.of("s"), "t"), Optional.of("a b")),
        "handler s.t open as `a b` ;");
    assertParsed(
        new HandlerStatement.Open(new TableName(Optional.empty(), "t"), Optional.of("first")),
        "HANDLER t OPEN first");
    assertParsed(new HandlerStatement.Close("t"), "HANDLER `t` CLOSE");
  }

  @Test
  void readsInNaturalOrder() {
    assertParsed(natural(Step.FIRST, "", 0, 1), "HANDLER t READ FIRST");
    assertParsed(natural(Step.NEXT, "", 0, 7), "HANDLER t READ NEXT LIMIT 7");
    assertParsed(natural(Step.NEXT, "", 3, 7), "HANDLER t READ NEXT LIMIT 3, 7");
    assertParsed(
        natural(Step.NEXT, "", 3, Long.MAX_VALUE),
        "HANDLER t READ NEXT LIMIT 3, 18446744073709551615");
    assertParsed(
        natural(Step.NEXT, "a = 1 AND (b > 'x' OR c IN (1, 2))", 3, 7),
        "HANDLER t READ NEXT WHERE a = 1 AND (b > 'x' OR c IN (1, 2)) LIMIT 7 OFFSET 3");
    assertParsed(
        natural(Step.FIRST, "b = 'ü'", 0, 2),
        "HANDLER t READ FIRST WHERE b = 'ü' /* LIMIT 5 */ LIMIT 2");
  }

  @Test
  void readsByAnIndex() {
    assertParsed(read("first", Step.FIRST), "HANDLER t READ first FIRST");
    assertParsed(read("PRIMARY", Step.LAST), "HANDLER t READ `PRIMARY` LAST");
    assertParsed(read("k", Step.PREV), "HANDLER t READ k PREV");
    assertParsed(read("k", Step.EQUAL, new KeyValue(Form.INTEGER, "1")), "HANDLER t READ k = (1)");
    assertParsed(
        read(
            "next",
            Step.DOWN_FROM,
            new KeyValue(Form.STRING, "'x'"),
            new KeyValue(Form.NULL, "NULL"),
            new KeyValue(Form.EXPRESSION, "GREATEST(1, 2) + 3"),
            new KeyValue(Form.EXPRESSION, "-1"),
            new KeyValue(Form.VARIABLE, "@a + 1")),
        "HANDLER t READ next <= ('x', NULL, GREATEST(1, 2) + 3, -1, @a + 1)");
    assertParsed(
        read("k", Step.FROM, new KeyValue(Form.EXPRESSION, "a")), "HANDLER t READ k >= (a)");
    assertParsed(read("k", Step.BEHIND, new KeyValue(Form.INTEGER, "1")), "HANDLER t READ k > (1)");
    assertParsed(read("k", Step.BEFORE, new KeyValue(Form.INTEGER, "1")), "HANDLER t READ k < (1)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "HANDLER                                    | ~~",
        "HANDLER t                                  | ~~",
        "HANDLER t READ                             | ~~",
        "HANDLER t foo                              | foo",
        "HANDLER s.t READ FIRST                     | READ FIRST",
        "HANDLER s.t CLOSE                          | CLOSE",
        "HANDLER a.b.c OPEN                         | .c OPEN",
        "HANDLER t OPEN AS                          | ~~",
        "HANDLER t OPEN AS 'x'                      | 'x'",
        "HANDLER t OPEN foo bar                     | bar",
        "HANDLER t CLOSE x                          | x",
        "HANDLER t READ PREV                        | ~~",
        "HANDLER t READ k                           | ~~",
        "HANDLER t READ k foo                       | foo",
        "HANDLER t READ PRIMARY LAST                | PRIMARY LAST",
        "HANDLER t READ k <> (1)                    | <> (1)",
        "HANDLER t READ k = 1                       | 1",
        "HANDLER t READ k = ()                      | )",
        "HANDLER t READ k = (1,)                    | )",
        "HANDLER t READ k = (1), (2)                | , (2)",
        "HANDLER t READ k = (1) foo                 | foo",
        "HANDLER t READ k = (DEFAULT)               | DEFAULT)",
        "HANDLER t READ k = ((SELECT 1)) LIMIT 5    | (SELECT 1)) LIMIT 5",
        "HANDLER t READ FIRST WHERE                 | ~~",
        "HANDLER t READ FIRST WHERE a = 1 AND       | ~~",
        "HANDLER t READ FIRST WHERE a IN (SELECT 1) | (SELECT 1)",
        "HANDLER t READ FIRST WHERE a > ?           | ?",
        "HANDLER t READ FIRST WHERE a = ) b         | ) b",
        "HANDLER t READ FIRST WHERE a = 1 ORDER BY a| ORDER BY a",
        "HANDLER t READ FIRST FOR UPDATE            | FOR UPDATE",
        "HANDLER t READ FIRST LIMIT                 | ~~",
        "HANDLER t READ FIRST LIMIT 'x'             | 'x'",
        "HANDLER t READ FIRST LIMIT -1              | -1",
        "HANDLER t READ FIRST LIMIT 1, 2, 3         | , 3",
        "HANDLER t READ FIRST LIMIT 1 WHERE a = 1   | WHERE a = 1",
      })
  void saysWhereAMistakeIs(String sql, String near) {
    AlraiException error = assertThrows(AlraiException.class, () -> parse(sql));
    assertEquals(1064, error.errno());
    assertTrue(error.sentence().contains(" near '" + near + "' at line 1"), error.sentence());
  }

  private static Read natural(Step step, String where, long offset, long count) {
    return new Read("t", Optional.empty(), step, List.of(), where, offset, count);
  }

  private static Read read(String index, Step step, KeyValue... values) {
    return new Read("t", Optional.of(index), step, List.of(values), "", 0, 1);
  }

  private static void assertParsed(HandlerStatement expected, String sql) {
    assertEquals(Optional.of(new AdminStatement.Handler(expected)), parse(sql));
  }

  private static Optional<AdminStatement.Parsed> parse(String sql) {
    return AdminParser.parse(ShapedText.of(sql), CONTEXT);
  }
}
