package io.alrai.tpcc;

import java.sql.SQLException;

/** TPC-C 2.8.2. */
final class StockLevel {
  private static final String NEXT_ORDER =
      "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?";
  private static final String LOW_ITEMS =
      "SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock"
          + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? AND ol_o_id >= ?"
          + " AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?";

  private final Statements statements;

  StockLevel(Statements statements) {
    this.statements = statements;
  }

  Outcome run(Input.StockLevel input) throws SQLException {
    int warehouse = input.warehouse();
    int next = statements.queryInt(NEXT_ORDER, warehouse, input.district());
    int low =
        statements.queryInt(
            LOW_ITEMS, warehouse, input.district(), next, next - 20, warehouse, input.threshold());
    if (low < 0) {
      throw new SQLException("a negative number of items is low", Statements.WRONG_ANSWER);
    }
    return new Outcome.Committed();
  }
}
