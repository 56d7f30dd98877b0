package io.alrai.optimizer.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AsciiCollations;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.explain.PlanText;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plans as text, compared with files. A file's first line is {@code @use schema}; then statements,
 * each followed by {@code ----} and its plan, with {@code ====} between them. Run with {@code
 * -Dgolden.record=true} to write the plans anew.
 */
class GoldenPlansTest {
  private static final Path FOLDER = Path.of("src/test/resources/golden");

  static Stream<String> files() throws IOException {
    try (Stream<Path> all = Files.list(FOLDER)) {
      List<String> names =
          all.map(path -> path.getFileName().toString())
              .filter(name -> name.endsWith(".txt") && !name.equals("catalog.txt"))
              .sorted()
              .toList();
      return names.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void plansAreAsRecorded(String file) throws IOException {
    Path path = FOLDER.resolve(file);
    String recorded = Files.readString(path, StandardCharsets.UTF_8);
    String actual = replan(recorded);
    if (Boolean.getBoolean("golden.record")) {
      Files.writeString(path, actual, StandardCharsets.UTF_8);
    } else {
      assertEquals(recorded, actual);
    }
  }

  private static String replan(String recorded) throws IOException {
    Catalog catalog =
        CatalogText.read(Files.readString(FOLDER.resolve("catalog.txt"), StandardCharsets.UTF_8));
    String[] lines = recorded.split("\n", 2);
    assertTrue(lines[0].startsWith("@use"), "a file starts with @use");
    String schema = lines[0].substring("@use".length()).strip();
    Planner.Context context = new Planner.Context(catalog, schema, false, false);
    List<String> chunks = new ArrayList<>();
    for (String chunk : lines[1].split("(?m)^====$", -1)) {
      String sql = chunk.split("(?m)^----$", 2)[0].strip();
      if (!sql.isEmpty()) {
        chunks.add(sql + "\n----\n" + String.join("\n", plan(sql, context)) + "\n");
      }
    }
    return lines[0] + "\n\n" + String.join("====\n", chunks);
  }

  private static List<String> plan(String sql, Planner.Context context) {
    try {
      return PlanText.of(new AlraiPlanner(AsciiCollations.NONE).plan(ShapedText.of(sql), context));
    } catch (AlraiException e) {
      return List.of("error " + e.errno() + ": " + e.sentence());
    }
  }
}
