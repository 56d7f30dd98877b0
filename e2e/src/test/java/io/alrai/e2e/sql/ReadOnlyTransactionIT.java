package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A read-only transaction writes on no DN, whichever it touched first. */
@ExtendWith(Servers.Shared.class)
class ReadOnlyTransactionIT {
  private static final int READ_ONLY_TRANSACTION = 1792;

  @Test
  void everyDnRefusesWrites(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "readonly", 8, 1);
    try (Connection connection = MiniCluster.connect(port, "readonly", "");
        Statement statement = connection.createStatement()) {
      statement.execute("START TRANSACTION READ ONLY");
      statement.execute("SELECT * FROM t");
      for (int a = 1; a <= 8; a++) {
        String update = "UPDATE t SET b = 2 WHERE a = " + a;
        SQLException refused =
            assertThrows(SQLException.class, () -> statement.execute(update), update);
        assertEquals(READ_ONLY_TRANSACTION, refused.getErrorCode());
      }
      SQLException all =
          assertThrows(SQLException.class, () -> statement.execute("UPDATE t SET b = 2"));
      assertEquals(READ_ONLY_TRANSACTION, all.getErrorCode());
      statement.execute("COMMIT");
      try (var rows = statement.executeQuery("SELECT SUM(b) FROM t")) {
        rows.next();
        assertEquals(8, rows.getInt(1));
      }
    }
  }
}
