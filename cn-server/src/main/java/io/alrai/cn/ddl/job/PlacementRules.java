package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.optimizer.api.PlacementClause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How a new table is partitioned. A clause is followed or refused. Without one: by the columns of
 * the primary key that all unique keys have; where there is no such column, in one partition; and
 * without any unique key, spread. In a schema of one partition all are SINGLE, and so together.
 */
public final class PlacementRules {
  /** The signature of tables in one partition. */
  public static final String SINGLE = "single";

  /** The signature of tables with a copy on every DN. */
  static final String BROADCAST = "broadcast";

  private static final String INTEGER = "integer";

  private PlacementRules() {}

  /** Follows a clause. */
  public static Partitioning byClause(
      TableDefinition table, PlacementClause clause, int defaultPartitions) {
    return switch (clause) {
      case PlacementClause.Single _ -> new Partitioning.Single();
      case PlacementClause.Broadcast _ -> new Partitioning.Broadcast();
      case PlacementClause.Hash hash -> {
        Column column = column(table, hash.column());
        if (!column.type().isInteger()) {
          throw wrongType(column);
        }
        requireKeys(table, List.of(column.name()));
        yield new Partitioning.Hash(column.name(), count(hash.partitions(), defaultPartitions));
      }
      case PlacementClause.Key key -> {
        List<String> names = key.columns().isEmpty() ? primaryKey(table) : key.columns();
        List<String> columns = names.stream().map(name -> keyColumn(table, name)).toList();
        requireDistinct(columns);
        requireKeys(table, columns);
        yield new Partitioning.Key(columns, count(key.partitions(), defaultPartitions));
      }
    };
  }

  /** Without a clause. */
  public static Partitioning byDefault(TableDefinition table, int defaultPartitions) {
    if (defaultPartitions == 1) {
      return new Partitioning.Single();
    }
    if (table.keys().isEmpty()) {
      return new Partitioning.Spread(defaultPartitions);
    }
    TableDefinition.UniqueKey first = table.primaryKey().orElse(table.keys().getFirst());
    List<String> common =
        first.wholeColumns().stream()
            .filter(name -> table.keyWithout(Set.of(name)).isEmpty())
            .filter(name -> table.column(name).filter(PlacementRules::allowed).isPresent())
            .toList();
    return common.isEmpty()
        ? new Partitioning.Single()
        : new Partitioning.Key(common, defaultPartitions);
  }

  /**
   * Checks that unique keys can be kept by each partition for itself.
   *
   * @throws AlraiException ER_UNIQUE_KEY_NEED_ALL_FIELDS_IN_PF
   */
  public static void requireKeys(TableDefinition table, List<String> partitionColumns) {
    table
        .keyWithout(new HashSet<>(partitionColumns))
        .ifPresent(key -> {
          throw new AlraiException(
              ErrorCode.ER_UNIQUE_KEY_NEED_ALL_FIELDS_IN_PF,
              "A "
                  + (key.name().equals(TableText.PRIMARY) ? "PRIMARY KEY" : "UNIQUE INDEX")
                  + " must include all columns in the table's partitioning function (prefixed"
                  + " columns are not considered).");
        });
  }

  /** The columns that decide where a row goes. */
  public static List<String> columnsOf(Partitioning partitioning) {
    return switch (partitioning) {
      case Partitioning.Key key -> key.columns();
      case Partitioning.Hash hash -> List.of(hash.column());
      case Partitioning.Spread _, Partitioning.Single _, Partitioning.Broadcast _ -> List.of();
    };
  }

  /**
   * What tables of one table group have in common: equal signatures put equal key values into
   * partitions of the same number.
   */
  public static String signature(TableDefinition table, Partitioning partitioning) {
    StringBuilder types = new StringBuilder();
    for (String name : columnsOf(partitioning)) {
      types.append(types.isEmpty() ? "" : ", ").append(typeClass(column(table, name)));
    }
    return signature(types.toString(), partitioning);
  }

  /** The signature of the rule for tables whose only partition column is an integer. */
  public static String ofIntegers(Partitioning partitioning) {
    return signature(INTEGER, partitioning);
  }

  private static String signature(String types, Partitioning partitioning) {
    return switch (partitioning) {
      case Partitioning.Key key -> "key(" + types + ") " + key.count();
      case Partitioning.Hash hash -> "hash(" + types + ") " + hash.count();
      case Partitioning.Spread spread -> "spread " + spread.count();
      case Partitioning.Single _ -> SINGLE;
      case Partitioning.Broadcast _ -> BROADCAST;
    };
  }

  private static String typeClass(Column column) {
    if (column.type().isInteger()) {
      return INTEGER;
    }
    return column.type().isString() ? column.collation() : column.type().toString();
  }

  private static boolean allowed(Column column) {
    return column.type().isInteger()
        || switch (column.type()) {
          case DECIMAL, CHAR, VARCHAR, DATE, DATETIME -> true;
          default -> false;
        };
  }

  private static String keyColumn(TableDefinition table, String name) {
    Column column = column(table, name);
    if (!allowed(column)) {
      throw wrongType(column);
    }
    return column.name();
  }

  private static Column column(TableDefinition table, String name) {
    return table.column(name).orElseThrow(PlacementRules::noSuchField);
  }

  private static List<String> primaryKey(TableDefinition table) {
    return table
        .primaryKey()
        .map(TableDefinition.UniqueKey::columns)
        .orElseThrow(PlacementRules::noSuchField);
  }

  private static void requireDistinct(List<String> columns) {
    Set<String> seen = new HashSet<>();
    for (String column : columns) {
      if (!seen.add(column)) {
        throw new AlraiException(
            ErrorCode.ER_SAME_NAME_PARTITION_FIELD,
            "Duplicate partition field name '" + column + "'");
      }
    }
  }

  private static AlraiException noSuchField() {
    return new AlraiException(
        ErrorCode.ER_FIELD_NOT_FOUND_PART_ERROR,
        "Field in list of fields for partition function not found in table");
  }

  private static AlraiException wrongType(Column column) {
    return new AlraiException(
        ErrorCode.ER_FIELD_TYPE_NOT_ALLOWED_AS_PARTITION_FIELD,
        "Field '" + column.name() + "' is of a not allowed type for this type of partitioning");
  }

  private static int count(int given, int defaultPartitions) {
    return given == 0 ? defaultPartitions : given;
  }
}
