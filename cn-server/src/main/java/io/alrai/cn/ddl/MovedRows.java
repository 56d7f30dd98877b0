package io.alrai.cn.ddl;

import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.syntax.Identifier;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Copies the rows of a table that nobody writes to from one place to another. Within a mysqld it
 * copies them itself; between two, it writes each row as a list of literals that give the very
 * values back, whatever the character sets.
 */
final class MovedRows {
  private static final int BATCH_CHARS = 1 << 20;

  /** An AUTO_INCREMENT column may hold 0, and times of day may occur twice a year. */
  private static final Map<String, String> SETTINGS =
      Map.of("sql_mode", "'NO_AUTO_VALUE_ON_ZERO'", "time_zone", "'+00:00'");

  private final JobRun run;
  private final String table;
  private final List<Column> columns;

  /**
   * Copies of one table.
   *
   * @param table its name at the place where the rows go
   */
  MovedRows(JobRun run, String table, TableDefinition definition) {
    this.run = run;
    this.table = table;
    this.columns =
        definition.columns().stream()
            .filter(column -> !column.generated() && !column.name().equals(Table.IMPLICIT_KEY))
            .toList();
  }

  /**
   * Copies all rows.
   *
   * @param name that the table has where they are
   */
  void copy(Place from, String name, Place to) {
    String insert = "INSERT INTO " + Identifier.quote(table) + " (" + names() + ") ";
    String source = " FROM " + SqlText.qualified(from.schema(), name);
    if (from.dn().equals(to.dn())) {
      run.executeCopy(to, insert + "SELECT " + names() + source, SETTINGS);
      return;
    }
    StringBuilder batch = new StringBuilder();
    run.read(
        from.dn(),
        SETTINGS,
        "SELECT CONCAT('(', " + literals() + ", ')')" + source,
        row -> {
          batch.append(batch.isEmpty() ? insert + "VALUES " : ",").append(row);
          if (batch.length() >= BATCH_CHARS) {
            send(to, batch);
          }
        });
    if (!batch.isEmpty()) {
      send(to, batch);
    }
  }

  private void send(Place to, StringBuilder batch) {
    run.executeCopy(to, batch.toString(), SETTINGS);
    batch.setLength(0);
  }

  private String names() {
    return SqlText.names(columns.stream().map(Column::name).toList());
  }

  private String literals() {
    return columns.stream()
        .map(column -> {
          String name = Identifier.quote(column.name());
          return "IF(" + name + " IS NULL, 'NULL', " + literal(column.type(), name) + ")";
        })
        .collect(Collectors.joining(", ',', "));
  }

  /** An expression that gives the text of a literal. */
  private static String literal(MysqlType type, String name) {
    return switch (type) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, DECIMAL, DECIMAL_OLD, YEAR -> name;
      case BIT, ENUM, SET -> "CAST(" + name + " AS UNSIGNED)";
      case FLOAT, DOUBLE -> name + " + 0e0";
      case DATE, NEWDATE, TIME, DATETIME, TIMESTAMP -> "CONCAT('''', " + name + ", '''')";
      case JSON -> "CONCAT('CAST(_utf8mb4 X''', HEX(CAST(" + name + " AS CHAR)), ''' AS JSON)')";
      case TINYBLOB,
          MEDIUMBLOB,
          LONGBLOB,
          BLOB,
          VARCHAR,
          VARCHAR_OLD,
          CHAR,
          VECTOR,
          GEOMETRY,
          NULL ->
          "CONCAT('X''', HEX(" + name + "), '''')";
    };
  }
}
