package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.SqlScript;
import io.alrai.testing.StatementAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What Alrai refuses is what the page of limits says. {@code -Dlimits.record=true} writes the page
 * anew.
 */
@ExtendWith(Servers.Shared.class)
class LimitsIT {
  private static final Path REFUSED = Path.of("src/test/resources/scripts/refused");
  private static final Path PAGE = Path.of("../docs/reference/limits.md");

  @Test
  void thePageOfLimitsIsTrue(Servers servers) throws IOException, SQLException {
    Servers.freshSchema(servers.cluster().port(), "limits");
    StringBuilder page = new StringBuilder();
    page.append("# Limits\n\n")
        .append("What Alrai refuses, with the error that it gives. The tests made this page:\n")
        .append("`./mvnw verify -pl e2e -am -Dit.test=LimitsIT -Dlimits.record=true`.\n");
    try (Connection connection = MiniCluster.connect(servers.cluster().port(), "limits", "")) {
      for (SqlScript.Statement statement : read(REFUSED.resolve("tables.test")).statements()) {
        assertEquals("", answer(connection, statement).error(), statement.sql());
      }
      for (Path file : files()) {
        String title = Files.readAllLines(file).getFirst().substring("-- ".length());
        page.append("\n## ").append(title).append("\n\n| Statement | Error | Sentence |\n");
        page.append("|---|---|---|\n");
        for (SqlScript.Statement statement : read(file).statements()) {
          page.append(line(statement, answer(connection, statement)));
        }
      }
    }
    if (Boolean.getBoolean("limits.record")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page);
    }
    assertEquals(Files.readString(PAGE), page.toString());
  }

  private static StatementAnswer answer(Connection connection, SqlScript.Statement statement) {
    return StatementAnswer.of(connection, statement.alrai(), statement, false);
  }

  private static String line(SqlScript.Statement statement, StatementAnswer answer) {
    assertFalse(answer.error().isEmpty(), () -> "is not refused: " + statement.sql());
    String[] error = answer.error().split(" ", 3);
    return "| `"
        + escaped(statement.sql())
        + "` | "
        + error[0]
        + " ("
        + error[1]
        + ") | "
        + escaped(error[2])
        + " |\n";
  }

  private static String escaped(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(REFUSED)) {
      return all.filter(file -> file.toString().endsWith(".limits")).sorted().toList();
    }
  }

  private static SqlScript read(Path file) throws IOException {
    return SqlScript.parse(String.valueOf(file.getFileName()), Files.readString(file));
  }
}
