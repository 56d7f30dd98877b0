package io.alrai.tpcc;

import java.math.BigDecimal;
import java.util.List;

/**
 * The text of the twelve conditions. Every SELECT gives its keys first, in their order, then its
 * figures; a rule sees the figures of all SELECTs for one key side by side, 0 for a SELECT that
 * does not have the key.
 */
final class Conditions {
  private static final String ORDERS_BY_DISTRICT =
      " FROM orders GROUP BY o_w_id, o_d_id ORDER BY o_w_id, o_d_id";
  private static final String NEW_ORDERS_BY_DISTRICT =
      " FROM new_order GROUP BY no_w_id, no_d_id ORDER BY no_w_id, no_d_id";
  private static final String LINES_BY_ORDER =
      " FROM order_line GROUP BY ol_w_id, ol_d_id, ol_o_id ORDER BY ol_w_id, ol_d_id, ol_o_id";

  /** What was delivered to each customer. */
  private static final String DELIVERED_BY_CUSTOMER =
      "SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) FROM orders, order_line"
          + " WHERE ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id"
          + " AND ol_delivery_d IS NOT NULL"
          + " GROUP BY o_w_id, o_d_id, o_c_id ORDER BY o_w_id, o_d_id, o_c_id";

  private final TpccScale scale;

  private Conditions(TpccScale scale) {
    this.scale = scale;
  }

  /** Condition n at index n - 1. */
  static List<Condition> of(TpccScale scale) {
    Conditions conditions = new Conditions(scale);
    return List.of(
        conditions.warehouseAndDistricts(),
        conditions.nextOrder(),
        conditions.newOrdersWithoutGaps(),
        conditions.linesOfDistrict(),
        conditions.newOrdersWithoutCarrier(),
        conditions.linesOfOrder(),
        conditions.deliveredLines(),
        conditions.warehouseAndHistory(),
        conditions.districtAndHistory(),
        conditions.customerAndHistory(),
        conditions.deliveries(),
        conditions.customerAndPayments());
  }

  private int districts() {
    return scale.warehouses() * TpccScale.DISTRICTS;
  }

  private int customers() {
    return districts() * scale.customersPerDistrict();
  }

  private static boolean equal(BigDecimal left, BigDecimal right) {
    return left.compareTo(right) == 0;
  }

  private static boolean isZero(BigDecimal value) {
    return value.signum() == 0;
  }

  private Condition warehouseAndDistricts() {
    return new Condition(
        1,
        "w_ytd = sum(d_ytd)",
        1,
        scale.warehouses(),
        v -> equal(v[0], v[1]),
        List.of(
            "SELECT w_id, w_ytd FROM warehouse ORDER BY w_id",
            "SELECT d_w_id, SUM(d_ytd) FROM district GROUP BY d_w_id ORDER BY d_w_id"));
  }

  private Condition nextOrder() {
    return new Condition(
        2,
        "d_next_o_id - 1 = max(o_id) = max(no_o_id), the latter if there is one",
        2,
        districts(),
        v -> equal(v[0], v[1]) && (isZero(v[2]) || equal(v[0], v[2])),
        List.of(
            "SELECT d_w_id, d_id, d_next_o_id - 1 FROM district ORDER BY d_w_id, d_id",
            "SELECT o_w_id, o_d_id, MAX(o_id)" + ORDERS_BY_DISTRICT,
            "SELECT no_w_id, no_d_id, MAX(no_o_id)" + NEW_ORDERS_BY_DISTRICT));
  }

  private Condition newOrdersWithoutGaps() {
    return new Condition(
        3,
        "max(no_o_id) - min(no_o_id) + 1 = rows of new_order",
        2,
        0,
        v -> equal(v[0].subtract(v[1]).add(BigDecimal.ONE), v[2]),
        List.of(
            "SELECT no_w_id, no_d_id, MAX(no_o_id), MIN(no_o_id), COUNT(*)"
                + NEW_ORDERS_BY_DISTRICT));
  }

  private Condition linesOfDistrict() {
    return new Condition(
        4,
        "sum(o_ol_cnt) = rows of order_line, by district",
        2,
        districts(),
        v -> equal(v[0], v[1]),
        List.of(
            "SELECT o_w_id, o_d_id, SUM(o_ol_cnt)" + ORDERS_BY_DISTRICT,
            "SELECT ol_w_id, ol_d_id, COUNT(*) FROM order_line"
                + " GROUP BY ol_w_id, ol_d_id ORDER BY ol_w_id, ol_d_id"));
  }

  private Condition newOrdersWithoutCarrier() {
    return new Condition(
        5,
        "o_carrier_id is null exactly for the orders in new_order",
        3,
        0,
        v -> equal(v[0], v[1]),
        List.of(
            "SELECT o_w_id, o_d_id, o_id, 1 FROM orders WHERE o_carrier_id IS NULL"
                + " ORDER BY o_w_id, o_d_id, o_id",
            "SELECT no_w_id, no_d_id, no_o_id, 1 FROM new_order"
                + " ORDER BY no_w_id, no_d_id, no_o_id"));
  }

  private Condition linesOfOrder() {
    return new Condition(
        6,
        "o_ol_cnt = rows of order_line, by order",
        3,
        customers(),
        v -> equal(v[0], v[1]),
        List.of(
            "SELECT o_w_id, o_d_id, o_id, o_ol_cnt FROM orders ORDER BY o_w_id, o_d_id, o_id",
            "SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*)" + LINES_BY_ORDER));
  }

  private Condition deliveredLines() {
    return new Condition(
        7,
        "ol_delivery_d is null exactly for the lines of orders without o_carrier_id",
        3,
        customers(),
        v -> equal(v[0], BigDecimal.ONE) && (isZero(v[1]) ? isZero(v[3]) : equal(v[2], v[3])),
        List.of(
            "SELECT o_w_id, o_d_id, o_id, 1, o_carrier_id IS NULL FROM orders"
                + " ORDER BY o_w_id, o_d_id, o_id",
            "SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*), COUNT(*) - COUNT(ol_delivery_d)"
                + LINES_BY_ORDER));
  }

  private Condition warehouseAndHistory() {
    return new Condition(
        8,
        "w_ytd = sum(h_amount)",
        1,
        scale.warehouses(),
        v -> equal(v[0], v[1]),
        List.of(
            "SELECT w_id, w_ytd FROM warehouse ORDER BY w_id",
            "SELECT h_w_id, SUM(h_amount) FROM history GROUP BY h_w_id ORDER BY h_w_id"));
  }

  private Condition districtAndHistory() {
    return new Condition(
        9,
        "d_ytd = sum(h_amount)",
        2,
        districts(),
        v -> equal(v[0], v[1]),
        List.of(
            "SELECT d_w_id, d_id, d_ytd FROM district ORDER BY d_w_id, d_id",
            "SELECT h_w_id, h_d_id, SUM(h_amount) FROM history"
                + " GROUP BY h_w_id, h_d_id ORDER BY h_w_id, h_d_id"));
  }

  private Condition customerAndHistory() {
    return new Condition(
        10,
        "c_balance = sum(ol_amount) delivered - sum(h_amount)",
        3,
        customers(),
        v -> equal(v[0], v[1].subtract(v[2])),
        List.of(
            "SELECT c_w_id, c_d_id, c_id, c_balance FROM customer ORDER BY c_w_id, c_d_id, c_id",
            DELIVERED_BY_CUSTOMER,
            "SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) FROM history"
                + " GROUP BY h_c_w_id, h_c_d_id, h_c_id ORDER BY h_c_w_id, h_c_d_id, h_c_id"));
  }

  /**
   * 3.3.2.11 gives the difference after loading, 2,100; every delivery adds one to it, and to
   * c_delivery_cnt.
   */
  private Condition deliveries() {
    BigDecimal loaded = BigDecimal.valueOf(scale.deliveredPerDistrict());
    return new Condition(
        11,
        "rows of orders - rows of new_order = " + loaded + " + sum(c_delivery_cnt)",
        2,
        districts(),
        v -> equal(v[0].subtract(v[1]), loaded.add(v[2])),
        List.of(
            "SELECT o_w_id, o_d_id, COUNT(*)" + ORDERS_BY_DISTRICT,
            "SELECT no_w_id, no_d_id, COUNT(*)" + NEW_ORDERS_BY_DISTRICT,
            "SELECT c_w_id, c_d_id, SUM(c_delivery_cnt) FROM customer"
                + " GROUP BY c_w_id, c_d_id ORDER BY c_w_id, c_d_id"));
  }

  private Condition customerAndPayments() {
    return new Condition(
        12,
        "c_balance + c_ytd_payment = sum(ol_amount) delivered",
        3,
        customers(),
        v -> equal(v[0].add(v[1]), v[2]),
        List.of(
            "SELECT c_w_id, c_d_id, c_id, c_balance, c_ytd_payment FROM customer"
                + " ORDER BY c_w_id, c_d_id, c_id",
            DELIVERED_BY_CUSTOMER));
  }
}
