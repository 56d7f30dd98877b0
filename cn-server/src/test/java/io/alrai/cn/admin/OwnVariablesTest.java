package io.alrai.cn.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.settings.AnalyticSettings;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.VariableName;
import io.alrai.dn.link.GroupLimit;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reference of Alrai's own variables says what the code says. */
class OwnVariablesTest {
  /** {@code | `row_cache` | global | `ON` |}. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\w+) \\| ([^|]+) \\|");

  private record Listed(String scope, String initial) {}

  private static Map<String, Listed> listed() throws IOException {
    Map<String, Listed> rows = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("..", "docs", "reference", "variables.md")))
        .results()
        .forEach(row -> rows.put(row.group(1), new Listed(row.group(2), row.group(3))));
    return rows;
  }

  /** The constants of both classes that name variables which MySQL does not have. */
  private static TreeSet<String> own() throws IllegalAccessException {
    TreeSet<String> names = new TreeSet<>();
    for (Class<?> type :
        new Class<?>[] {OwnVariables.class, AnalyticSettings.class, ReplicaSettings.class}) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getType() == String.class && Modifier.isPublic(field.getModifiers())) {
          String value = String.valueOf(field.get(null));
          if (value.matches("\\w+") && VariableRules.isOfAlrai(VariableName.of(value))) {
            names.add(value);
          }
        }
      }
    }
    for (GroupLimit limit : GroupLimit.values()) {
      names.add(limit.variable());
    }
    return names;
  }

  @Test
  void limitsOfGroupsAreThoseOfTheCode() throws IOException {
    for (GroupLimit limit : GroupLimit.values()) {
      assertEquals("`" + limit.usual() + "`", listed().get(limit.variable()).initial());
    }
  }

  @Test
  void theReferenceListsExactlyWhatThereIs() throws IOException, IllegalAccessException {
    assertEquals(own(), new TreeSet<>(listed().keySet()));
  }

  @Test
  void scopesAreThoseOfSet() throws IOException {
    listed()
        .forEach((name, row) -> {
          boolean global =
              AnalyticSettings.isOne(name)
                  || ReplicaSettings.isOne(name)
                  || OwnVariables.isGlobalSwitch(name)
                  || name.equals(OwnVariables.STATEMENT_TIMEOUT)
                  || GroupLimit.named(name).isPresent();
          assertEquals(global, !row.scope().equals("session"), name);
          assertEquals(isGlobalOnly(name), row.scope().equals("global"), name);
        });
  }

  private static boolean isGlobalOnly(String name) {
    try {
      VariableRules.refuseGlobal(name);
      return false;
    } catch (AlraiException globalOnly) {
      return true;
    }
  }

  @Test
  void defaultsOfAnalyticalWorkAreThoseOfTheCode() throws IOException {
    Map<String, Listed> rows = listed();
    AnalyticSettings.standard()
        .texts()
        .forEach((name, value) -> {
          String initial = rows.get(name).initial();
          String expected =
              name.equals(AnalyticSettings.MEMORY_LIMIT)
                  ? "an eighth of the machine's memory"
                  : "`" + value + "`";
          assertEquals(expected, initial, name);
        });
  }
}
