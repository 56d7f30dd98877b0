package io.alrai.cn.system;

import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.api.token.TokenCursor;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/**
 * SHOW TABLE STATUS and information_schema.TABLES as queries with {@link TableFigures} in place of
 * what the shadows of tables have; NULL where a DN is away. One statement; blocks.
 */
final class TableStatus {
  private static final Set<String> COLUMNS =
      Set.of(
          "TABLE_ROWS",
          "AVG_ROW_LENGTH",
          "DATA_LENGTH",
          "INDEX_LENGTH",
          "DATA_FREE",
          "AUTO_INCREMENT",
          "UPDATE_TIME",
          "CARDINALITY");

  /** Columns of figures in JSON, for JSON_TABLE. */
  static final String FIGURES =
      "s VARCHAR(512) PATH _utf8mb4'$[0]',n VARCHAR(512) PATH _utf8mb4'$[1]',"
          + "r BIGINT UNSIGNED PATH _utf8mb4'$[2]',a BIGINT UNSIGNED PATH _utf8mb4'$[3]',"
          + "d BIGINT UNSIGNED PATH _utf8mb4'$[4]',i BIGINT UNSIGNED PATH _utf8mb4'$[5]',"
          + "e BIGINT UNSIGNED PATH _utf8mb4'$[6]',x BIGINT UNSIGNED PATH _utf8mb4'$[7]',"
          + "u BIGINT PATH _utf8mb4'$[8]'";

  /** Where they belong. */
  static final String ON = " ON f.s=HEX(t.TABLE_SCHEMA) AND f.n=HEX(t.TABLE_NAME)";

  private final Catalog catalog;
  private final Session session;
  private final TableFigures figures;

  TableStatus(CnParts parts, Session session) {
    this.catalog = parts.gms().catalog();
    this.session = session;
    this.figures = new TableFigures(parts, session.variables());
  }

  /** Whether a query over information_schema may show them. */
  static boolean isAskedBy(TokenCursor query) {
    for (int i = 0; i < query.size(); i++) {
      TokenCursor.Token token = query.token(i);
      boolean named =
          token.isName() && COLUMNS.stream().anyMatch(name -> name.equalsIgnoreCase(token.name()));
      boolean all =
          token.text().equals("*")
              && query.kindAt(i) == TokenKind.OPERATOR
              && (i == 0 || query.kindAt(i - 1) != TokenKind.OPEN);
      if (named || all || token.isWord("NATURAL") || query.seesAt(i, "TABLE")) {
        return true;
      }
    }
    return false;
  }

  /**
   * SHOW TABLE STATUS as a query.
   *
   * @param show after SHOW
   * @return empty for other statements, and for a schema of MySQL's own
   * @throws AlraiException 1046 and 1049 as MySQL
   */
  Optional<String> ofShow(TokenCursor show) {
    if (!show.take("TABLE", "STATUS")) {
      return Optional.empty();
    }
    boolean given = show.take("FROM") || show.take("IN");
    String schema = given ? show.identifier() : session.schema();
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    if (SystemTables.isSystemSchema(schema)) {
      return Optional.empty();
    }
    Schema shown =
        catalog
            .schema(schema)
            .orElseThrow(() ->
                new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + schema + "'"));
    String condition = condition(show, "Name");
    return Optional.of(
        "SELECT * FROM (SELECT TABLE_NAME AS Name,ENGINE AS Engine,VERSION AS Version,ROW_FORMAT AS"
            + " Row_format,TABLE_ROWS AS `Rows`,AVG_ROW_LENGTH AS Avg_row_length,DATA_LENGTH AS"
            + " Data_length,MAX_DATA_LENGTH AS Max_data_length,INDEX_LENGTH AS"
            + " Index_length,DATA_FREE AS Data_free,AUTO_INCREMENT AS Auto_increment,CREATE_TIME AS"
            + " Create_time,UPDATE_TIME AS Update_time,CHECK_TIME AS Check_time,TABLE_COLLATION AS"
            + " Collation,CHECKSUM AS Checksum,CREATE_OPTIONS AS Create_options,TABLE_COMMENT AS"
            + " Comment FROM ("
            + over("information_schema.TABLES", List.of(shown))
            + ") AS `TABLES` WHERE TABLE_SCHEMA="
            + SystemRows.string(schema)
            + " ORDER BY Name) AS `TABLES`"
            + condition);
  }

  /**
   * The rest of a SHOW as a condition, with a blank before it; empty for none.
   *
   * @param column that LIKE is about
   * @throws AlraiException 1064 for anything but LIKE and a string, or WHERE and an expression
   */
  static String condition(TokenCursor show, String column) {
    int from = show.position();
    if (show.take("LIKE")) {
      show.expect(TokenKind.STRING);
      show.expectEnd();
      return " WHERE " + column + " " + show.slice(from, show.size());
    }
    if (show.take("WHERE")) {
      show.requireExpression(show.position(), show.size());
      return " " + show.slice(from, show.size());
    }
    show.expectEnd();
    return "";
  }

  /** A query that gives what {@code information_schema.TABLES} should. */
  String over(String tables) {
    return over(tables, catalog.schemas().values());
  }

  private String over(String tables, Collection<Schema> schemas) {
    StringJoiner list = new StringJoiner(",", "[", "]");
    figures
        .of(catalog, schemas)
        .forEach((table, sums) -> list.add("[" + names(table) + "," + sums + "]"));
    return "SELECT t.TABLE_CATALOG,t.TABLE_SCHEMA,t.TABLE_NAME,t.TABLE_TYPE,t.ENGINE,t.VERSION,"
        + "t.ROW_FORMAT"
        + either("TABLE_ROWS", "f.r")
        + either("AVG_ROW_LENGTH", "f.a")
        + either("DATA_LENGTH", "f.d")
        + ",t.MAX_DATA_LENGTH"
        + either("INDEX_LENGTH", "f.i")
        + either("DATA_FREE", "f.e")
        + either("AUTO_INCREMENT", "f.x")
        + ",t.CREATE_TIME"
        + either("UPDATE_TIME", "FROM_UNIXTIME(f.u)")
        + ",t.CHECK_TIME,t.TABLE_COLLATION,t.CHECKSUM,t.CREATE_OPTIONS,t.TABLE_COMMENT FROM "
        + tables
        + " AS t LEFT JOIN JSON_TABLE(_utf8mb4'" // no JSON is in binary, which SET NAMES may say
        + list
        + "',_utf8mb4'$[*]' COLUMNS("
        + FIGURES
        + ")) AS f"
        + ON;
  }

  static String either(String column, String figure) {
    return ",IF(f.s IS NULL,t." + column + "," + figure + ") AS " + column;
  }

  /** The names of its schema and itself, as in the JSON of {@link #FIGURES}. */
  static String names(Table table) {
    return "\"" + hex(table.schema()) + "\",\"" + hex(table.name()) + "\"";
  }

  /** As HEX() has it, so that a name is nothing else in JSON or in SQL. */
  static String hex(String name) {
    return HexFormat.of().withUpperCase().formatHex(name.getBytes(StandardCharsets.UTF_8));
  }
}
