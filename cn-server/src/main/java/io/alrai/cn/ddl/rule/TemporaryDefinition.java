package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The catalog's view of a session's temporary table, from what SHOW tells of it: information_schema
 * has no such tables.
 */
public final class TemporaryDefinition {
  private static final Pattern TYPE = Pattern.compile("^(\\w+)(?:\\((\\d+)(?:,(\\d+))?\\))?.*");

  /** What information_schema says of types that are written without a number. */
  private static final Map<String, String> LENGTHS =
      Map.ofEntries(
          Map.entry("tinyint", "3"),
          Map.entry("smallint", "5"),
          Map.entry("mediumint", "7"),
          Map.entry("int", "10"),
          Map.entry("bigint", "19"),
          Map.entry("float", "12"),
          Map.entry("double", "22"),
          Map.entry("tinytext", "255"),
          Map.entry("tinyblob", "255"),
          Map.entry("text", "65535"),
          Map.entry("blob", "65535"),
          Map.entry("mediumtext", "16777215"),
          Map.entry("mediumblob", "16777215"),
          Map.entry("longtext", "4294967295"),
          Map.entry("longblob", "4294967295"));

  private TemporaryDefinition() {}

  /**
   * Refuses what no table of the client's is called.
   *
   * @throws io.alrai.common.error.AlraiException 1103
   */
  public static void requireName(String name) {
    NameRules.newTable(name);
  }

  /**
   * Such a table.
   *
   * @param columns rows of SHOW FULL COLUMNS
   * @param indexes rows of SHOW INDEX
   */
  public static Table of(
      long id,
      String schema,
      String name,
      List<List<@Nullable String>> columns,
      List<List<@Nullable String>> indexes) {
    TableDefinition definition =
        new TableDefinition(
            "", columns.stream().map(TemporaryDefinition::column).toList(), keys(indexes));
    return new Table(
        id,
        schema,
        name,
        definition.columns(),
        definition.primaryKey().map(TableDefinition.UniqueKey::columns).orElse(List.of()),
        definition.otherUniqueKeys(),
        false,
        new Partitioning.Single(),
        Table.TEMPORARY_GROUP,
        List.of(),
        List.of(),
        true,
        false);
  }

  /** Field, Type, Collation, Null, Key, Default, Extra and more. */
  private static Column column(List<@Nullable String> shown) {
    String written = text(shown.get(1));
    Matcher type = TYPE.matcher(written.toLowerCase(Locale.ROOT));
    if (!type.matches()) {
      throw new IllegalStateException("not a type: " + written);
    }
    String dataType = type.group(1);
    boolean display = dataType.endsWith("int");
    String first = type.group(2) == null || display ? length(dataType) : type.group(2);
    String scale = type.group(3) == null ? "0" : type.group(3);
    String collation = text(shown.get(2));
    String charset = collation.replaceFirst("_.*", "");
    return TableDefinition.column(
        List.of(
            text(shown.get(0)),
            dataType,
            written,
            first,
            first,
            scale,
            type.group(2) == null ? "0" : type.group(2),
            charset,
            collation,
            text(shown.get(3)),
            text(shown.get(6))));
  }

  private static String length(String dataType) {
    return LENGTHS.getOrDefault(dataType, "0");
  }

  /**
   * Of Table, Non_unique, Key_name, Seq_in_index, Column_name, Collation, Cardinality, Sub_part.
   */
  private static List<TableDefinition.UniqueKey> keys(List<List<@Nullable String>> indexes) {
    List<List<String>> parts = new ArrayList<>();
    for (List<@Nullable String> shown : indexes) {
      if ("0".equals(shown.get(1))) {
        String prefix = shown.get(7);
        parts.add(List.of(text(shown.get(2)), text(shown.get(4)), prefix == null ? "0" : prefix));
      }
    }
    return TableDefinition.keys(parts);
  }

  private static String text(@Nullable String value) {
    return Objects.requireNonNullElse(value, "");
  }
}
