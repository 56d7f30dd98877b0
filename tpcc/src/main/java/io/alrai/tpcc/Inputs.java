package io.alrai.tpcc;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The random input of one terminal (TPC-C 2.4.1, 2.5.1, 2.6.1, 2.7.1, 2.8.1). For one thread. */
final class Inputs {
  private final TpccRandom random;
  private final TpccScale scale;
  private final int warehouse;
  private final int district;

  /** {@code warehouse} is the terminal's home, {@code district} that of its stock levels. */
  Inputs(TpccRandom random, TpccScale scale, int warehouse, int district) {
    this.random = random;
    this.scale = scale;
    this.warehouse = warehouse;
    this.district = district;
  }

  Input next(TpccTransactionType type) {
    return switch (type) {
      case NEW_ORDER -> newOrder();
      case PAYMENT -> payment();
      case ORDER_STATUS -> new Input.OrderStatus(warehouse, anyDistrict(), customer());
      case DELIVERY -> new Input.Delivery(warehouse, random.number(1, 10));
      case STOCK_LEVEL -> new Input.StockLevel(warehouse, district, random.number(10, 20));
    };
  }

  private int anyDistrict() {
    return random.number(1, TpccScale.DISTRICTS);
  }

  private Input.NewOrder newOrder() {
    int count = random.number(5, 15);
    boolean rollsBack = random.percent(1);
    List<Input.Line> lines = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      boolean remote = random.percent(1);
      lines.add(
          new Input.Line(
              random.item(scale), remote ? otherWarehouse() : warehouse, random.number(1, 10)));
    }
    lines.sort(
        Comparator.comparingInt(Input.Line::supplyWarehouse).thenComparingInt(Input.Line::item));
    if (rollsBack) {
      Input.Line last = lines.removeLast();
      lines.add(new Input.Line(scale.items() + 1, last.supplyWarehouse(), last.quantity()));
    }
    return new Input.NewOrder(warehouse, anyDistrict(), random.customer(scale), lines);
  }

  private Input.Payment payment() {
    boolean remote = scale.warehouses() > 1 && random.percent(15);
    int payingDistrict = anyDistrict();
    return new Input.Payment(
        warehouse,
        payingDistrict,
        remote ? otherWarehouse() : warehouse,
        remote ? anyDistrict() : payingDistrict,
        customer(),
        BigDecimal.valueOf(random.number(100, 500_000), 2));
  }

  private Input.Customer customer() {
    return random.percent(60)
        ? new Input.Customer.ByName(random.lastName(scale, TpccRandom.LAST_NAME_CONSTANT_OF_RUN))
        : new Input.Customer.ById(random.customer(scale));
  }

  /** Another warehouse than the home; the home if there is no other. */
  private int otherWarehouse() {
    if (scale.warehouses() == 1) {
      return warehouse;
    }
    int other = random.number(1, scale.warehouses() - 1);
    return other < warehouse ? other : other + 1;
  }
}
