package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.cn.text.LiteralText;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.WholeJson;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies the rows of a table that nobody writes to from one place to another. Within a mysqld it
 * copies them itself; between two, it writes each row as a list of literals that give the very
 * values back, whatever the character sets.
 */
final class MovedRows {
  private static final int BATCH_CHARS = 1 << 20;

  /** Where a document stands that is still to become an expression: no other literal is like it. */
  private static final Pattern DOCUMENT = Pattern.compile("J'([0-9A-F]*)'");

  /** Times of day may occur twice a year. What columns may hold is what copies have anyway. */
  private static final Map<String, String> SETTINGS = Map.of("time_zone", "'+00:00'");

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
    Sql insert = Sql.of("INSERT INTO ").name(table).words(" (").add(names()).words(") ");
    Sql source = Sql.of(" FROM ").name(from.schema(), name);
    if (from.dn().equals(to.dn())) {
      run.executeCopy(to, insert.words("SELECT ").add(names()).add(source), SETTINGS);
      return;
    }
    Sql values = insert.words("VALUES ");
    StringBuilder batch = new StringBuilder();
    run.read(
        from.dn(),
        SETTINGS,
        Sql.of("SELECT CONCAT('(', ").add(literals()).words(", ')')").add(source),
        row -> {
          batch.append(batch.isEmpty() ? "" : ",").append(withDocuments(row));
          if (batch.length() >= BATCH_CHARS) {
            send(to, values, batch);
          }
        });
    if (!batch.isEmpty()) {
      send(to, values, batch);
    }
  }

  /** A mysqld cannot say in one expression of what types all values of a document are. */
  private static String withDocuments(String row) {
    return DOCUMENT
        .matcher(row)
        .replaceAll(found ->
            Matcher.quoteReplacement(
                LiteralText.document(HexFormat.of().parseHex(found.group(1)))));
  }

  private void send(Place to, Sql values, StringBuilder batch) {
    run.executeCopy(to, values.written(batch.toString()), SETTINGS);
    batch.setLength(0);
  }

  private Sql names() {
    return Sql.EMPTY.names(columns.stream().map(Column::name).toList());
  }

  private Sql literals() {
    return Sql.join(
        ", ',', ",
        columns.stream()
            .map(column -> {
              Sql name = Sql.EMPTY.name(column.name());
              return Sql.of("IF(")
                  .add(name)
                  .words(" IS NULL, 'NULL', ")
                  .add(literal(column.type(), name))
                  .words(")");
            })
            .toList());
  }

  /** An expression that gives the text of a literal. */
  private static Sql literal(MysqlType type, Sql name) {
    return switch (type) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, DECIMAL, DECIMAL_OLD, YEAR -> name;
      case BIT, ENUM, SET -> Sql.of("CAST(").add(name).words(" AS UNSIGNED)");
      case FLOAT, DOUBLE -> name.words(" + 0e0");
      case DATE, NEWDATE, TIME, DATETIME, TIMESTAMP ->
          Sql.of("CONCAT('''', ").add(name).words(", '''')");
      case JSON -> Sql.of("CONCAT('J''', HEX(").add(WholeJson.of(name)).words("), '''')");
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
          Sql.of("CONCAT('X''', HEX(").add(name).words("), '''')");
    };
  }
}
