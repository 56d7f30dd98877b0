package io.alrai.cn.ddl;

import io.alrai.cn.ddl.job.TableDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A table of {@link FakeMysqld}: columns and keys as texts, rows as a number. */
final class FakeTable {
  private static final Pattern FOREIGN_KEY =
      Pattern.compile(
          "CONSTRAINT `?(\\w+)`? FOREIGN KEY \\(`?(\\w+)`?\\) REFERENCES `?(\\w+)`? \\(`?(\\w+)`?\\)");

  final LinkedHashMap<String, String> columns = new LinkedHashMap<>();
  final LinkedHashMap<String, String> keys = new LinkedHashMap<>();

  /** Of foreign keys, after their names. */
  final LinkedHashMap<String, String> constraints = new LinkedHashMap<>();

  /** Names in the order in which they run. */
  final List<String> triggers = new ArrayList<>();

  long id;
  int rows;
  String options = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci";

  /** From what stands between CREATE TABLE's parentheses. */
  static FakeTable of(String inside, long id) {
    FakeTable table = new FakeTable();
    table.id = id;
    for (String part : split(inside)) {
      table.put(part.strip().replaceAll("\\s+", " "));
    }
    return table;
  }

  FakeTable copy(long newId) {
    FakeTable copy = new FakeTable();
    copy.columns.putAll(columns);
    copy.keys.putAll(keys);
    copy.constraints.putAll(constraints);
    copy.options = options;
    copy.id = newId;
    return copy;
  }

  private void put(String part) {
    if (part.startsWith("PRIMARY KEY")) {
      keys.put("PRIMARY", "PRIMARY KEY " + quoted(part));
    } else if (part.startsWith("UNIQUE KEY") || part.startsWith("KEY")) {
      String name = nameIn(part.substring(part.indexOf("KEY") + 4));
      String kind = part.substring(0, part.indexOf("KEY") + 4);
      keys.put(name, kind + "`" + name + "` " + quoted(part));
    } else if (part.startsWith("CONSTRAINT")) {
      Matcher key = FOREIGN_KEY.matcher(part);
      if (key.matches()) {
        constraints.put(
            key.group(1),
            "FOREIGN KEY (`%s`) REFERENCES `%s` (`%s`)"
                .formatted(key.group(2), key.group(3), key.group(4)));
      }
    } else {
      String name = nameIn(part);
      String definition = part.substring(part.indexOf(' ') + 1);
      if (definition.contains(" PRIMARY KEY")) {
        keys.put("PRIMARY", "PRIMARY KEY (`" + name + "`)");
        definition = definition.replace(" PRIMARY KEY", "");
      }
      columns.put(name, definition);
    }
  }

  /** The columns of a key. */
  private static String quoted(String key) {
    String inside = key.substring(key.indexOf('(') + 1, key.lastIndexOf(')'));
    return split(inside).stream()
        .map(column -> "`" + nameIn(column) + "`")
        .collect(Collectors.joining(",", "(", ")"));
  }

  /** Runs one action on it. */
  void alter(String action) {
    String[] words = action.split(" ", 4);
    switch (words[0] + " " + words[1]) {
      case "ADD COLUMN" -> put(words[2] + " " + words[3]);
      case "DROP COLUMN" -> {
        columns.remove(nameIn(words[2]));
        keys.values().removeIf(key -> key.endsWith(" (`" + nameIn(words[2]) + "`)"));
      }
      case "ADD UNIQUE", "ADD KEY", "ADD INDEX" ->
          put(action.substring(4).replace("INDEX", "KEY").strip());
      case "ADD CONSTRAINT" -> put(action.substring(4));
      case "DROP CONSTRAINT", "DROP FOREIGN" ->
          constraints.remove(nameIn(action.substring(action.lastIndexOf(' ') + 1)));
      case "AUTO_INCREMENT =", "ALGORITHM =" -> {}
      case "TRUNCATE PARTITION" -> rows = 0; // as if there were one
      case "ADD PRIMARY" -> put(action.substring(4));
      case "DROP PRIMARY" -> keys.remove("PRIMARY");
      case "DROP INDEX" -> keys.remove(nameIn(words[2]));
      case "MODIFY COLUMN" -> columns.put(nameIn(words[2]), words[3]);
      case "CHANGE COLUMN" -> change(nameIn(words[2]), words[3]);
      default -> throw new IllegalArgumentException("the fake does not know " + action);
    }
  }

  private void change(String old, String newNameAndText) {
    LinkedHashMap<String, String> changed = new LinkedHashMap<>();
    String newName = nameIn(newNameAndText);
    String text = newNameAndText.substring(newNameAndText.indexOf(' ') + 1);
    columns.forEach((name, definition) -> {
      boolean it = name.equals(old);
      changed.put(it ? newName : name, it ? text : definition);
    });
    columns.clear();
    columns.putAll(changed);
    keys.replaceAll((name, key) -> {
      int inside = key.indexOf('(');
      return key.substring(0, inside)
          + key.substring(inside).replace("`" + old + "`", "`" + newName + "`");
    });
  }

  String showCreate(String name) {
    List<String> lines = new ArrayList<>();
    columns.forEach((column, text) -> lines.add("  `" + column + "` " + text));
    keys.values().forEach(text -> lines.add("  " + text));
    constraints.forEach((key, text) -> lines.add("  CONSTRAINT `" + key + "` " + text));
    return "CREATE TABLE `" + name + "` (\n" + String.join(",\n", lines) + "\n) " + options;
  }

  /** Rows of information_schema.COLUMNS as {@link TableDefinition} reads them. */
  List<List<String>> columnRows() {
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, String> column : columns.entrySet()) {
      String type = column.getValue().split("[ (]")[0];
      String charset = type.equals("varchar") ? "utf8mb4" : "";
      rows.add(
          List.of(
              column.getKey(),
              type,
              type,
              "0",
              "0",
              "0",
              "0",
              charset,
              charset.isEmpty() ? "" : "utf8mb4_0900_ai_ci",
              column.getValue().contains("NOT NULL") ? "NO" : "YES",
              column.getValue().toLowerCase(Locale.ROOT)));
    }
    return rows;
  }

  /** Rows of information_schema.STATISTICS of unique keys. */
  List<List<String>> keyRows() {
    List<List<String>> rows = new ArrayList<>();
    keys.forEach((name, text) -> {
      if (!text.startsWith("KEY")) {
        String inside = text.substring(text.indexOf('(') + 1, text.lastIndexOf(')'));
        split(inside).forEach(part -> rows.add(List.of(name, nameIn(part.strip()), "0")));
      }
    });
    return rows;
  }

  static String nameIn(String text) {
    String first = text.split("[ (]")[0];
    return first.replace("`", "");
  }

  /** At commas outside of parentheses. */
  static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(text.substring(start, i).strip());
        start = i + 1;
      }
    }
    parts.add(text.substring(start).strip());
    return parts;
  }
}
