package io.alrai.tpch;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.common.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The eight tables (TPC-H 1.4) with their primary keys and, if asked for, foreign-key indexes. */
public final class TpchSchema {
  /** The tables, in the order in which they are created. */
  public static final List<String> TABLES =
      List.of("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem");

  private final TpchDialect dialect;
  private final int partitions;
  private final boolean foreignKeyIndexes;

  public TpchSchema(TpchDialect dialect, int partitions, boolean foreignKeyIndexes) {
    this.dialect = dialect;
    this.partitions = partitions;
    this.foreignKeyIndexes = foreignKeyIndexes;
  }

  /** The schema that the options ask for; asks the server for its dialect if they do not say. */
  public static TpchSchema of(TpchOptions options) throws SQLException {
    TpchOptions.Load load = options.load();
    TpchDialect dialect;
    if (load.dialect().isPresent()) {
      dialect = load.dialect().get();
    } else {
      try (Connection connection = options.endpoint().connectToServer()) {
        dialect = TpchDialect.detect(connection);
      }
    }
    return new TpchSchema(dialect, load.partitions(), load.foreignKeyIndexes());
  }

  /** Makes the database if it is not there, drops the eight tables where they are, creates anew. */
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

  /** Drops the eight tables where they are. */
  public void drop(Connection connection) throws SQLException {
    execute(connection, TABLES.stream().map(table -> "DROP TABLE IF EXISTS " + table).toList());
  }

  /** Has the server count: right after a load its statistics may be those of empty tables. */
  public void analyze(Connection connection) throws SQLException {
    execute(connection, List.of("ANALYZE TABLE " + String.join(", ", TABLES)));
  }

  /** Makes a column index of every table, on a server that has such. */
  public void indexColumns(Connection connection) throws SQLException {
    List<String> keys =
        List.of(
            "r_regionkey",
            "n_nationkey",
            "s_suppkey",
            "c_custkey",
            "p_partkey",
            "ps_partkey",
            "o_orderkey",
            "l_orderkey");
    List<String> indexes = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      indexes.add(
          "CREATE CLUSTERED COLUMNAR INDEX by_column ON "
              + TABLES.get(i)
              + " ("
              + keys.get(i)
              + ")");
    }
    execute(connection, indexes);
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
    result.add(region());
    result.add(nation());
    result.add(supplier());
    result.add(customer());
    result.add(part());
    result.add(partsupp());
    result.add(orders());
    result.add(lineitem());
    return result;
  }

  private static String table(String name, String columns, String keys, String clause) {
    String body =
        columns.strip().lines().map(line -> "  " + line.strip()).collect(Collectors.joining("\n"));
    return "CREATE TABLE " + name + " (\n" + body + keys + "\n) ENGINE=InnoDB" + clause;
  }

  private String keys(String primary, String... foreign) {
    String key = "\n  PRIMARY KEY (" + primary + ")";
    if (!foreignKeyIndexes) {
      return key;
    }
    return key
        + Arrays.stream(foreign)
            .map(columns -> ",\n  KEY (" + columns + ")")
            .collect(Collectors.joining());
  }

  private String region() {
    return table(
        "region",
        """
        r_regionkey INT NOT NULL,
        r_name CHAR(25) NOT NULL,
        r_comment VARCHAR(152) NOT NULL,
        """,
        keys("r_regionkey"),
        dialect.everywhere());
  }

  private String nation() {
    return table(
        "nation",
        """
        n_nationkey INT NOT NULL,
        n_name CHAR(25) NOT NULL,
        n_regionkey INT NOT NULL,
        n_comment VARCHAR(152) NOT NULL,
        """,
        keys("n_nationkey", "n_regionkey"),
        dialect.everywhere());
  }

  private String supplier() {
    return table(
        "supplier",
        """
        s_suppkey INT NOT NULL,
        s_name CHAR(25) NOT NULL,
        s_address VARCHAR(40) NOT NULL,
        s_nationkey INT NOT NULL,
        s_phone CHAR(15) NOT NULL,
        s_acctbal DECIMAL(15,2) NOT NULL,
        s_comment VARCHAR(101) NOT NULL,
        """,
        keys("s_suppkey", "s_nationkey"),
        dialect.byKey("s_suppkey", partitions));
  }

  private String customer() {
    return table(
        "customer",
        """
        c_custkey INT NOT NULL,
        c_name VARCHAR(25) NOT NULL,
        c_address VARCHAR(40) NOT NULL,
        c_nationkey INT NOT NULL,
        c_phone CHAR(15) NOT NULL,
        c_acctbal DECIMAL(15,2) NOT NULL,
        c_mktsegment CHAR(10) NOT NULL,
        c_comment VARCHAR(117) NOT NULL,
        """,
        keys("c_custkey", "c_nationkey"),
        dialect.byKey("c_custkey", partitions));
  }

  private String part() {
    return table(
        "part",
        """
        p_partkey INT NOT NULL,
        p_name VARCHAR(55) NOT NULL,
        p_mfgr CHAR(25) NOT NULL,
        p_brand CHAR(10) NOT NULL,
        p_type VARCHAR(25) NOT NULL,
        p_size INT NOT NULL,
        p_container CHAR(10) NOT NULL,
        p_retailprice DECIMAL(15,2) NOT NULL,
        p_comment VARCHAR(23) NOT NULL,
        """,
        keys("p_partkey"),
        dialect.byKey("p_partkey", partitions));
  }

  private String partsupp() {
    return table(
        "partsupp",
        """
        ps_partkey INT NOT NULL,
        ps_suppkey INT NOT NULL,
        ps_availqty INT NOT NULL,
        ps_supplycost DECIMAL(15,2) NOT NULL,
        ps_comment VARCHAR(199) NOT NULL,
        """,
        keys("ps_partkey, ps_suppkey", "ps_suppkey"),
        dialect.byKey("ps_partkey", partitions));
  }

  private String orders() {
    return table(
        "orders",
        """
        o_orderkey BIGINT NOT NULL,
        o_custkey INT NOT NULL,
        o_orderstatus CHAR(1) NOT NULL,
        o_totalprice DECIMAL(15,2) NOT NULL,
        o_orderdate DATE NOT NULL,
        o_orderpriority CHAR(15) NOT NULL,
        o_clerk CHAR(15) NOT NULL,
        o_shippriority INT NOT NULL,
        o_comment VARCHAR(79) NOT NULL,
        """,
        keys("o_orderkey", "o_custkey"),
        dialect.byKey("o_orderkey", partitions));
  }

  private String lineitem() {
    return table(
        "lineitem",
        """
        l_orderkey BIGINT NOT NULL,
        l_partkey INT NOT NULL,
        l_suppkey INT NOT NULL,
        l_linenumber INT NOT NULL,
        l_quantity DECIMAL(15,2) NOT NULL,
        l_extendedprice DECIMAL(15,2) NOT NULL,
        l_discount DECIMAL(15,2) NOT NULL,
        l_tax DECIMAL(15,2) NOT NULL,
        l_returnflag CHAR(1) NOT NULL,
        l_linestatus CHAR(1) NOT NULL,
        l_shipdate DATE NOT NULL,
        l_commitdate DATE NOT NULL,
        l_receiptdate DATE NOT NULL,
        l_shipinstruct CHAR(25) NOT NULL,
        l_shipmode CHAR(10) NOT NULL,
        l_comment VARCHAR(44) NOT NULL,
        """,
        keys("l_orderkey, l_linenumber", "l_partkey, l_suppkey", "l_suppkey"),
        dialect.byKey("l_orderkey", partitions));
  }
}
