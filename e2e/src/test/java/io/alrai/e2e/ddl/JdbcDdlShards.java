package io.alrai.e2e.ddl;

import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Consumer;

/** DNs reached by JDBC, one new connection a statement. */
final class JdbcDdlShards implements DdlShards {
  private final SortedMap<DnId, String> urls;

  JdbcDdlShards(SortedMap<DnId, String> urls) {
    this.urls = urls;
  }

  @Override
  public List<DnId> dns() {
    return List.copyOf(urls.keySet());
  }

  @Override
  public Executed execute(DnId dn, String currentSchema, Map<String, String> settings, Sql sql) {
    try (Connection connection = connect(dn);
        Statement statement = connection.createStatement()) {
      if (!currentSchema.isEmpty()) {
        statement.execute("USE `" + currentSchema + "`");
      }
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        statement.execute("SET SESSION " + setting.getKey() + " = " + setting.getValue());
      }
      statement.setEscapeProcessing(false);
      long affectedRows = statement.executeLargeUpdate(sql.text());
      List<SqlWarning> warnings = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery("SHOW WARNINGS")) {
        while (rows.next()) {
          warnings.add(new SqlWarning(rows.getString(1), rows.getInt(2), rows.getString(3)));
        }
      }
      return new Executed(affectedRows, warnings);
    } catch (SQLException e) {
      throw known(e);
    }
  }

  @Override
  public void read(DnId dn, Map<String, String> settings, Sql sql, Consumer<String> row) {
    try (Connection connection = connect(dn);
        Statement statement = connection.createStatement()) {
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        statement.execute("SET SESSION " + setting.getKey() + " = " + setting.getValue());
      }
      ResultSet result = statement.executeQuery(sql.text());
      while (result.next()) {
        row.accept(Objects.requireNonNull(result.getString(1)));
      }
    } catch (SQLException e) {
      throw known(e);
    }
  }

  @Override
  public List<List<String>> query(DnId dn, String currentSchema, Sql sql) {
    try (Connection connection = connect(dn);
        Statement statement = connection.createStatement()) {
      if (!currentSchema.isEmpty()) {
        connection.setCatalog(currentSchema);
      }
      ResultSet result = statement.executeQuery(sql.text());
      List<List<String>> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          String value = result.getString(i);
          row.add(value == null ? "" : value);
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw known(e);
    }
  }

  /** A query of a test's. */
  List<List<String>> query(DnId dn, String sql) {
    return query(dn, Sql.client(sql));
  }

  Connection connect(DnId dn) throws SQLException {
    return DriverManager.getConnection(String.valueOf(urls.get(dn)));
  }

  private static AlraiException known(SQLException e) {
    return AlraiException.fromServer(
        e.getErrorCode(), String.valueOf(e.getSQLState()), String.valueOf(e.getMessage()));
  }
}
