package io.alrai.common.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
  private static final int FIRST_OF_ALRAI = 8500;

  /** {@code | 8501 | `ALRAI_NODE_UNAVAILABLE` | 08S01 | RESOURCE |}. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (\\d+) \\| `(\\w+)` \\| (\\w{5}) \\| (\\w+) \\|");

  private static String row(ErrorCode code) {
    return code.errno() + " " + code + " " + code.sqlState() + " " + code.kind();
  }

  @Test
  void eachNumberIsThereOnceAndInOrder() {
    List<Integer> numbers = Arrays.stream(ErrorCode.values()).map(ErrorCode::errno).toList();
    assertEquals(List.copyOf(new TreeSet<>(numbers)), numbers);
  }

  @Test
  void statesHaveFiveCharacters() {
    for (ErrorCode code : ErrorCode.values()) {
      assertTrue(code.sqlState().matches("[0-9A-Z]{5}"), code.name());
    }
  }

  @Test
  void ownCodesAreTheOnesAboveMysqls() {
    for (ErrorCode code : ErrorCode.values()) {
      assertEquals(code.name().startsWith("ALRAI_"), code.errno() >= FIRST_OF_ALRAI, code.name());
    }
  }

  @Test
  void theReferenceListsExactlyAlraisOwn() throws IOException {
    List<String> listed =
        ROW.matcher(Files.readString(Path.of("..", "docs", "reference", "errors.md")))
            .results()
            .map(row -> String.join(" ", row.group(1), row.group(2), row.group(3), row.group(4)))
            .toList();
    List<String> own =
        Arrays.stream(ErrorCode.values())
            .filter(code -> code.errno() >= FIRST_OF_ALRAI)
            .map(ErrorCodeTest::row)
            .toList();
    assertEquals(own, listed);
  }
}
