package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A logical table as its shadow defines it, read back from the mysqld.
 *
 * @param createText SHOW CREATE TABLE
 * @param columns in order
 * @param keys of the unique keys, the primary one included
 */
public record TableDefinition(String createText, List<Column> columns, List<UniqueKey> keys) {
  /**
   * A unique key.
   *
   * @param name of the key
   * @param columns all that are plain columns, whole or by a prefix
   * @param wholeColumns those without a prefix
   * @param functional whether an expression is part of it
   */
  public record UniqueKey(
      String name, List<String> columns, List<String> wholeColumns, boolean functional) {}

  public TableDefinition {
    columns = List.copyOf(columns);
    keys = List.copyOf(keys);
  }

  /** Reads it from a place: what is asked, at the same time. */
  static TableDefinition read(DdlShards shards, ParallelSteps parallel, Place place, String table) {
    Sql where =
        Sql.of(" WHERE TABLE_SCHEMA = ")
            .string(place.schema())
            .words(" AND TABLE_NAME = ")
            .string(table);
    Sql columnSql =
        Sql.of(
                "SELECT COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IFNULL(CHARACTER_MAXIMUM_LENGTH, 0),"
                    + " IFNULL(NUMERIC_PRECISION, 0), IFNULL(NUMERIC_SCALE, 0),"
                    + " IFNULL(DATETIME_PRECISION, 0), IFNULL(CHARACTER_SET_NAME, ''),"
                    + " IFNULL(COLLATION_NAME, ''), IS_NULLABLE, EXTRA FROM information_schema.COLUMNS")
            .add(where)
            .words(" ORDER BY ORDINAL_POSITION");
    Sql keySql =
        Sql.of(
                "SELECT INDEX_NAME, IFNULL(COLUMN_NAME, ''), IFNULL(SUB_PART, 0)"
                    + " FROM information_schema.STATISTICS")
            .add(where)
            .words(" AND NON_UNIQUE = 0 ORDER BY INDEX_NAME, SEQ_IN_INDEX");
    List<List<List<String>>> answers =
        parallel.all(
            List.of(
                () -> shards.query(place.dn(), showCreate(place, table)),
                () -> shards.query(place.dn(), columnSql),
                () -> shards.query(place.dn(), keySql)));
    return new TableDefinition(
        answers.getFirst().getFirst().get(1),
        answers.get(1).stream().map(TableDefinition::column).toList(),
        keys(answers.get(2)));
  }

  /** Reads only its text. */
  static String readText(DdlShards shards, Place place, String table) {
    return shards.query(place.dn(), showCreate(place, table)).getFirst().get(1);
  }

  private static Sql showCreate(Place place, String table) {
    return Sql.of("SHOW CREATE TABLE ").name(place.schema(), table);
  }

  /** A column as information_schema.COLUMNS has it, see {@link #read}. */
  public static Column column(List<String> row) {
    String dataType = row.get(1).toLowerCase(Locale.ROOT);
    MysqlType type = type(dataType);
    String extra = row.get(10).toUpperCase(Locale.ROOT);
    boolean temporal = type.isTemporal();
    boolean bytes = isBytes(dataType);
    return new Column(
        row.get(0),
        type,
        row.get(2).toLowerCase(Locale.ROOT).contains("unsigned"),
        length(type.isNumeric() ? row.get(4) : row.get(3)),
        length(temporal ? row.get(6) : row.get(5)),
        bytes ? "binary" : row.get(7),
        bytes ? "binary" : row.get(8),
        row.get(9).equals("YES"),
        extra.contains("AUTO_INCREMENT"),
        extra.contains("INVISIBLE"),
        extra.contains("VIRTUAL GENERATED") || extra.contains("STORED GENERATED"));
  }

  private static int length(String digits) {
    return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(digits));
  }

  private static boolean isBytes(String dataType) {
    return switch (dataType) {
      case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "bit" -> true;
      default -> false;
    };
  }

  private static MysqlType type(String dataType) {
    return switch (dataType) {
      case "tinyint" -> MysqlType.TINYINT;
      case "smallint" -> MysqlType.SMALLINT;
      case "mediumint" -> MysqlType.MEDIUMINT;
      case "int" -> MysqlType.INT;
      case "bigint" -> MysqlType.BIGINT;
      case "float" -> MysqlType.FLOAT;
      case "double" -> MysqlType.DOUBLE;
      case "decimal" -> MysqlType.DECIMAL;
      case "date" -> MysqlType.DATE;
      case "time" -> MysqlType.TIME;
      case "datetime" -> MysqlType.DATETIME;
      case "timestamp" -> MysqlType.TIMESTAMP;
      case "year" -> MysqlType.YEAR;
      case "char", "binary" -> MysqlType.CHAR;
      case "varchar", "varbinary" -> MysqlType.VARCHAR;
      case "tinytext", "tinyblob" -> MysqlType.TINYBLOB;
      case "text", "blob" -> MysqlType.BLOB;
      case "mediumtext", "mediumblob" -> MysqlType.MEDIUMBLOB;
      case "longtext", "longblob" -> MysqlType.LONGBLOB;
      case "enum" -> MysqlType.ENUM;
      case "set" -> MysqlType.SET;
      case "bit" -> MysqlType.BIT;
      case "json" -> MysqlType.JSON;
      case "vector" -> MysqlType.VECTOR;
      case "geometry",
          "point",
          "linestring",
          "polygon",
          "multipoint",
          "multilinestring",
          "multipolygon",
          "geomcollection",
          "geometrycollection" ->
          MysqlType.GEOMETRY;
      default -> throw AlraiException.unsupported("'column type " + dataType + "'");
    };
  }

  /** Keys as information_schema.STATISTICS has them, see {@link #read}. */
  public static List<UniqueKey> keys(List<List<String>> rows) {
    Map<String, List<List<String>>> parts = new LinkedHashMap<>();
    rows.forEach(row -> parts.computeIfAbsent(row.get(0), key -> new ArrayList<>()).add(row));
    List<UniqueKey> keys = new ArrayList<>();
    parts.forEach((name, of) ->
        keys.add(
            new UniqueKey(
                name,
                of.stream().map(row -> row.get(1)).filter(c -> !c.isEmpty()).toList(),
                of.stream()
                    .filter(row -> !row.get(1).isEmpty() && row.get(2).equals("0"))
                    .map(row -> row.get(1))
                    .toList(),
                of.stream().anyMatch(row -> row.get(1).isEmpty()))));
    return keys;
  }

  /** The text taken apart. */
  public TableText text() {
    return TableText.of(createText);
  }

  /** The table's own primary key. */
  public Optional<UniqueKey> primaryKey() {
    return keys.stream().filter(key -> key.name().equals(TableText.PRIMARY)).findFirst();
  }

  /** The columns of the unique keys but the primary one and those with an expression. */
  public List<List<String>> otherUniqueKeys() {
    return keys.stream()
        .filter(key -> !key.name().equals(TableText.PRIMARY) && !key.functional())
        .map(UniqueKey::columns)
        .toList();
  }

  /** The column of that name, whatever its case. */
  public Optional<Column> column(String name) {
    return columns.stream().filter(column -> column.name().equalsIgnoreCase(name)).findFirst();
  }

  /** Whether one of the names is the other's, as MySQL compares names of columns. */
  public static boolean contains(List<String> names, String name) {
    return names.stream().anyMatch(name::equalsIgnoreCase);
  }

  /** Whether all unique keys have all of these columns, as a whole. */
  public Optional<UniqueKey> keyWithout(Set<String> columnNames) {
    return keys.stream()
        .filter(key -> columnNames.stream().anyMatch(name -> !contains(key.wholeColumns(), name)))
        .findFirst();
  }
}
