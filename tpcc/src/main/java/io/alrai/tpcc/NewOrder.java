package io.alrai.tpcc;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.IntStream;

/** TPC-C 2.4.2. */
final class NewOrder {
  private static final String CUSTOMER =
      "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse"
          + " WHERE w_id = ? AND c_w_id = ? AND c_d_id = ? AND c_id = ?";
  private static final String DISTRICT =
      "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE";
  private static final String NEXT_ORDER =
      "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?";
  private static final String ORDER =
      "INSERT INTO orders"
          + " (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)"
          + " VALUES (?, ?, ?, ?, ?, NULL, ?, ?)";
  private static final String NEW_ORDER =
      "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)";
  private static final String ITEM = "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?";
  private static final String UPDATE_STOCK =
      "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1,"
          + " s_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?";
  private static final String ORDER_LINE =
      "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,"
          + " ol_delivery_d, ol_quantity, ol_amount, ol_dist_info)"
          + " VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)";

  /** The stock of an item, by district less one. */
  private static final List<String> STOCK =
      IntStream.rangeClosed(1, TpccScale.DISTRICTS)
          .mapToObj(district ->
              "SELECT s_quantity, s_data, "
                  + TpccSchema.districtColumn(district)
                  + " FROM stock WHERE s_w_id = ? AND s_i_id = ? FOR UPDATE")
          .toList();

  private final Statements statements;

  NewOrder(Statements statements) {
    this.statements = statements;
  }

  Outcome run(Input.NewOrder input, LocalDateTime now) throws SQLException {
    int warehouse = input.warehouse();
    int district = input.district();
    try (ResultSet row =
        statements.query(CUSTOMER, warehouse, warehouse, district, input.customer())) {
      Statements.one(row, CUSTOMER);
    }
    int order = statements.queryInt(DISTRICT, warehouse, district);
    statements.change(1, NEXT_ORDER, warehouse, district);
    statements.change(
        1,
        ORDER,
        order,
        district,
        warehouse,
        input.customer(),
        now,
        input.lines().size(),
        input.allLocal() ? 1 : 0);
    statements.change(1, NEW_ORDER, order, district, warehouse);
    for (int number = 1; number <= input.lines().size(); number++) {
      if (!addLine(input, order, number)) {
        return new Outcome.RolledBack();
      }
    }
    return new Outcome.OrderCommitted(warehouse, district, order);
  }

  /** False if there is no such item. */
  private boolean addLine(Input.NewOrder input, int order, int number) throws SQLException {
    Input.Line line = input.lines().get(number - 1);
    BigDecimal price;
    try (ResultSet row = statements.query(ITEM, line.item())) {
      if (!row.next()) {
        return false;
      }
      price = row.getBigDecimal(1);
    }
    String select = STOCK.get(input.district() - 1);
    int quantity;
    String districtInfo;
    try (ResultSet row = statements.query(select, line.supplyWarehouse(), line.item())) {
      quantity = Statements.one(row, select).getInt(1);
      districtInfo = row.getString(3);
    }
    int left = quantity - line.quantity();
    statements.change(
        1,
        UPDATE_STOCK,
        left >= 10 ? left : left + 91,
        line.quantity(),
        line.supplyWarehouse() == input.warehouse() ? 0 : 1,
        line.supplyWarehouse(),
        line.item());
    statements.change(
        1,
        ORDER_LINE,
        order,
        input.district(),
        input.warehouse(),
        number,
        line.item(),
        line.supplyWarehouse(),
        line.quantity(),
        price.multiply(BigDecimal.valueOf(line.quantity())),
        districtInfo);
    return true;
  }
}
