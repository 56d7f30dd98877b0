package io.alrai.optimizer.golden;

import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.gms.api.View;
import io.alrai.gms.api.node.DataNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A catalog from text. A line is a table: {@code schema.table placement; pk(a,b); column type
 * [unsigned] [null] [auto] [invisible] [generated], ...}. Placements: {@code key(a,b)/4}, {@code
 * hash(a)/4}, {@code spread/4}, {@code single}, {@code single@n} on DN n, {@code broadcast}. Or a
 * view: {@code view plain|renamed|checked schema.view (columns) as query}. Or a function, with what
 * gives its values that vary: {@code function schema.name [UUID]}.
 */
public final class CatalogText {
  private static final String COLLATION = "utf8mb4_0900_ai_ci";
  private final Map<String, Map<String, Table>> tables = new LinkedHashMap<>();
  private final Map<String, Map<Long, TableGroup>> groups = new HashMap<>();
  private final Map<String, Map<String, View>> views = new HashMap<>();
  private final Map<String, Map<String, StoredFunction>> functions = new HashMap<>();
  private final Map<String, TableGroup> groupsBySignature = new HashMap<>();
  private final Map<String, Integer> partitions = new HashMap<>();
  private long nextId = 1;

  private CatalogText() {}

  /** Reads it. */
  public static Catalog read(String text) {
    CatalogText reader = new CatalogText();
    text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .forEach(reader::line);
    Map<String, Schema> schemas = new HashMap<>();
    reader.tables.forEach((name, byName) ->
        schemas.put(
            name,
            new Schema(
                name,
                name,
                "utf8mb4",
                COLLATION,
                2,
                byName,
                reader.groups.getOrDefault(name, Map.of()),
                reader.views.getOrDefault(name, Map.of()),
                Map.of(),
                reader.functions.getOrDefault(name, Map.of()))));
    List<DataNode> nodes =
        List.of(
            new DataNode(new DnId("dn-0"), "embedded"), new DataNode(new DnId("dn-1"), "embedded"));
    return new Catalog(1, schemas, nodes, List.of(), Map.of(), Map.of(), Map.of());
  }

  private void line(String line) {
    if (line.startsWith("view ")) {
      view(line.substring("view ".length()).split(" as ", 2));
      return;
    }
    if (line.startsWith("function ")) {
      function(line.split(" "));
      return;
    }
    String[] parts = line.split(";", 3);
    String[] head = parts[0].strip().split("\\s+", 2);
    String schema = head[0].substring(0, head[0].indexOf('.'));
    String name = head[0].substring(head[0].indexOf('.') + 1);
    List<Column> columns =
        Arrays.stream(parts[2].split(",(?![^(]*\\))")).map(CatalogText::column).toList();
    TableGroup group = group(schema, name, head[1], columns);
    Table table =
        new Table(
            nextId++,
            schema,
            name,
            columns,
            names(parts[1]),
            List.of(),
            names(parts[1]).contains(Table.IMPLICIT_KEY),
            partitioning(head[1]),
            group.id(),
            List.of(),
            List.of(),
            partitioning(head[1]) instanceof Partitioning.Single,
            false);
    tables.computeIfAbsent(schema, key -> new LinkedHashMap<>()).put(name, table);
  }

  private void view(String[] parts) {
    String head = parts[0].strip();
    boolean renamed = head.startsWith("renamed ");
    String full = head.substring(head.indexOf(' ') + 1, head.indexOf('(')).strip();
    String schema = full.substring(0, full.indexOf('.'));
    String name = full.substring(full.indexOf('.') + 1);
    boolean updatable = !parts[1].contains("group by") && !parts[1].contains(" join ");
    View view =
        new View(
            schema,
            name,
            names(head),
            renamed,
            parts[1],
            "CREATE VIEW " + full + " AS " + parts[1],
            "",
            head.startsWith("checked "),
            updatable,
            "utf8mb4",
            COLLATION);
    views.computeIfAbsent(schema, key -> new LinkedHashMap<>()).put(name, view);
  }

  private void function(String[] words) {
    String[] name = words[1].split("\\.");
    StoredFunction function =
        new StoredFunction(name[0], name[1], "", true, words.length > 2 ? words[2] : "", Set.of());
    functions.computeIfAbsent(name[0], key -> new LinkedHashMap<>()).put(function.key(), function);
  }

  private static List<String> names(String list) {
    String inner = list.substring(list.indexOf('(') + 1, list.lastIndexOf(')'));
    return Arrays.stream(inner.split(",")).map(String::strip).toList();
  }

  private static Partitioning partitioning(String placement) {
    int count =
        placement.contains("/")
            ? Integer.parseInt(placement.substring(placement.indexOf('/') + 1))
            : 1;
    String kind = placement.replaceAll("[(/@].*", "");
    return switch (kind) {
      case "key" -> new Partitioning.Key(names(placement), count);
      case "hash" -> new Partitioning.Hash(names(placement).getFirst(), count);
      case "spread" -> new Partitioning.Spread(count);
      case "single" -> new Partitioning.Single();
      case "broadcast" -> new Partitioning.Broadcast();
      default -> throw new IllegalArgumentException(placement);
    };
  }

  private TableGroup group(String schema, String table, String placement, List<Column> columns) {
    Partitioning partitioning = partitioning(placement);
    String signature =
        schema
            + " "
            + switch (partitioning) {
              case Partitioning.Key key ->
                  "key "
                      + key.columns().stream()
                          .map(name -> family(columns, name))
                          .collect(Collectors.joining(","))
                      + " "
                      + key.count();
              case Partitioning.Hash hash -> "hash " + hash.count();
              case Partitioning.Spread spread -> "spread " + spread.count();
              case Partitioning.Single single -> placement + " " + table;
              case Partitioning.Broadcast broadcast -> "broadcast";
            };
    return groupsBySignature.computeIfAbsent(
        signature, key -> newGroup(schema, key, placement, partitioning));
  }

  private TableGroup newGroup(
      String schema, String signature, String placement, Partitioning partitioning) {
    List<PartitionGroup> partitionGroups = new ArrayList<>();
    int offset = placement.contains("@") ? placement.charAt(placement.length() - 1) - '0' : 0;
    for (int i = 0; i < partitioning.count(); i++) {
      int number = partitions.merge(schema, 1, Integer::sum) - 1;
      String physical =
          partitioning instanceof Partitioning.Broadcast
              ? schema + "_b"
              : schema + "_p%05d".formatted(number);
      partitionGroups.add(
          new PartitionGroup(i, new PhysicalSchema(physical), new DnId("dn-" + (i + offset) % 2)));
    }
    TableGroup group = new TableGroup(nextId++, signature, signature, partitionGroups);
    groups.computeIfAbsent(schema, key -> new HashMap<>()).put(group.id(), group);
    return group;
  }

  private static String family(List<Column> columns, String name) {
    MysqlType type =
        columns.stream()
            .filter(column -> column.name().equals(name))
            .findFirst()
            .orElseThrow()
            .type();
    return type.isInteger() ? "integer" : type.isString() ? "string" : type.toString();
  }

  private static String collation(List<String> options) {
    if (options.contains("general")) {
      return "utf8mb4_general_ci";
    }
    return options.contains("bin") ? "utf8mb4_bin" : COLLATION;
  }

  private static Column column(String text) {
    String[] words = text.strip().split("\\s+");
    List<String> options = List.of(words).subList(2, words.length);
    String type = words[1].replaceAll("\\(.*", "").toUpperCase(Locale.ROOT);
    MysqlType mysqlType =
        switch (type) {
          case "TEXT" -> MysqlType.BLOB;
          case "VARBINARY" -> MysqlType.VARCHAR;
          default -> MysqlType.valueOf(type);
        };
    boolean isText = mysqlType.isString() || type.equals("ENUM") || type.equals("SET");
    int scale =
        words[1].matches(".*\\(\\d+,\\d+\\)")
            ? Integer.parseInt(words[1].replaceAll(".*,(\\d+)\\)", "$1"))
            : 0;
    int length =
        words[1].matches(".*\\(\\d+.*")
            ? Integer.parseInt(words[1].replaceAll(".*\\((\\d+).*", "$1"))
            : 0;
    return new Column(
        words[0],
        mysqlType,
        options.contains("unsigned"),
        length,
        scale,
        isText ? "utf8mb4" : "",
        isText ? collation(options) : "",
        options.contains("null"),
        options.contains("auto"),
        options.contains("invisible"),
        options.contains("generated"));
  }
}
