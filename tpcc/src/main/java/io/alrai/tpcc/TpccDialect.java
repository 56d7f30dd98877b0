package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** What the endpoint understands beyond MySQL's own SQL. */
public enum TpccDialect {
  /** Plain MySQL: tables as they are. */
  MYSQL,
  /** Alrai: tables of a warehouse in one table group by warehouse, {@code item} on every node. */
  ALRAI;

  /** Asks the server who it is. */
  public static TpccDialect detect(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@version_comment")) {
      String comment = row.next() ? row.getString(1) : "";
      return ofVersionComment(comment == null ? "" : comment);
    }
  }

  static TpccDialect ofVersionComment(String comment) {
    return comment.toLowerCase(Locale.ROOT).contains("alrai") ? ALRAI : MYSQL;
  }

  /** The clause after the table options for a table that is kept by warehouse. */
  String byWarehouse(String warehouseColumn, int partitions) {
    return switch (this) {
      case MYSQL -> "";
      case ALRAI -> " PARTITION BY KEY(" + warehouseColumn + ") PARTITIONS " + partitions;
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
