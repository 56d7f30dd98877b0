package io.alrai.cn.columnar;

import io.alrai.cn.shard.ShardQueries;
import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.TableShape;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a physical table as they are held in columns, in the table's order: all for a column
 * index, some for rows that are read once.
 *
 * @param shape for the index
 * @param expressions what is selected of each, so that {@link RowTexts} reads it
 */
record IndexedColumns(TableShape shape, List<Sql> expressions) {
  private static final Sql QUERY =
      Sql.of(
          "SELECT COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IFNULL(NUMERIC_PRECISION, 0),"
              + " IFNULL(NUMERIC_SCALE, 0), IFNULL(DATETIME_PRECISION, 0),"
              + " IFNULL(COLLATION_NAME, ''), IS_NULLABLE, EXTRA FROM information_schema.COLUMNS");

  IndexedColumns {
    expressions = List.copyOf(expressions);
  }

  /**
   * Asks the mysqld. Blocking.
   *
   * @param key the primary key's columns
   * @throws AlraiException ER_NOT_SUPPORTED_YET for a column that an index cannot hold;
   *     ER_NO_SUCH_TABLE when there is no such table
   */
  static IndexedColumns read(
      ShardQueries queries, DnId dn, String schema, String table, List<String> key) {
    IndexedColumns all = read(queries, dn, schema, table, name -> true);
    List<ColumnShape> columns = all.shape().columns();
    List<Integer> ordinals = new ArrayList<>();
    for (String part : key) {
      ordinals.add(ordinal(columns, part));
    }
    return new IndexedColumns(new TableShape(columns, ordinals), all.expressions());
  }

  /** Reads some columns, maybe none, without a key. */
  static IndexedColumns read(
      ShardQueries queries, DnId dn, String schema, String table, Predicate<String> wanted) {
    List<ColumnShape> columns = new ArrayList<>();
    List<Sql> expressions = new ArrayList<>();
    Sql sql =
        QUERY
            .words(" WHERE TABLE_SCHEMA = ")
            .string(schema)
            .words(" AND TABLE_NAME = ")
            .string(table)
            .words(" ORDER BY ORDINAL_POSITION");
    List<List<@Nullable String>> rows = queries.query(dn, "", sql);
    if (rows.isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_NO_SUCH_TABLE, "Table '" + schema + "." + table + "' doesn't exist");
    }
    for (List<@Nullable String> row : rows) {
      List<String> texts = row.stream().map(text -> Objects.requireNonNullElse(text, "")).toList();
      String name = texts.get(0);
      if (wanted.test(name)) {
        ColumnKind kind = kind(texts);
        columns.add(new ColumnShape(name, kind, texts.get(7).equals("YES")));
        expressions.add(expression(Sql.EMPTY.name(name), kind));
      }
    }
    return new IndexedColumns(new TableShape(columns, List.of()), expressions);
  }

  private static int ordinal(List<ColumnShape> columns, String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    throw new AlraiException(
        ErrorCode.ALRAI_CATALOG_CONFLICT, "the table has no column " + name + " now");
  }

  /** The rows of a table, to be read by {@link RowTexts}. */
  Sql select(String schema, String table) {
    return Sql.of("SELECT ")
        .add(expressions.isEmpty() ? Sql.of("1") : Sql.join(",", expressions))
        .words(" FROM ")
        .name(schema, table);
  }

  /** FLOAT's own text has fewer digits than its value; labels and bits are wanted as numbers. */
  static Sql expression(Sql column, ColumnKind kind) {
    return switch (kind) {
      case ColumnKind.Floating floating -> floating.single() ? doubled(column) : column;
      case ColumnKind.Label label -> column.words("+0");
      case ColumnKind.LabelSet set -> Sql.of("CAST(").add(column).words(" AS UNSIGNED)");
      case ColumnKind.Int number -> column.words("+0");
      case ColumnKind.Decimal _,
          ColumnKind.Date _,
          ColumnKind.DateTime _,
          ColumnKind.Timestamp _,
          ColumnKind.Time _,
          ColumnKind.Text _,
          ColumnKind.Bytes _,
          ColumnKind.Json _ ->
          column;
    };
  }

  private static Sql doubled(Sql column) {
    return Sql.of("CAST(").add(column).words(" AS DOUBLE)");
  }

  private static ColumnKind kind(List<String> column) {
    String type = column.get(1).toLowerCase(Locale.ROOT);
    String declared = column.get(2);
    String collation = column.get(6);
    int fraction = Integer.parseInt(column.get(5));
    if (column.get(8).toUpperCase(Locale.ROOT).contains("VIRTUAL GENERATED")) {
      throw refused(column.get(0), "a virtual column");
    }
    return switch (type) {
      case "tinyint", "smallint", "mediumint", "int", "year" -> new ColumnKind.Int(false);
      case "bigint" -> new ColumnKind.Int(declared.toLowerCase(Locale.ROOT).contains("unsigned"));
      case "bit" -> new ColumnKind.Int(true);
      case "decimal" -> decimal(column);
      case "float" -> new ColumnKind.Floating(true);
      case "double" -> new ColumnKind.Floating(false);
      case "date" -> new ColumnKind.Date();
      case "datetime" -> new ColumnKind.DateTime(fraction);
      case "timestamp" -> new ColumnKind.Timestamp(fraction);
      case "time" -> new ColumnKind.Time(fraction);
      case "char", "varchar", "tinytext", "text", "mediumtext", "longtext" ->
          new ColumnKind.Text(collation);
      case "json" -> new ColumnKind.Json();
      case "enum" -> new ColumnKind.Label(labels(declared), collation);
      case "set" -> new ColumnKind.LabelSet(labels(declared), collation);
      default -> new ColumnKind.Bytes();
    };
  }

  private static ColumnKind decimal(List<String> column) {
    int precision = Integer.parseInt(column.get(3));
    if (precision > 38) {
      throw refused(column.get(0), "DECIMAL of more than 38 digits");
    }
    return new ColumnKind.Decimal(precision, Integer.parseInt(column.get(4)));
  }

  /** {@code enum('a','it''s')}. */
  private static List<String> labels(String declared) {
    List<String> labels = new ArrayList<>();
    StringBuilder label = new StringBuilder();
    boolean inside = false;
    for (int i = 0; i < declared.length(); i++) {
      char c = declared.charAt(i);
      if (c != '\'') {
        if (inside) {
          label.append(c);
        }
      } else if (inside && i + 1 < declared.length() && declared.charAt(i + 1) == '\'') {
        label.append(c);
        i++;
      } else {
        if (inside) {
          labels.add(label.toString());
          label.setLength(0);
        }
        inside = !inside;
      }
    }
    return labels;
  }

  private static AlraiException refused(String column, String what) {
    return AlraiException.unsupported(
        "'a column index of a table with " + what + "': column " + column);
  }
}
