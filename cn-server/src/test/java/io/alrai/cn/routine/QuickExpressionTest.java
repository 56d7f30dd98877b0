package io.alrai.cn.routine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.optimizer.api.routine.Fragment;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuickExpressionTest {
  /** Each {@code #} is a variable that has 7. */
  private static Fragment fragment(String text) {
    List<String> texts = List.of(text.split("#", -1));
    int holes = texts.size() - 1;
    return new Fragment(
        texts, IntStream.range(0, holes).boxed().toList(), Collections.nCopies(holes, false));
  }

  private static String value(String text, LocalValue variable) {
    Fragment fragment = fragment(text);
    LocalValue value =
        QuickExpression.value(fragment, Collections.nCopies(fragment.slots().size(), variable));
    return value == null ? "asked" : value.sql(LexicalMode.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "# | 7",
        " 12 | 12",
        "-3 | -3",
        "# + 1 | 8",
        "#-# | 0",
        "3 * # | 21",
        "# < 8 | 1",
        "#<=6 | 0",
        "# <> # | 0",
        "5 = # | 0",
        "NOT # | 0",
        "true | 1",
        "NULL | NULL",
        "'abc' | 'abc'",
        "'a\\n' | asked",
        "'it''s' | asked",
        "'?' | asked",
        "# + 1 + 1 | asked",
        "# / 2 | asked",
        "a < # | asked",
        "999999999999999999 * # | 6999999999999999993",
      })
  void values(String text, String expected) {
    assertEquals(expected, value(text, LocalValue.ofWhole(7)));
  }

  @Test
  void otherTypesAreAsked() {
    assertEquals("asked", value("# + 1", LocalValue.ofText("7")));
    assertEquals("asked", value("# + 1", LocalValue.ofDigits("7", true)));
    assertEquals("asked", value("# = 1", LocalValue.NULL));
    assertEquals("asked", value("# * #", LocalValue.ofWhole(99_999_999_999_999_999L)));
    assertEquals("NULL", value("#", LocalValue.NULL));
  }
}
