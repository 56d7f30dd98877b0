package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What of a transaction takes part in it. */
@ExtendWith(Servers.Shared.class)
class TransactionScopeIT {
  private static String branches(Statement statement) throws SQLException {
    String own;
    try (ResultSet id = statement.executeQuery("SELECT CONNECTION_ID()")) {
      id.next();
      own = id.getString(1);
    }
    try (ResultSet rows = statement.executeQuery("SHOW TRANS")) {
      while (rows.next()) {
        if (rows.getString("ID").equals(own)) {
          return rows.getString("BRANCHES");
        }
      }
    }
    return "not open";
  }

  @Test
  void aSelectWithoutTablesTouchesNoDn(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "scope", 8, 1);
    try (Connection connection = MiniCluster.connect(port, "scope", "");
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      try (ResultSet rows = statement.executeQuery("SELECT @@transaction_read_only, 1 + 1")) {
        rows.next();
        assertEquals(0, rows.getInt(1));
        assertEquals(2, rows.getInt(2));
      }
      assertEquals("", branches(statement));
      statement.execute("UPDATE t SET b = 2 WHERE a = 1");
      String one = branches(statement);
      assertTrue(one.contains("primary"), one);
      assertFalse(one.contains(","), one);
      statement.execute("ROLLBACK");
      assertEquals("not open", branches(statement));
    }
  }
}
