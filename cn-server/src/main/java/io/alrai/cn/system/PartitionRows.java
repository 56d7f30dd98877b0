package io.alrai.cn.system;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.SessionVariables;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.BackendAccount;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the mysqlds know of the partitions of tables: all DNs are asked at the same time. Their
 * estimates are as old as the session bears. One statement; blocks.
 */
public final class PartitionRows {
  private static final String STATS_EXPIRY = "information_schema_stats_expiry";

  private final CnParts parts;
  private final SessionVariables variables;

  PartitionRows(CnParts parts, SessionVariables variables) {
    this.parts = parts;
    this.variables = variables;
  }

  /** Takes the rows. */
  public interface Reader {
    /** A row about a partition, which begins with the names of its schema and table. */
    void row(Table table, List<@Nullable String> row);

    /** A partition cannot be asked now. */
    void away(Table table);
  }

  /** A part of a table, such as a column of an index. */
  interface Part {
    Table table();
  }

  /** What comes about parts of tables, summed up. One thread. */
  abstract static class Sums<P extends Part, S> implements Reader {
    private final Map<P, S> parts = new LinkedHashMap<>();
    private final Set<Table> unknown = new LinkedHashSet<>();

    /** By part, what has come; of tables that are not known, too. */
    final Map<P, S> parts() {
      return parts;
    }

    @Override
    public final void away(Table table) {
      unknown.add(table);
    }

    /** Whether a partition of it cannot be asked. */
    final boolean isUnknown(Table table) {
      return unknown.contains(table);
    }

    /** What follows the names of its table in a part's array. */
    abstract String cells(P part, S sum);

    /** An array for each part; one that ends with its table's name is about all parts of it. */
    public final String json() {
      StringJoiner list = new StringJoiner(",", "[", "]");
      parts.forEach((part, sum) -> {
        if (!unknown.contains(part.table())) {
          list.add("[" + TableStatus.names(part.table()) + "," + cells(part, sum) + "]");
        }
      });
      unknown.forEach(table -> list.add("[" + TableStatus.names(table) + "]"));
      return list.toString();
    }
  }

  /** All tables there are. */
  static List<Table> all(Catalog catalog) {
    return catalog.schemas().values().stream()
        .flatMap(schema -> schema.tables().values().stream())
        .toList();
  }

  /**
   * Asks about tables.
   *
   * @param query from a list of physical schemas to a query over information_schema whose rows
   *     begin with TABLE_SCHEMA and TABLE_NAME
   */
  void read(Catalog catalog, Collection<Table> tables, UnaryOperator<Sql> query, Reader reader) {
    Map<DnId, Map<String, Map<String, Table>>> places = new LinkedHashMap<>();
    for (Table table : tables) {
      for (PartitionGroup place : counted(catalog, table)) {
        places
            .computeIfAbsent(place.dn(), dn -> new HashMap<>())
            .computeIfAbsent(place.physicalSchema().name(), physical -> new HashMap<>())
            .put(table.name(), table);
      }
    }
    ShardQueries queries = parts.queries().withSettings(settings());
    Map<ShardCall, Map<String, Map<String, Table>>> calls = new LinkedHashMap<>();
    try {
      places.forEach((dn, schemas) -> {
        List<Sql> names = new TreeSet<>(schemas.keySet()).stream().map(Sql.EMPTY::string).toList();
        Sql sql = query.apply(Sql.join(",", names));
        calls.put(queries.start(dn, BackendAccount.DATA, "", sql), schemas);
      });
      calls.forEach((call, schemas) -> read(call, schemas, reader));
    } finally {
      calls.keySet().forEach(ShardCall::close);
    }
  }

  /** Only one copy counts of a table that is on all DNs. */
  private static List<PartitionGroup> counted(Catalog catalog, Table table) {
    List<PartitionGroup> places = catalog.places(table);
    boolean same = table.partitioning() instanceof Partitioning.Broadcast;
    return same ? places.subList(0, 1) : places;
  }

  private static void read(ShardCall call, Map<String, Map<String, Table>> schemas, Reader reader) {
    Optional<List<List<@Nullable String>>> rows =
        TableFigures.reached(() -> ShardQueries.rows(call));
    for (List<@Nullable String> row : rows.orElse(List.of())) {
      Table table =
          schemas
              .getOrDefault(String.valueOf(row.get(0)), Map.of())
              .get(String.valueOf(row.get(1)));
      if (table != null) {
        reader.row(table, row);
      }
    }
    if (rows.isEmpty()) {
      schemas.values().forEach(tables -> tables.values().forEach(reader::away));
    }
  }

  private SessionSettings settings() {
    SessionSettings defaults = parts.settings().defaults();
    String expiry = variables.ofBackends().literal(STATS_EXPIRY);
    return expiry.isEmpty() ? defaults : parts.settings().with(defaults, STATS_EXPIRY, expiry);
  }
}
