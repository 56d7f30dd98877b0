package io.alrai.cn.system;

import io.alrai.common.type.JsonString;
import io.alrai.optimizer.api.text.Identifier;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows that the CN makes, as a query that a mysqld answers with columns of given types. Pure. */
final class JsonTable {
  private static final String COLLATED = " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci";

  private record Column(String name, String type, int characters) {}

  private final List<Column> columns = new ArrayList<>();
  private final StringJoiner rows = new StringJoiner(",", "[", "]");

  /** Adds a column of texts of up to so many characters; what is longer is cut. */
  JsonTable text(String name, int characters) {
    columns.add(new Column(name, "VARCHAR(" + characters + ")" + COLLATED, characters));
    return this;
  }

  /** Adds a column of texts of any length. */
  JsonTable longText(String name) {
    columns.add(new Column(name, "LONGTEXT" + COLLATED, Integer.MAX_VALUE));
    return this;
  }

  /**
   * Adds a column of anything but texts.
   *
   * @param type in MySQL's words
   */
  JsonTable of(String name, String type) {
    columns.add(new Column(name, type, 0));
    return this;
  }

  /** Adds a row: texts, numbers, null for NULL. */
  JsonTable row(List<? extends @Nullable Object> values) {
    StringBuilder json = new StringBuilder("[");
    for (int i = 0; i < columns.size(); i++) {
      Object value = values.get(i);
      json.append(i == 0 ? "" : ",");
      if (value == null || value instanceof Number) {
        json.append(value);
      } else {
        int most = columns.get(i).characters();
        JsonString.append(json, most == 0 ? value.toString() : shortened(value.toString(), most));
      }
    }
    rows.add(json.append(']'));
    return this;
  }

  /** JSON_TABLE makes NULL of a text that is longer than its column. */
  static String shortened(String text, int most) {
    return text.length() <= most || text.codePointCount(0, text.length()) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most));
  }

  /** Its rows, as a query. */
  String query() {
    StringJoiner declared = new StringJoiner(",");
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      declared.add(
          Identifier.quote(column.name()) + " " + column.type() + " PATH _utf8mb4'$[" + i + "]'");
    }
    return columns.stream()
            .map(column -> Identifier.quote(column.name()))
            .collect(Collectors.joining(",", "SELECT ", " FROM JSON_TABLE("))
        + SystemRows.string(rows.toString())
        + ",_utf8mb4'$[*]' COLUMNS("
        + declared
        + ")) AS v";
  }
}
