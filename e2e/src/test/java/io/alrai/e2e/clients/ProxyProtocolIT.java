package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients behind load balancers that say who they are. */
class ProxyProtocolIT {
  private static final byte[] V1 =
      "PROXY TCP4 203.0.113.7 198.51.100.1 54321 3306\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] V2 =
      HexFormat.of().parseHex("0d0a0d0a000d0a515549540a" + "2111000c" + "cb007108c6336401d4310cea");

  private static String user(int port, String properties) throws SQLException {
    try (Connection connection = Logins.connect("127.0.0.1", port, properties);
        Statement statement = connection.createStatement()) {
      return Servers.only(statement, "SELECT USER()");
    }
  }

  @Test
  void theirAddressCounts() throws Exception {
    try (ClusterProcess cluster =
            ClusterProcess.up(List.of(), "--dns", "1", "--proxy-networks", "10.0.0.0/8,127.0.0.1");
        LoadBalancer old = new LoadBalancer(cluster.port(), V1);
        LoadBalancer binary = new LoadBalancer(cluster.port(), V2)) {
      try (Connection connection = Logins.connect("127.0.0.1", cluster.port(), "");
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE USER 'far'@'203.0.113.%' IDENTIFIED BY 'secret'");
        statement.execute("CREATE USER 'open'@'%'");
      }
      for (String tls : List.of("sslMode=REQUIRED", "sslMode=DISABLED")) {
        assertEquals("root@127.0.0.1", user(cluster.port(), tls));
        assertEquals("open@203.0.113.7", user(old.port(), tls + "&user=open"));
        assertEquals("open@203.0.113.8", user(binary.port(), tls + "&user=open"));
      }
      SQLException bare = assertThrows(SQLException.class, () -> user(old.port(), ""));
      assertEquals(1045, bare.getErrorCode(), bare.getMessage());
      String login = "user=far&password=secret";
      assertEquals("far@203.0.113.8", user(binary.port(), login));
      SQLException near = assertThrows(SQLException.class, () -> user(cluster.port(), login));
      assertTrue(near.getMessage().contains("'far'@'127.0.0.1'"), near.getMessage());
    }
  }

  @Test
  void whoIsNotTrustedSaysNothing() throws Exception {
    try (ClusterProcess cluster =
            ClusterProcess.up(List.of(), "--dns", "1", "--proxy-networks", "10.0.0.0/8");
        LoadBalancer liar = new LoadBalancer(cluster.port(), V1)) {
      assertEquals("root@127.0.0.1", user(cluster.port(), ""));
      assertThrows(SQLException.class, () -> user(liar.port(), ""));
    }
  }
}
