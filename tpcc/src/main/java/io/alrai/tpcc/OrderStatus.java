package io.alrai.tpcc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** TPC-C 2.6.2. */
final class OrderStatus {
  private static final String CUSTOMER =
      "SELECT c_balance, c_first, c_middle, c_last FROM customer"
          + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
  private static final String LAST_ORDER =
      "SELECT o_id, o_carrier_id, o_entry_d, o_ol_cnt FROM orders"
          + " WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ORDER BY o_id DESC LIMIT 1";
  private static final String LINES =
      "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line"
          + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";

  private final Statements statements;
  private final Customers customers;

  OrderStatus(Statements statements, Customers customers) {
    this.statements = statements;
    this.customers = customers;
  }

  Outcome run(Input.OrderStatus input) throws SQLException {
    int warehouse = input.warehouse();
    int district = input.district();
    int customer = customers.find(warehouse, district, input.customer());
    try (ResultSet row = statements.query(CUSTOMER, warehouse, district, customer)) {
      Statements.one(row, CUSTOMER);
    }
    int order;
    int expectedLines;
    try (ResultSet row = statements.query(LAST_ORDER, warehouse, district, customer)) {
      order = Statements.one(row, LAST_ORDER).getInt(1);
      expectedLines = row.getInt(4);
    }
    int lines = 0;
    try (ResultSet rows = statements.query(LINES, warehouse, district, order)) {
      while (rows.next()) {
        lines++;
      }
    }
    if (lines != expectedLines) {
      throw new SQLException(
          "order %d/%d/%d has %d lines, %d were read"
              .formatted(warehouse, district, order, expectedLines, lines),
          Statements.WRONG_ANSWER);
    }
    return new Outcome.Committed();
  }
}
