package io.alrai.tpcc;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;

/** TPC-C 2.5.2. */
final class Payment {
  private static final String UPDATE_WAREHOUSE =
      "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?";
  private static final String WAREHOUSE =
      "SELECT w_street_1, w_street_2, w_city, w_state, w_zip, w_name FROM warehouse WHERE w_id = ?";
  private static final String UPDATE_DISTRICT =
      "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?";
  private static final String DISTRICT =
      "SELECT d_street_1, d_street_2, d_city, d_state, d_zip, d_name FROM district"
          + " WHERE d_w_id = ? AND d_id = ?";
  private static final String CUSTOMER =
      "SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone,"
          + " c_credit, c_credit_lim, c_discount, c_balance, c_since FROM customer"
          + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE";
  private static final String UPDATE_CUSTOMER =
      "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,"
          + " c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
  private static final String DATA =
      "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE";
  private static final String UPDATE_CUSTOMER_AND_DATA =
      "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,"
          + " c_payment_cnt = c_payment_cnt + 1, c_data = ?"
          + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
  private static final String HISTORY =
      "INSERT INTO history (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, h_date, h_amount, h_data)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

  private final Statements statements;
  private final Customers customers;

  Payment(Statements statements, Customers customers) {
    this.statements = statements;
    this.customers = customers;
  }

  Outcome run(Input.Payment input, LocalDateTime now) throws SQLException {
    int warehouse = input.warehouse();
    statements.change(1, UPDATE_WAREHOUSE, input.amount(), warehouse);
    String warehouseName = name(WAREHOUSE, warehouse);
    statements.change(1, UPDATE_DISTRICT, input.amount(), warehouse, input.district());
    String districtName = name(DISTRICT, warehouse, input.district());
    int customer =
        customers.find(input.customerWarehouse(), input.customerDistrict(), input.customer());
    pay(input, customer);
    statements.change(
        1,
        HISTORY,
        input.customerDistrict(),
        input.customerWarehouse(),
        customer,
        input.district(),
        warehouse,
        now,
        input.amount(),
        warehouseName + "    " + districtName);
    return new Outcome.Committed();
  }

  private String name(String sql, Object... key) throws SQLException {
    try (ResultSet row = statements.query(sql, key)) {
      return Statements.one(row, sql).getString(6);
    }
  }

  private void pay(Input.Payment input, int customer) throws SQLException {
    BigDecimal amount = input.amount();
    int warehouse = input.customerWarehouse();
    int district = input.customerDistrict();
    boolean badCredit;
    try (ResultSet row = statements.query(CUSTOMER, warehouse, district, customer)) {
      badCredit = "BC".equals(Statements.one(row, CUSTOMER).getString("c_credit"));
    }
    if (!badCredit) {
      statements.change(1, UPDATE_CUSTOMER, amount, amount, warehouse, district, customer);
      return;
    }
    String data;
    try (ResultSet row = statements.query(DATA, warehouse, district, customer)) {
      data = Statements.one(row, DATA).getString(1);
    }
    String note =
        "%d %d %d %d %d %s|%s"
            .formatted(
                customer, district, warehouse, input.district(), input.warehouse(), amount, data);
    statements.change(
        1,
        UPDATE_CUSTOMER_AND_DATA,
        amount,
        amount,
        note.length() > 500 ? note.substring(0, 500) : note,
        warehouse,
        district,
        customer);
  }
}
