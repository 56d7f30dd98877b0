package io.alrai.testcontainers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What a test of somebody's program looks like. */
@EnabledIfSystemProperty(named = "docker.daemon", matches = "true")
final class AlraiContainerIT {
  @Test
  void ordersArePartitionedOverTwoServers() throws SQLException {
    try (AlraiContainer alrai = new AlraiContainer().withDatabaseName("a shop's %_`orders")) {
      alrai.start();
      try (Connection connection =
              DriverManager.getConnection(
                  alrai.getJdbcUrl(), alrai.getUsername(), alrai.getPassword());
          Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE orders (id INT PRIMARY KEY, total DECIMAL(10, 2))"
                + " PARTITION BY HASH(id) PARTITIONS 4");
        connection.setAutoCommit(false);
        statement.execute("INSERT INTO orders VALUES (1, 9.50), (2, 20.00), (3, 0.50), (4, 1.25)");
        connection.commit();
        try (ResultSet rows =
            statement.executeQuery("SELECT COUNT(*), SUM(total), DATABASE() FROM orders")) {
          assertTrue(rows.next());
          assertEquals(4, rows.getInt(1));
          assertEquals("31.25", rows.getString(2));
          assertEquals("a shop's %_`orders", rows.getString(3));
        }
      }
    }
  }
}
