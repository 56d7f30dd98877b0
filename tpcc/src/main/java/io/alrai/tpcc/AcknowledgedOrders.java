package io.alrai.tpcc;

import io.alrai.common.jdbc.MysqlEndpoint;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Remembers every order whose commit the endpoint acknowledged, to ask later, after crashes for
 * example, whether all are there. Safe for several threads.
 */
public final class AcknowledgedOrders implements TpccObserver {
  /** An order's primary key. */
  public record Order(int warehouse, int district, int order) implements Comparable<Order> {
    @Override
    public int compareTo(Order other) {
      if (warehouse != other.warehouse) {
        return Integer.compare(warehouse, other.warehouse);
      }
      return district != other.district
          ? Integer.compare(district, other.district)
          : Integer.compare(order, other.order);
    }
  }

  private final Set<Order> acknowledged = new ConcurrentSkipListSet<>();

  @Override
  public void orderAcknowledged(int warehouse, int district, int order) {
    acknowledged.add(new Order(warehouse, district, order));
  }

  /** How many there are. */
  public int count() {
    return acknowledged.size();
  }

  /**
   * Those that are not in {@code orders} any more; nothing may write meanwhile.
   *
   * @throws SQLException also if the rows come in a wrong order
   */
  public List<Order> missing(MysqlEndpoint endpoint) throws SQLException {
    List<Order> missing = new ArrayList<>();
    try (KeyedRows rows =
        KeyedRows.open(
            endpoint, "SELECT o_w_id, o_d_id, o_id FROM orders ORDER BY o_w_id, o_d_id, o_id", 3)) {
      for (Order order : acknowledged) {
        long[] key = {order.warehouse, order.district, order.order};
        if (!rows.seek(key)) {
          missing.add(order);
        }
      }
    }
    return missing;
  }
}
