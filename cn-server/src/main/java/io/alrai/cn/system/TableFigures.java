package io.alrai.cn.system;

import io.alrai.cn.session.SessionVariables;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the DNs and the GMS for what tables have that their shadows do not: rows and bytes, summed
 * up over the partitions as the mysqlds estimate them, the next AUTO_INCREMENT number, the last
 * change. Blocks.
 */
public final class TableFigures {
  private final CnParts parts;
  private final SessionVariables variables;

  public TableFigures(CnParts parts, SessionVariables variables) {
    this.parts = parts;
    this.variables = variables;
  }

  /** What the partitions of a table have together. */
  static final class Sums {
    /** Whether the mysqld of its place gives the AUTO_INCREMENT numbers. */
    private final boolean ownIds;

    /** Whether a partition cannot be asked now. */
    private boolean unknown;

    private long rows;
    private long dataLength;
    private long indexLength;
    private long dataFree;
    private @Nullable Long nextId;
    private @Nullable Long changedAt;

    Sums(boolean ownIds) {
      this.ownIds = ownIds;
    }

    /** Adds what the partition on one place has. */
    void add(List<@Nullable String> row) {
      rows += number(row.get(2));
      dataLength += number(row.get(3));
      indexLength += number(row.get(4));
      dataFree += number(row.get(5));
      if (ownIds && row.get(6) != null) {
        nextId = number(row.get(6));
      }
      if (row.get(7) != null) {
        changedAt = Math.max(changedAt == null ? 0 : changedAt, number(row.get(7)));
      }
    }

    /** A partition cannot be asked now. */
    void unknown() {
      unknown = true;
    }

    private static long number(@Nullable String text) {
      return text == null ? 0 : Long.parseUnsignedLong(text);
    }

    /**
     * As they stand in a JSON array: rows, bytes of a row, of all, of indexes, free ones; the next
     * number; when it changed, in seconds since 1970.
     */
    @Override
    public String toString() {
      String next = nextId == null ? "null" : Long.toUnsignedString(nextId);
      return unknown
          ? "null,null,null,null,null," + next + ",null"
          : rows
              + ","
              + (rows == 0 ? 0 : dataLength / rows)
              + ","
              + dataLength
              + ","
              + indexLength
              + ","
              + dataFree
              + ","
              + next
              + ","
              + changedAt;
    }
  }

  /** The sums of all tables of some schemas. */
  Map<Table, Sums> of(Catalog catalog, Collection<Schema> schemas) {
    Map<Table, Sums> sumsOf = new LinkedHashMap<>();
    Map<String, Sums> bySequence = new HashMap<>();
    for (Schema schema : schemas) {
      for (Table table : schema.tables().values()) {
        Sums sums = new Sums(table.ownIds());
        sumsOf.put(table, sums);
        if (table.autoIncrementColumn().isPresent() && !table.ownIds()) {
          bySequence.put(table.sequence(), sums);
        }
      }
    }
    reached(() -> parts.sequences().next(bySequence.keySet()))
        .ifPresent(next -> bySequence.forEach((name, sums) -> sums.nextId = next.get(name)));
    new PartitionRows(parts, variables)
        .read(
            catalog,
            sumsOf.keySet(),
            TableFigures::query,
            new PartitionRows.Reader() {
              @Override
              public void row(Table table, List<@Nullable String> row) {
                Objects.requireNonNull(sumsOf.get(table)).add(row);
              }

              @Override
              public void away(Table table) {
                Objects.requireNonNull(sumsOf.get(table)).unknown();
              }
            });
    return sumsOf;
  }

  private static Sql query(Sql schemas) {
    return Sql.of(
            "SELECT TABLE_SCHEMA,TABLE_NAME,TABLE_ROWS,DATA_LENGTH,INDEX_LENGTH,DATA_FREE,"
                + "AUTO_INCREMENT,UNIX_TIMESTAMP(UPDATE_TIME) FROM information_schema.TABLES"
                + " WHERE TABLE_SCHEMA IN (")
        .add(schemas)
        .words(")");
  }

  /** The number that comes next; empty for a table without AUTO_INCREMENT. */
  public Optional<Long> nextId(Table table) {
    if (table.autoIncrementColumn().isEmpty()) {
      return Optional.empty();
    }
    if (!table.ownIds()) {
      return reached(() -> parts.sequences().next(List.of(table.sequence())))
          .flatMap(next -> next.values().stream().findFirst());
    }
    PartitionGroup place = parts.gms().catalog().places(table).getFirst();
    Sql show = Sql.of("SHOW CREATE TABLE ").name(table.name());
    return reached(() -> parts.queries().query(place.dn(), place.physicalSchema().name(), show))
        .flatMap(rows -> rows.stream().findFirst())
        .flatMap(row -> Optional.ofNullable(row.get(1)))
        .flatMap(DefinitionRow::nextId);
  }

  /** Empty while who is asked is away: what else a statement shows is no worse for it. */
  static <T> Optional<T> reached(Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (AlraiException e) {
      boolean away = e.is(ErrorCode.ALRAI_NODE_UNAVAILABLE) || e.isLostConnection();
      if (!away) {
        throw e;
      }
      return Optional.empty();
    }
  }
}
