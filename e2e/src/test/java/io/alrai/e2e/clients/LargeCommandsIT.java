package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Commands of more than one packet; the cluster shares this JVM's memory. */
@ExtendWith(Servers.Shared.class)
class LargeCommandsIT {
  private static final int BYTES = 17 << 20;
  private static final int COMMANDS = 6;

  private static long used() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  @Test
  void theirMemoryIsGivenBack(Servers servers) throws Exception {
    for (boolean prepared : List.of(false, true)) {
      String properties = "sslMode=DISABLED&useServerPrepStmts=" + prepared;
      try (Connection connection =
              Logins.connect("127.0.0.1", servers.cluster().port(), properties);
          PreparedStatement statement = connection.prepareStatement("SELECT LENGTH(?)")) {
        statement.setString(1, "x".repeat(BYTES));
        long before = -1;
        for (int i = 0; i <= COMMANDS; i++) {
          try (ResultSet rows = statement.executeQuery()) {
            assertTrue(rows.next());
            assertEquals(BYTES, rows.getInt(1));
          }
          before = before < 0 ? used() : before;
        }
        assertTrue(used() - before < 2L * BYTES, "from " + before + " to " + used() + " bytes");
      }
    }
  }
}
