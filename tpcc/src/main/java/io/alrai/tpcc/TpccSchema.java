package io.alrai.tpcc;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.common.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The nine tables (TPC-C 1.3) with their primary keys and the two indexes that the transactions
 * need. {@code history} has no primary key, as in the specification. Foreign keys are left out, as
 * 1.6 permits where the conditions hold without them.
 */
public final class TpccSchema {
  /** The tables, in the order in which they are created. */
  public static final List<String> TABLES =
      List.of(
          "warehouse",
          "district",
          "customer",
          "history",
          "new_order",
          "orders",
          "order_line",
          "item",
          "stock");

  private static final String ADDRESS =
      """
        %1$s_street_1 VARCHAR(20) NOT NULL,
        %1$s_street_2 VARCHAR(20) NOT NULL,
        %1$s_city VARCHAR(20) NOT NULL,
        %1$s_state CHAR(2) NOT NULL,
        %1$s_zip CHAR(9) NOT NULL,
      """;

  private final TpccDialect dialect;
  private final int partitions;

  public TpccSchema(TpccDialect dialect, int partitions) {
    this.dialect = dialect;
    this.partitions = partitions;
  }

  /** The schema that the options ask for; asks the server for its dialect if they do not say. */
  public static TpccSchema of(TpccOptions options) throws SQLException {
    TpccDialect dialect;
    if (options.load().dialect().isPresent()) {
      dialect = options.load().dialect().get();
    } else {
      try (Connection connection = options.endpoint().connectToServer()) {
        dialect = TpccDialect.detect(connection);
      }
    }
    return new TpccSchema(dialect, options.load().partitions());
  }

  /** Drops the nine tables where they are, makes the database if it is not there, creates anew. */
  public void recreate(MysqlEndpoint endpoint) throws SQLException {
    try (Connection connection = endpoint.connectToServer()) {
      execute(
          connection, List.of("CREATE DATABASE IF NOT EXISTS " + Sql.quote(endpoint.database())));
    }
    try (Connection connection = endpoint.connect()) {
      drop(connection);
      execute(connection, statements());
    }
  }

  /** Drops the nine tables where they are. */
  public void drop(Connection connection) throws SQLException {
    execute(connection, TABLES.stream().map(table -> "DROP TABLE IF EXISTS " + table).toList());
  }

  private static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** One CREATE TABLE per table of {@link #TABLES}, in that order. */
  public List<String> statements() {
    List<String> result = new ArrayList<>();
    result.add(warehouse());
    result.add(district());
    result.add(customer());
    result.add(history());
    result.add(newOrder());
    result.add(orders());
    result.add(orderLine());
    result.add(item());
    result.add(stock());
    return result;
  }

  private String table(String name, String body, String clause) {
    return "CREATE TABLE " + name + " (\n" + body + ") ENGINE=InnoDB" + clause;
  }

  private String byWarehouse(String name, String column, String body) {
    return table(name, body, dialect.byWarehouse(column, partitions));
  }

  private String warehouse() {
    return byWarehouse(
        "warehouse",
        "w_id",
        "  w_id INT NOT NULL,\n  w_name VARCHAR(10) NOT NULL,\n"
            + ADDRESS.formatted("w")
            + """
              w_tax DECIMAL(4,4) NOT NULL,
              w_ytd DECIMAL(12,2) NOT NULL,
              PRIMARY KEY (w_id)
            """);
  }

  private String district() {
    return byWarehouse(
        "district",
        "d_w_id",
        "  d_id TINYINT NOT NULL,\n  d_w_id INT NOT NULL,\n  d_name VARCHAR(10) NOT NULL,\n"
            + ADDRESS.formatted("d")
            + """
              d_tax DECIMAL(4,4) NOT NULL,
              d_ytd DECIMAL(12,2) NOT NULL,
              d_next_o_id INT NOT NULL,
              PRIMARY KEY (d_w_id, d_id)
            """);
  }

  private String customer() {
    return byWarehouse(
        "customer",
        "c_w_id",
        """
          c_id INT NOT NULL,
          c_d_id TINYINT NOT NULL,
          c_w_id INT NOT NULL,
          c_first VARCHAR(16) NOT NULL,
          c_middle CHAR(2) NOT NULL,
          c_last VARCHAR(16) NOT NULL,
        """
            + ADDRESS.formatted("c")
            + """
              c_phone CHAR(16) NOT NULL,
              c_since DATETIME NOT NULL,
              c_credit CHAR(2) NOT NULL,
              c_credit_lim DECIMAL(12,2) NOT NULL,
              c_discount DECIMAL(4,4) NOT NULL,
              c_balance DECIMAL(12,2) NOT NULL,
              c_ytd_payment DECIMAL(12,2) NOT NULL,
              c_payment_cnt INT NOT NULL,
              c_delivery_cnt INT NOT NULL,
              c_data VARCHAR(500) NOT NULL,
              PRIMARY KEY (c_w_id, c_d_id, c_id),
              KEY customer_name (c_w_id, c_d_id, c_last, c_first)
            """);
  }

  private String history() {
    return byWarehouse(
        "history",
        "h_w_id",
        """
          h_c_id INT NOT NULL,
          h_c_d_id TINYINT NOT NULL,
          h_c_w_id INT NOT NULL,
          h_d_id TINYINT NOT NULL,
          h_w_id INT NOT NULL,
          h_date DATETIME NOT NULL,
          h_amount DECIMAL(6,2) NOT NULL,
          h_data VARCHAR(24) NOT NULL
        """);
  }

  private String newOrder() {
    return byWarehouse(
        "new_order",
        "no_w_id",
        """
          no_o_id INT NOT NULL,
          no_d_id TINYINT NOT NULL,
          no_w_id INT NOT NULL,
          PRIMARY KEY (no_w_id, no_d_id, no_o_id)
        """);
  }

  private String orders() {
    return byWarehouse(
        "orders",
        "o_w_id",
        """
          o_id INT NOT NULL,
          o_d_id TINYINT NOT NULL,
          o_w_id INT NOT NULL,
          o_c_id INT NOT NULL,
          o_entry_d DATETIME NOT NULL,
          o_carrier_id TINYINT,
          o_ol_cnt TINYINT NOT NULL,
          o_all_local TINYINT NOT NULL,
          PRIMARY KEY (o_w_id, o_d_id, o_id),
          KEY orders_customer (o_w_id, o_d_id, o_c_id, o_id)
        """);
  }

  private String orderLine() {
    return byWarehouse(
        "order_line",
        "ol_w_id",
        """
          ol_o_id INT NOT NULL,
          ol_d_id TINYINT NOT NULL,
          ol_w_id INT NOT NULL,
          ol_number TINYINT NOT NULL,
          ol_i_id INT NOT NULL,
          ol_supply_w_id INT NOT NULL,
          ol_delivery_d DATETIME,
          ol_quantity TINYINT NOT NULL,
          ol_amount DECIMAL(6,2) NOT NULL,
          ol_dist_info CHAR(24) NOT NULL,
          PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)
        """);
  }

  private String item() {
    return table(
        "item",
        """
          i_id INT NOT NULL,
          i_im_id INT NOT NULL,
          i_name VARCHAR(24) NOT NULL,
          i_price DECIMAL(5,2) NOT NULL,
          i_data VARCHAR(50) NOT NULL,
          PRIMARY KEY (i_id)
        """,
        dialect.everywhere());
  }

  private String stock() {
    StringBuilder districts = new StringBuilder();
    for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
      districts.append("  ").append(districtColumn(district)).append(" CHAR(24) NOT NULL,\n");
    }
    return byWarehouse(
        "stock",
        "s_w_id",
        """
          s_i_id INT NOT NULL,
          s_w_id INT NOT NULL,
          s_quantity SMALLINT NOT NULL,
        """
            + districts
            + """
              s_ytd INT NOT NULL,
              s_order_cnt INT NOT NULL,
              s_remote_cnt INT NOT NULL,
              s_data VARCHAR(50) NOT NULL,
              PRIMARY KEY (s_w_id, s_i_id)
            """);
  }

  /** The column of {@code stock} that describes a district: {@code s_dist_01} to {@code 10}. */
  static String districtColumn(int district) {
    return "s_dist_%02d".formatted(district);
  }
}
