package io.alrai.tpch;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** What the endpoint understands beyond MySQL's own SQL. */
public enum TpchDialect {
  /** Plain MySQL: tables as they are. */
  MYSQL,
  /** Alrai: orders with their lines, parts with their suppliers, nations and regions everywhere. */
  ALRAI;

  /** Asks the server who it is. */
  public static TpchDialect detect(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@version_comment")) {
      String comment = row.next() ? row.getString(1) : "";
      return ofVersionComment(comment == null ? "" : comment);
    }
  }

  static TpchDialect ofVersionComment(String comment) {
    return comment.toLowerCase(Locale.ROOT).contains("alrai") ? ALRAI : MYSQL;
  }

  /** The clause after the table options for a table that is spread by a column. */
  String byKey(String column, int partitions) {
    return switch (this) {
      case MYSQL -> "";
      case ALRAI -> " PARTITION BY KEY(" + column + ") PARTITIONS " + partitions;
    };
  }

  /** The clause after the table options for a table that every node has whole. */
  String everywhere() {
    return switch (this) {
      case MYSQL -> "";
      case ALRAI -> " BROADCAST";
    };
  }
}
