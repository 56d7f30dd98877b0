package io.alrai.tpcc;

import java.math.BigDecimal;
import java.util.List;

/** What a terminal's user enters for one transaction; a retry gets the same. */
sealed interface Input {
  TpccTransactionType type();

  /** A customer, by number or by last name. */
  sealed interface Customer {
    record ById(int id) implements Customer {}

    record ByName(String lastName) implements Customer {}
  }

  /** One line of an order; an item number that does not exist makes the order roll back. */
  record Line(int item, int supplyWarehouse, int quantity) {}

  /** TPC-C 2.4.1; the lines in lock order: by supplying warehouse, then item. */
  record NewOrder(int warehouse, int district, int customer, List<Line> lines) implements Input {
    public NewOrder {
      lines = List.copyOf(lines);
    }

    boolean allLocal() {
      return lines.stream().allMatch(line -> line.supplyWarehouse() == warehouse);
    }

    @Override
    public TpccTransactionType type() {
      return TpccTransactionType.NEW_ORDER;
    }
  }

  /** TPC-C 2.5.1. */
  record Payment(
      int warehouse,
      int district,
      int customerWarehouse,
      int customerDistrict,
      Customer customer,
      BigDecimal amount)
      implements Input {
    @Override
    public TpccTransactionType type() {
      return TpccTransactionType.PAYMENT;
    }
  }

  /** TPC-C 2.6.1. */
  record OrderStatus(int warehouse, int district, Customer customer) implements Input {
    @Override
    public TpccTransactionType type() {
      return TpccTransactionType.ORDER_STATUS;
    }
  }

  /** TPC-C 2.7.1: all districts of the warehouse. */
  record Delivery(int warehouse, int carrier) implements Input {
    @Override
    public TpccTransactionType type() {
      return TpccTransactionType.DELIVERY;
    }
  }

  /** TPC-C 2.8.1. */
  record StockLevel(int warehouse, int district, int threshold) implements Input {
    @Override
    public TpccTransactionType type() {
      return TpccTransactionType.STOCK_LEVEL;
    }
  }
}
