package io.alrai.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class InputsTest {
  private static final TpccScale SCALE = TpccScale.specification(4);
  private static final int ROUNDS = 50_000;

  private final TpccRandom random = new TpccRandom(3);
  private final Inputs inputs = new Inputs(random, SCALE, 2, 5);

  @Test
  void everyHundredCardsHaveTheMixOfTheSpecification() {
    Deck deck = new Deck(random);
    for (int round = 0; round < 10; round++) {
      Map<TpccTransactionType, Integer> drawn = new EnumMap<>(TpccTransactionType.class);
      for (int i = 0; i < 100; i++) {
        drawn.merge(deck.draw(), 1, Integer::sum);
      }
      assertEquals(
          Map.of(
              TpccTransactionType.NEW_ORDER, 45,
              TpccTransactionType.PAYMENT, 43,
              TpccTransactionType.ORDER_STATUS, 4,
              TpccTransactionType.DELIVERY, 4,
              TpccTransactionType.STOCK_LEVEL, 4),
          drawn);
    }
  }

  @Test
  void ordersAreAsInTheSpecification() {
    int lines = 0;
    int remoteLines = 0;
    int unknownItems = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Input.NewOrder order = (Input.NewOrder) inputs.next(TpccTransactionType.NEW_ORDER);
      assertEquals(2, order.warehouse());
      assertTrue(order.district() >= 1 && order.district() <= 10);
      assertTrue(order.customer() >= 1 && order.customer() <= 3_000);
      assertTrue(order.lines().size() >= 5 && order.lines().size() <= 15);
      boolean unknown = order.lines().getLast().item() == 100_001;
      unknownItems += unknown ? 1 : 0;
      lines += order.lines().size();
      for (Input.Line line : order.lines()) {
        assertTrue(line.item() >= 1 && (line.item() <= 100_000 || unknown));
        assertTrue(line.supplyWarehouse() >= 1 && line.supplyWarehouse() <= 4);
        assertTrue(line.quantity() >= 1 && line.quantity() <= 10);
        remoteLines += line.supplyWarehouse() == 2 ? 0 : 1;
      }
    }
    assertEquals(10.0, (double) lines / ROUNDS, 0.1);
    assertEquals(0.01, (double) remoteLines / lines, 0.001);
    assertEquals(0.01, (double) unknownItems / ROUNDS, 0.002);
  }

  @Test
  void linesComeInLockOrder() {
    for (int i = 0; i < 1_000; i++) {
      List<Input.Line> lines =
          ((Input.NewOrder) inputs.next(TpccTransactionType.NEW_ORDER)).lines();
      List<Input.Line> sorted =
          lines.stream()
              .sorted(
                  Comparator.comparingInt(Input.Line::supplyWarehouse)
                      .thenComparingInt(Input.Line::item))
              .toList();
      assertEquals(sorted, lines);
    }
  }

  @Test
  void paymentsAreAsInTheSpecification() {
    int remote = 0;
    int byName = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Input.Payment payment = (Input.Payment) inputs.next(TpccTransactionType.PAYMENT);
      boolean isRemote = payment.customerWarehouse() != 2;
      remote += isRemote ? 1 : 0;
      byName += payment.customer() instanceof Input.Customer.ByName ? 1 : 0;
      assertTrue(isRemote || payment.customerDistrict() == payment.district());
      assertTrue(payment.amount().doubleValue() >= 1 && payment.amount().doubleValue() <= 5_000);
    }
    assertEquals(0.15, (double) remote / ROUNDS, 0.01);
    assertEquals(0.60, (double) byName / ROUNDS, 0.01);
  }

  @Test
  void aLonelyWarehouseHasNoRemoteWork() {
    Inputs lonely = new Inputs(random, TpccScale.specification(1), 1, 1);
    for (int i = 0; i < 5_000; i++) {
      assertTrue(((Input.NewOrder) lonely.next(TpccTransactionType.NEW_ORDER)).allLocal());
      assertEquals(
          1, ((Input.Payment) lonely.next(TpccTransactionType.PAYMENT)).customerWarehouse());
    }
  }

  @Test
  void smallScalesOnlyAskForCustomersThatExist() {
    TpccScale small = TpccScale.small(1);
    Inputs ofSmall = new Inputs(random, small, 1, 1);
    for (int i = 0; i < 5_000; i++) {
      switch (((Input.OrderStatus) ofSmall.next(TpccTransactionType.ORDER_STATUS)).customer()) {
        case Input.Customer.ById byId -> assertTrue(byId.id() <= 30);
        case Input.Customer.ByName byName ->
            assertTrue(
                IntStream.range(0, 30)
                    .anyMatch(n -> TpccRandom.lastName(n).equals(byName.lastName())));
      }
    }
  }

  @Test
  void stockLevelsStayInTheTerminalsDistrict() {
    for (int i = 0; i < 100; i++) {
      Input.StockLevel level = (Input.StockLevel) inputs.next(TpccTransactionType.STOCK_LEVEL);
      assertEquals(5, level.district());
      assertTrue(level.threshold() >= 10 && level.threshold() <= 20);
    }
  }

  @Test
  void terminalsAreDealtOutToWarehousesThenDistricts() {
    assertEquals(1, Terminal.Home.of(SCALE, 0, 1).warehouse());
    assertEquals(4, Terminal.Home.of(SCALE, 3, 1).warehouse());
    assertEquals(1, Terminal.Home.of(SCALE, 3, 1).district());
    assertEquals(2, Terminal.Home.of(SCALE, 4, 1).district());
    assertEquals(1, Terminal.Home.of(SCALE, 40, 1).district());
  }
}
