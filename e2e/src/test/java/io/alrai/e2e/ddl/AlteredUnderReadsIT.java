package io.alrai.e2e.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Reads over all DNs while their table gets a column and loses it: whole rows in order, or the
 * error of a table that has changed.
 */
@ExtendWith(Servers.Shared.class)
class AlteredUnderReadsIT {
  private static final int ROWS = 200;
  private static final int CHANGED = 1412;

  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicInteger read = new AtomicInteger();
  private final ConcurrentHashMap<String, Integer> wrong = new ConcurrentHashMap<>();

  @Test
  void rowsAreWholeOrRefused(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshRows(port, "altered", ROWS, 7);
    try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection = MiniCluster.connect(port, "altered", "");
        Statement statement = connection.createStatement()) {
      // one partition on each DN
      statement.execute("CREATE TABLE u (c VARCHAR(9) DEFAULT 'c', a INT PRIMARY KEY, b INT)");
      statement.execute("INSERT INTO u (a, b) SELECT a, b FROM t");
      List<Future<?>> all = new ArrayList<>();
      for (String order : List.of("", " ORDER BY c, a", " ORDER BY b, a DESC LIMIT 500")) {
        all.add(readers.submit(() -> readAll(port, "SELECT * FROM u" + order)));
      }
      for (int i = 0; i < 12; i++) {
        statement.execute("ALTER TABLE u ADD COLUMN d INT DEFAULT 3 AFTER c");
        statement.execute("ALTER TABLE u DROP COLUMN d");
      }
      stop.set(true);
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertTrue(read.get() > 0);
    assertEquals("{}", wrong.toString(), read + " reads were right");
  }

  private Void readAll(int port, String query) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "altered", "");
        Statement statement = connection.createStatement()) {
      while (!stop.get()) {
        try (ResultSet rows = statement.executeQuery(query)) {
          judge(query, rows);
        } catch (SQLException e) {
          if (e.getErrorCode() != CHANGED) {
            wrong.merge(query + ": " + e.getErrorCode() + " " + e.getMessage(), 1, Integer::sum);
          }
        }
      }
    }
    return null;
  }

  private void judge(String query, ResultSet rows) throws SQLException {
    boolean ordered = query.contains("ORDER");
    boolean down = query.contains("DESC");
    int count = 0;
    int last = 0;
    while (rows.next()) {
      count++;
      int a = rows.getInt("a");
      boolean inOrder = !ordered || count == 1 || (down ? a == last - 1 : a == last + 1);
      if (!inOrder || rows.getInt("b") != 7 || !rows.getString("c").equals("c")) {
        wrong.merge(query + ": " + a + " behind " + last, 1, Integer::sum);
      }
      last = a;
    }
    if (count != ROWS) {
      wrong.merge(query + ": " + count + " rows", 1, Integer::sum);
    }
    read.incrementAndGet();
  }
}
