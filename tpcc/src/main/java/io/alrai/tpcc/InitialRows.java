package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The initial population (TPC-C 4.3.3), in portions that do not depend on each other: a portion's
 * rows are a function of the seed it is given. For one connection and thread.
 */
final class InitialRows {
  private static final String ADDRESS = "%1$s_street_1,%1$s_street_2,%1$s_city,%1$s_state,%1$s_zip";

  private final Connection connection;
  private final TpccScale scale;
  private final int statementBytes;
  private final String now;
  private final InsertText.Inserted inserted;

  /** {@code now} as {@code yyyy-MM-dd HH:mm:ss}. */
  InitialRows(
      Connection connection,
      TpccScale scale,
      int statementBytes,
      String now,
      InsertText.Inserted inserted) {
    this.connection = connection;
    this.scale = scale;
    this.statementBytes = statementBytes;
    this.now = now;
    this.inserted = inserted;
  }

  private InsertText insert(String table, String columns) throws SQLException {
    return new InsertText(connection, table, columns, statementBytes, inserted);
  }

  void items(long seed) throws SQLException {
    TpccRandom random = new TpccRandom(seed);
    try (InsertText item = insert("item", "i_id,i_im_id,i_name,i_price,i_data")) {
      for (int id = 1; id <= scale.items(); id++) {
        item.row()
            .number(id)
            .number(random.number(1, 10_000))
            .plain(random.alphanumeric(14, 24))
            .decimal(random.number(100, 10_000), 2)
            .plain(random.itemData());
      }
      item.flush();
    }
  }

  void warehouse(int warehouse, long seed) throws SQLException {
    TpccRandom random = new TpccRandom(seed);
    long districtYtd = scale.customersPerDistrict() * 1_000L;
    try (InsertText row =
            insert("warehouse", "w_id,w_name," + ADDRESS.formatted("w") + ",w_tax,w_ytd");
        InsertText district =
            insert(
                "district",
                "d_id,d_w_id,d_name," + ADDRESS.formatted("d") + ",d_tax,d_ytd,d_next_o_id")) {
      row.row().number(warehouse).plain(random.alphanumeric(6, 10));
      address(row, random);
      row.decimal(random.number(0, 2_000), 4).decimal(districtYtd * TpccScale.DISTRICTS, 2);
      for (int id = 1; id <= TpccScale.DISTRICTS; id++) {
        district.row().number(id).number(warehouse).plain(random.alphanumeric(6, 10));
        address(district, random);
        district
            .decimal(random.number(0, 2_000), 4)
            .decimal(districtYtd, 2)
            .number(scale.customersPerDistrict() + 1);
      }
      row.flush();
      district.flush();
    }
  }

  private static void address(InsertText row, TpccRandom random) {
    row.plain(random.alphanumeric(10, 20))
        .plain(random.alphanumeric(10, 20))
        .plain(random.alphanumeric(10, 20))
        .plain(random.alphanumeric(2, 2))
        .plain(random.zip());
  }

  void stock(int warehouse, long seed) throws SQLException {
    TpccRandom random = new TpccRandom(seed);
    StringBuilder columns = new StringBuilder("s_i_id,s_w_id,s_quantity,");
    for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
      columns.append(TpccSchema.districtColumn(district)).append(',');
    }
    columns.append("s_ytd,s_order_cnt,s_remote_cnt,s_data");
    try (InsertText stock = insert("stock", columns.toString())) {
      for (int item = 1; item <= scale.items(); item++) {
        stock.row().number(item).number(warehouse).number(random.number(10, 100));
        for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
          stock.plain(random.alphanumeric(24, 24));
        }
        stock.number(0).number(0).number(0).plain(random.itemData());
      }
      stock.flush();
    }
  }

  /** The customers of a district and their first rows of {@code history}. */
  void customers(int warehouse, int district, long seed) throws SQLException {
    TpccRandom random = new TpccRandom(seed);
    try (InsertText customer =
            insert(
                "customer",
                "c_id,c_d_id,c_w_id,c_first,c_middle,c_last,"
                    + ADDRESS.formatted("c")
                    + ",c_phone,c_since,c_credit,c_credit_lim,c_discount,c_balance,c_ytd_payment,"
                    + "c_payment_cnt,c_delivery_cnt,c_data");
        InsertText history =
            insert("history", "h_c_id,h_c_d_id,h_c_w_id,h_d_id,h_w_id,h_date,h_amount,h_data")) {
      for (int id = 1; id <= scale.customersPerDistrict(); id++) {
        String name =
            id <= 1_000
                ? TpccRandom.lastName(id - 1)
                : random.lastName(scale, TpccRandom.LAST_NAME_CONSTANT_OF_LOAD);
        customer.row().number(id).number(district).number(warehouse);
        customer.plain(random.alphanumeric(8, 16)).plain("OE").plain(name);
        address(customer, random);
        customer
            .plain(random.digits(16))
            .plain(now)
            .plain(random.percent(10) ? "BC" : "GC")
            .decimal(5_000_000, 2)
            .decimal(random.number(0, 5_000), 4)
            .decimal(-1_000, 2)
            .decimal(1_000, 2)
            .number(1)
            .number(0)
            .plain(random.alphanumeric(300, 500));
        history.row().number(id).number(district).number(warehouse);
        history.number(district).number(warehouse).plain(now).decimal(1_000, 2);
        history.plain(random.alphanumeric(12, 24));
      }
      customer.flush();
      history.flush();
    }
  }

  /** The orders of a district, their lines, and the rows of {@code new_order}. */
  void orders(int warehouse, int district, long seed) throws SQLException {
    TpccRandom random = new TpccRandom(seed);
    int[] customers = random.permutation(scale.customersPerDistrict());
    try (InsertText order =
            insert(
                "orders", "o_id,o_d_id,o_w_id,o_c_id,o_entry_d,o_carrier_id,o_ol_cnt,o_all_local");
        InsertText line =
            insert(
                "order_line",
                "ol_o_id,ol_d_id,ol_w_id,ol_number,ol_i_id,ol_supply_w_id,ol_delivery_d,"
                    + "ol_quantity,ol_amount,ol_dist_info");
        InsertText newOrder = insert("new_order", "no_o_id,no_d_id,no_w_id")) {
      for (int id = 1; id <= customers.length; id++) {
        boolean delivered = id <= scale.deliveredPerDistrict();
        int lines = random.number(5, 15);
        order.row().number(id).number(district).number(warehouse).number(customers[id - 1]);
        order.plain(now);
        if (delivered) {
          order.number(random.number(1, 10));
        } else {
          order.nothing();
          newOrder.row().number(id).number(district).number(warehouse);
        }
        order.number(lines).number(1);
        for (int number = 1; number <= lines; number++) {
          line.row().number(id).number(district).number(warehouse).number(number);
          line(line, random, warehouse, delivered);
        }
      }
      order.flush();
      line.flush();
      newOrder.flush();
    }
  }

  private void line(InsertText line, TpccRandom random, int warehouse, boolean delivered) {
    line.number(random.number(1, scale.items())).number(warehouse);
    if (delivered) {
      line.plain(now).number(5).decimal(0, 2);
    } else {
      line.nothing().number(5).decimal(random.number(1, 999_999), 2);
    }
    line.plain(random.alphanumeric(24, 24));
  }
}
