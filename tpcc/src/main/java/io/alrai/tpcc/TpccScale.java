package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How many rows the tables hold (TPC-C 1.2, 4.3.3). The specification fixes all but the number of
 * warehouses; smaller figures are for tests.
 *
 * @param warehouses at least 1
 * @param items items in all, each in the stock of every warehouse
 * @param customersPerDistrict customers, and initial orders, per district
 */
public record TpccScale(int warehouses, int items, int customersPerDistrict) {
  /** Districts of a warehouse. */
  public static final int DISTRICTS = 10;

  public TpccScale {
    if (warehouses < 1 || items < 20 || customersPerDistrict < 10) {
      throw new IllegalArgumentException(
          "needs at least 1 warehouse, 20 items and 10 customers per district, got "
              + warehouses
              + ", "
              + items
              + ", "
              + customersPerDistrict);
    }
  }

  /** The figures of the specification. */
  public static TpccScale specification(int warehouses) {
    return new TpccScale(warehouses, 100_000, 3_000);
  }

  /** A hundredth of the specification, loaded in a moment. */
  public static TpccScale small(int warehouses) {
    return new TpccScale(warehouses, 1_000, 30);
  }

  /** Initial orders of a district without a carrier: 900 of 3,000. */
  public int undeliveredPerDistrict() {
    return customersPerDistrict * 3 / 10;
  }

  /** Initial orders of a district that were delivered: 2,100 of 3,000. */
  public int deliveredPerDistrict() {
    return customersPerDistrict - undeliveredPerDistrict();
  }

  /** Highest number after a last name that occurs in every district. */
  int highestLastName() {
    return Math.min(999, customersPerDistrict - 1);
  }

  /**
   * The scale of a loaded database.
   *
   * @throws SQLException also if the tables are not there or empty
   */
  public static TpccScale read(Connection connection) throws SQLException {
    int warehouses = count(connection, "SELECT COUNT(*) FROM warehouse");
    int items = count(connection, "SELECT COUNT(*) FROM item");
    int customers =
        count(connection, "SELECT COUNT(*) FROM customer WHERE c_w_id = 1 AND c_d_id = 1");
    if (warehouses == 0 || items == 0 || customers == 0) {
      throw new SQLException("the TPC-C tables are empty: load them first");
    }
    return new TpccScale(warehouses, items, customers);
  }

  private static int count(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : 0;
    }
  }
}
