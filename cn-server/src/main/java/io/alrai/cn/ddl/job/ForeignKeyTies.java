package io.alrai.cn.ddl.job;

import io.alrai.common.sql.Sql;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which tables of a schema refer to which by foreign keys, as its shadows have it: also to tables
 * that are not there yet.
 */
public final class ForeignKeyTies {
  private final Map<String, Set<String>> parents = new TreeMap<>();
  private final Map<String, Set<String>> children = new TreeMap<>();

  private ForeignKeyTies(List<List<String>> rows) {
    for (List<String> row : rows) {
      parents.computeIfAbsent(row.get(0), name -> new TreeSet<>()).add(row.get(1));
      children.computeIfAbsent(row.get(1), name -> new TreeSet<>()).add(row.get(0));
    }
  }

  /** Reads them from the first DN's shadows. */
  public static ForeignKeyTies read(DdlShards shards, String schema) {
    Sql name = Sql.EMPTY.string(schema);
    return new ForeignKeyTies(
        shards.query(
            shards.dns().getFirst(),
            Sql.of(
                    "SELECT TABLE_NAME, REFERENCED_TABLE_NAME FROM"
                        + " information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = ")
                .add(name)
                .words(" AND UNIQUE_CONSTRAINT_SCHEMA = ")
                .add(name)));
  }

  /** The tables that refer to one, itself perhaps among them. */
  public Set<String> referring(String table) {
    return children.getOrDefault(table, Set.of());
  }

  /** Whether others than itself refer to one. */
  public boolean isReferred(String table) {
    return referring(table).stream().anyMatch(name -> !name.equals(table));
  }

  /** The tables and all that foreign keys tie to them, directly or over others; in order. */
  public Set<String> family(Collection<String> tables) {
    Set<String> found = new TreeSet<>(tables);
    ArrayDeque<String> next = new ArrayDeque<>(found);
    while (!next.isEmpty()) {
      String table = next.remove();
      for (Map<String, Set<String>> direction : List.of(parents, children)) {
        for (String other : direction.getOrDefault(table, Set.of())) {
          if (found.add(other)) {
            next.add(other);
          }
        }
      }
    }
    return found;
  }
}
