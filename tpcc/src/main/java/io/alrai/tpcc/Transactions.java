package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/**
 * One connection, ready to run transactions one after the other. For one thread.
 *
 * <p>An error leaves the transaction open; {@link #rollback} ends it.
 */
final class Transactions implements Terminal.Session {
  private final Connection connection;
  private final Clock clock;
  private final NewOrder newOrder;
  private final Payment payment;
  private final OrderStatus orderStatus;
  private final Delivery delivery;
  private final StockLevel stockLevel;

  /** Takes the connection over. */
  Transactions(Connection connection, Clock clock) throws SQLException {
    this.connection = connection;
    this.clock = clock;
    connection.setAutoCommit(false);
    Statements statements = new Statements(connection);
    Customers customers = new Customers(statements);
    this.newOrder = new NewOrder(statements);
    this.payment = new Payment(statements, customers);
    this.orderStatus = new OrderStatus(statements, customers);
    this.delivery = new Delivery(statements);
    this.stockLevel = new StockLevel(statements);
  }

  @Override
  public Outcome run(Input input) throws SQLException {
    LocalDateTime now = LocalDateTime.now(clock).truncatedTo(ChronoUnit.SECONDS);
    Outcome outcome =
        switch (input) {
          case Input.NewOrder order -> newOrder.run(order, now);
          case Input.Payment pay -> payment.run(pay, now);
          case Input.OrderStatus status -> orderStatus.run(status);
          case Input.Delivery deliver -> delivery.run(deliver, now);
          case Input.StockLevel level -> stockLevel.run(level);
        };
    if (outcome instanceof Outcome.RolledBack) {
      connection.rollback();
    } else {
      connection.commit();
    }
    return outcome;
  }

  @Override
  public void rollback() throws SQLException {
    connection.rollback();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
