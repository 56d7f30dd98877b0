package io.alrai.tpcc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Finds the customer that a user names (TPC-C 2.5.2.2, 2.6.2.2). */
final class Customers {
  private static final String BY_NAME =
      "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first";

  private final Statements statements;

  Customers(Statements statements) {
    this.statements = statements;
  }

  /** The number; of those with the same last name the middle one, rounded up, by first name. */
  int find(int warehouse, int district, Input.Customer customer) throws SQLException {
    return switch (customer) {
      case Input.Customer.ById byId -> byId.id();
      case Input.Customer.ByName byName -> middle(warehouse, district, byName.lastName());
    };
  }

  private int middle(int warehouse, int district, String lastName) throws SQLException {
    List<Integer> found = new ArrayList<>();
    try (ResultSet rows = statements.query(BY_NAME, warehouse, district, lastName)) {
      while (rows.next()) {
        found.add(rows.getInt(1));
      }
    }
    if (found.isEmpty()) {
      throw new SQLException(
          "no customer " + lastName + " in " + warehouse + "/" + district, Statements.WRONG_ANSWER);
    }
    return found.get((found.size() - 1) / 2);
  }
}
