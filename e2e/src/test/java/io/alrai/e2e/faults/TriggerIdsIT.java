package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/**
 * A table that clients and a trigger fill at the same time, while its mysqld and the CN are killed:
 * no id is given twice, every row that was promised is there, and a row and its trigger's are there
 * together.
 */
class TriggerIdsIT {
  private static final int DUPLICATE = 1062;

  private final Map<Long, String> promised = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  private static Connection connect(ClusterProcess cluster, String schema) throws SQLException {
    return MiniCluster.connect(cluster.port(), schema, "");
  }

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Test
  void idsOfClientsAndTriggersNeverMeet() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--dns", "2")) {
      try (Connection connection = connect(cluster, "")) {
        run(
            connection,
            "CREATE DATABASE ids DEFAULT PARTITIONS 1",
            "USE ids",
            "CREATE TABLE orders (id INT AUTO_INCREMENT PRIMARY KEY, w VARCHAR(40))",
            "CREATE TABLE audit (id INT AUTO_INCREMENT PRIMARY KEY, order_id INT, w VARCHAR(40))",
            "CREATE TRIGGER g AFTER INSERT ON orders FOR EACH ROW INSERT INTO audit (order_id, w)"
                + " VALUES (NEW.id, NEW.w)");
      }
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int number = i;
        writers.add(Thread.ofPlatform().start(() -> write(cluster, number)));
      }
      for (String dn : List.of("dn-1", "dn-2")) {
        awaitRows(500);
        ClusterProcess.kill(cluster.mysqld(dn).orElseThrow());
      }
      awaitRows(500);
      cluster.kill();
      cluster.startAgain();
      awaitRows(500);
      over = true;
      for (Thread writer : writers) {
        writer.join();
      }
      assertEquals(List.of(), List.copyOf(faults));
      check(cluster);
    }
  }

  private void awaitRows(int more) {
    int before = promised.size();
    ClusterProcess.await(more + " rows", () -> promised.size() >= before + more);
  }

  /** Every second writer goes by way of the trigger, some with two rows a statement. */
  private void write(ClusterProcess cluster, int number) {
    String table = number % 2 == 0 ? "orders" : "audit";
    for (int i = 0; !over; ) {
      try (Connection connection = connect(cluster, "ids");
          Statement statement = connection.createStatement()) {
        while (!over) {
          String word = number + "-" + i++;
          String values = i % 3 == 0 ? "('" + word + "'), ('" + word + "')" : "('" + word + "')";
          statement.executeUpdate(
              "INSERT INTO " + table + " (w) VALUES " + values, Statement.RETURN_GENERATED_KEYS);
          try (ResultSet keys = statement.getGeneratedKeys()) {
            keys.next();
            promise(table, keys.getLong(1), word);
          }
        }
      } catch (SQLException e) {
        if (e.getErrorCode() == DUPLICATE) {
          faults.add(e.getMessage());
        }
      }
    }
  }

  private void promise(String table, long id, String word) {
    String other = promised.putIfAbsent(table.equals("audit") ? id : -id, word);
    if (other != null) {
      faults.add(table + " gave " + id + " to " + word + " and to " + other);
    }
  }

  private void check(ClusterProcess cluster) throws SQLException {
    try (Connection connection = connect(cluster, "ids");
        Statement statement = connection.createStatement()) {
      for (String table : List.of("orders", "audit")) {
        int sign = table.equals("audit") ? 1 : -1;
        try (ResultSet rows = statement.executeQuery("SELECT id, w FROM " + table)) {
          while (rows.next()) {
            String word = promised.remove(sign * rows.getLong(1));
            assertTrue(word == null || word.equals(rows.getString(2)), rows.getString(2));
          }
        }
      }
      assertEquals(Map.of(), promised, "promised, but not there");
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT (SELECT COUNT(*) FROM orders), (SELECT COUNT(order_id) FROM audit), COUNT(*)"
                  + " FROM orders JOIN audit ON audit.order_id = orders.id AND audit.w ="
                  + " orders.w")) {
        rows.next();
        assertEquals(rows.getInt(1), rows.getInt(3));
        assertEquals(rows.getInt(2), rows.getInt(3));
        System.out.println("rows and those of their triggers: " + rows.getInt(3));
      }
    }
  }
}
