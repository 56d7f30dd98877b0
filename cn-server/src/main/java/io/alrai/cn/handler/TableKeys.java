package io.alrai.cn.handler;

import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a table, as its shadow has them.
 *
 * @param natural the order of a scan without an index; without parts where the table has no key
 *     that tells its rows apart
 * @param named by their names in lower case
 */
record TableKeys(TableKey natural, Map<String, TableKey> named) {
  private static final String PRIMARY = "PRIMARY";

  TableKeys {
    named = Map.copyOf(named);
  }

  /** Asks a mysqld. */
  static TableKeys read(ShardQueries queries, Table table) {
    DnId dn = queries.links().dns().getFirst();
    Sql where =
        Sql.of(" WHERE TABLE_SCHEMA = ")
            .string(table.schema())
            .words(" AND TABLE_NAME = ")
            .string(table.name());
    Map<String, String> elements = new HashMap<>();
    Sql typesOfMembers =
        Sql.of("SELECT COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS")
            .add(where)
            .words(" AND DATA_TYPE IN ('enum', 'set')");
    for (List<@Nullable String> row : queries.query(dn, "", typesOfMembers)) {
      String type = text(row, 1);
      elements.put(text(row, 0), type.substring(type.indexOf('(') + 1, type.length() - 1));
    }
    Sql statistics =
        Sql.of(
                "SELECT INDEX_NAME, IFNULL(COLUMN_NAME, ''), IFNULL(EXPRESSION, ''), IFNULL(SUB_PART, 0),"
                    + " IFNULL(COLLATION, ''), INDEX_TYPE = 'BTREE', IS_VISIBLE, NON_UNIQUE"
                    + " FROM information_schema.STATISTICS")
            .add(where)
            .words(" ORDER BY INDEX_NAME <> 'PRIMARY', NON_UNIQUE, SEQ_IN_INDEX");
    Map<String, List<List<@Nullable String>>> rows = new LinkedHashMap<>();
    queries
        .query(dn, "", statistics)
        .forEach(row -> rows.computeIfAbsent(text(row, 0), _ -> new ArrayList<>()).add(row));
    return of(table, elements, rows);
  }

  private static TableKeys of(
      Table table, Map<String, String> elements, Map<String, List<List<@Nullable String>>> rows) {
    Map<String, List<KeyPart>> parts = new LinkedHashMap<>();
    rows.forEach(
        (name, of) -> parts.put(name, of.stream().map(row -> part(table, elements, row)).toList()));
    String clustering = clustering(rows, parts);
    List<KeyPart> tail = parts.getOrDefault(clustering, List.of());
    String hint =
        tail.isEmpty() ? "" : hint(clustering, Objects.requireNonNull(rows.get(clustering)));
    TableKey natural = new TableKey("", tail, tail, hint, true);
    Map<String, TableKey> named = new HashMap<>();
    parts.forEach((name, own) -> {
      boolean sorted = text(Objects.requireNonNull(rows.get(name)).getFirst(), 5).equals("1");
      List<KeyPart> order = name.equals(clustering) ? own : ordered(own, tail);
      named.put(
          name.toLowerCase(Locale.ROOT),
          new TableKey(
              name, own, order, hint(name, Objects.requireNonNull(rows.get(name))), sorted));
    });
    return new TableKeys(natural, named);
  }

  private static KeyPart part(
      Table table, Map<String, String> elements, List<@Nullable String> row) {
    Optional<Column> column = table.column(text(row, 1));
    return new KeyPart(
        column,
        // as it is stored, with quotes of its own
        "(" + text(row, 2).replace("\\'", "'") + ")",
        Integer.parseInt(text(row, 3)),
        text(row, 4).equals("D"),
        elements.getOrDefault(text(row, 1), ""));
  }

  /** InnoDB keeps the rows in the primary key, or the first unique one that takes no NULL. */
  private static String clustering(
      Map<String, List<List<@Nullable String>>> rows, Map<String, List<KeyPart>> parts) {
    for (Map.Entry<String, List<KeyPart>> key : parts.entrySet()) {
      boolean unique =
          text(Objects.requireNonNull(rows.get(key.getKey())).getFirst(), 7).equals("0");
      boolean whole =
          key.getValue().stream().noneMatch(part -> part.nullable() || part.prefix() > 0);
      if (key.getKey().equals(PRIMARY) || unique && whole) {
        return key.getKey();
      }
    }
    return "";
  }

  /** An entry of an index ends with the values of the clustering key that it has not already. */
  private static List<KeyPart> ordered(List<KeyPart> own, List<KeyPart> tail) {
    List<KeyPart> order = new ArrayList<>(own);
    for (KeyPart part : tail) {
      boolean there =
          own.stream().anyMatch(each -> each.prefix() == 0 && each.column().equals(part.column()));
      if (!there) {
        order.add(part);
      }
    }
    return order;
  }

  private static String hint(String name, List<List<@Nullable String>> rows) {
    boolean usable = text(rows.getFirst(), 6).equals("YES") && text(rows.getFirst(), 5).equals("1");
    return usable ? " FORCE INDEX (" + Identifier.quote(name) + ")" : "";
  }

  private static String text(List<@Nullable String> row, int at) {
    return String.valueOf(row.get(at));
  }
}
