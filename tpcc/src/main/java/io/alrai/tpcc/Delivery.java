package io.alrai.tpcc;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;

/**
 * TPC-C 2.7.4, at once and in one database transaction for all districts.
 *
 * <p>Order and lines are updated before they are read: the oldest order may be younger than the
 * transaction's snapshot, but a transaction always sees its own changes.
 */
final class Delivery {
  private static final String OLDEST =
      "SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ?"
          + " ORDER BY no_o_id LIMIT 1 FOR UPDATE";
  private static final String DELETE_OLDEST =
      "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?";
  private static final String CUSTOMER =
      "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?";
  private static final String CARRIER =
      "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?";
  private static final String LINES =
      "UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
  private static final String AMOUNT =
      "SELECT SUM(ol_amount), COUNT(*) FROM order_line"
          + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
  private static final String BALANCE =
      "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1"
          + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";

  private final Statements statements;

  Delivery(Statements statements) {
    this.statements = statements;
  }

  Outcome run(Input.Delivery input, LocalDateTime now) throws SQLException {
    for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
      int order;
      try (ResultSet row = statements.query(OLDEST, input.warehouse(), district)) {
        if (!row.next()) {
          continue;
        }
        order = row.getInt(1);
      }
      deliver(input, district, order, now);
    }
    return new Outcome.Committed();
  }

  private void deliver(Input.Delivery input, int district, int order, LocalDateTime now)
      throws SQLException {
    int warehouse = input.warehouse();
    statements.change(1, DELETE_OLDEST, warehouse, district, order);
    statements.change(1, CARRIER, input.carrier(), warehouse, district, order);
    int customer = statements.queryInt(CUSTOMER, warehouse, district, order);
    int updated = statements.change(LINES, now, warehouse, district, order);
    BigDecimal amount;
    try (ResultSet row = statements.query(AMOUNT, warehouse, district, order)) {
      amount = Statements.one(row, AMOUNT).getBigDecimal(1);
      int lines = row.getInt(2);
      if (lines != updated || lines == 0) {
        throw new SQLException(
            "order %d/%d/%d has %d lines, %d were delivered"
                .formatted(warehouse, district, order, lines, updated),
            Statements.WRONG_ANSWER);
      }
    }
    statements.change(1, BALANCE, amount, warehouse, district, customer);
  }
}
