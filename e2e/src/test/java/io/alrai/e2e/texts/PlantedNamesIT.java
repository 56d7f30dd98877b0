package io.alrai.e2e.texts;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.mysql.cj.jdbc.JdbcStatement;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.common.error.AlraiException;
import io.alrai.common.kind.SealedKinds;
import io.alrai.e2e.Servers;
import io.alrai.executor.fragment.Plan;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AsciiCollations;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.HandlerStatement;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.RoutineChange;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.testing.MiniCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hostile names as every kind of name in every kind of statement: each statement does what it does
 * with other names, and no name is out of its quotes in a text that a mysqld gets. {@code
 * -Dplanted.turns=N} for more forms of names, 17 for all.
 */
@ExtendWith(Servers.Shared.class)
@Timeout(1800)
class PlantedNamesIT {
  private static final List<Class<?>> KINDS =
      List.of(
          AdminStatement.class,
          DdlStatement.class,
          HandlerStatement.class,
          RoutineChange.class,
          Plan.class);

  /** Those that stand for others. */
  private static final Set<Class<?>> AROUND =
      Set.of(AdminStatement.Ddl.class, AdminStatement.Handler.class, DdlStatement.OnRoutine.class);

  /**
   * SHOW CREATE TABLE quotes names of partitions only where that is needed, and names of variables
   * have none but letters, digits and a dot here.
   */
  private static final Pattern PLAIN = Pattern.compile("PARTITION \\w+ VALUES|@@[\\w.]+");

  private static final String OTHER_MODE =
      "ANSI_QUOTES,NO_BACKSLASH_ESCAPES,NO_ENGINE_SUBSTITUTION";

  private final AlraiPlanner planner = new AlraiPlanner(AsciiCollations.NONE);
  private final Set<String> planted = new TreeSet<>();
  private final Set<String> failed = new LinkedHashSet<>();

  @TempDir Path logs;

  @Test
  void namesStayInTheirQuotes(Servers servers) throws SQLException, IOException {
    int turns = Integer.getInteger("planted.turns", 3);
    List<String> bare = new ArrayList<>();
    try (SentTexts sent = SentTexts.of(servers.cluster(), logs)) {
      for (int turn = 0; turn < turns; turn++) {
        run(servers.cluster(), turn * PlantedNames.TURNS / turns, turn % 2 == 1);
        for (SentTexts.Sent each : sent.take()) {
          String words = BareWords.of(each.text(), each.ansiQuotes(), each.noBackslashEscapes());
          if (PLAIN
              .matcher(words)
              .replaceAll("")
              .toLowerCase(Locale.ROOT)
              .contains(PlantedNames.MARK)) {
            bare.add(each.dn() + ": " + each.text());
          }
        }
      }
    }
    Set<String> missing = kinds();
    missing.removeAll(planted);
    assertAll(
        () -> assertEquals("", String.join("\n", bare), "out of their quotes"),
        () -> assertEquals("", String.join("\n", failed), "statements"),
        () -> assertEquals(Set.of(), missing, "kinds of statements without a planted name"));
  }

  private void run(MiniCluster cluster, int turn, boolean otherMode) throws SQLException {
    PlantedNames names = new PlantedNames(turn, otherMode);
    LexicalMode mode = new LexicalMode(StandardCharsets.UTF_8, otherMode, otherMode);
    try (Connection connection =
        MiniCluster.connect(cluster.port(), "", "&useServerPrepStmts=true")) {
      if (otherMode) {
        Servers.run(connection, "SET SESSION sql_mode = '" + OTHER_MODE + "'");
      }
      for (String template : PlantedStatements.all().stream().flatMap(List::stream).toList()) {
        if (template.startsWith("~") && otherMode) {
          continue;
        }
        String expected = template.matches("(?s)\\d{4}:.*") ? template.substring(0, 4) : "0";
        boolean prepared = template.startsWith("?");
        boolean marked = prepared || template.startsWith("~");
        String sql = names.fill(template.substring(!expected.equals("0") ? 5 : marked ? 1 : 0));
        note(cluster.cluster().gms().catalog(), names.name("d"), sql, mode);
        String errno = errno(connection, sql, prepared);
        if (!errno.startsWith(expected)) {
          failed.add("turn " + turn + " " + template + "\n    " + sql + "\n    " + errno);
        }
      }
    }
  }

  private static String errno(Connection connection, String sql, boolean prepared) {
    try {
      if (prepared) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          statement.setInt(1, 1);
          statement.execute();
        }
      } else {
        try (Statement statement = connection.createStatement()) {
          ((JdbcStatement) statement)
              .setLocalInfileInputStream(
                  new ByteArrayInputStream("70,7\n71,7\n".getBytes(StandardCharsets.UTF_8)));
          statement.execute(sql);
        }
      }
      return "0";
    } catch (SQLException e) {
      return e.getErrorCode() + " " + e.getMessage();
    }
  }

  /** Which kind of statement it is, as the planner has it. */
  private void note(Catalog catalog, String schema, String sql, LexicalMode mode) {
    try {
      Work work =
          planner
              .plan(ShapedText.of(sql, mode), StatementPlanner.context(catalog, schema, mode))
              .work();
      Object kind =
          switch (work) {
            case Work.Data data -> data.plan();
            case Work.Administrative(AdminStatement.Ddl(DdlStatement.OnRoutine routine)) ->
                routine.change();
            case Work.Administrative(AdminStatement.Ddl ddl) -> ddl.statement();
            case Work.Administrative(AdminStatement.Handler handler) -> handler.statement();
            case Work.Administrative admin -> admin.statement();
          };
      planted.add(kind.getClass().getName());
    } catch (AlraiException e) {
      // it is one that fails, or of a session's own tables
    }
  }

  private static Set<String> kinds() {
    Set<String> all = new TreeSet<>();
    KINDS.stream()
        .flatMap(kind -> SealedKinds.of(kind).stream())
        .filter(kind -> !AROUND.contains(kind))
        .forEach(kind -> all.add(kind.getName()));
    return all;
  }
}
