package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import java.net.Socket;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that connect and say nothing. */
class StrangersIT {
  private static final int PLACES = 20;

  @Test
  void theyKeepNobodyOut() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--dns", "1");
        Connection first = Logins.connect("127.0.0.1", cluster.port(), "");
        Statement statement = first.createStatement()) {
      statement.execute("SET GLOBAL connect_timeout = 600");
      statement.execute("SET GLOBAL max_connections = " + PLACES);
      List<AutoCloseable> open = new ArrayList<>();
      try {
        for (int i = 0; i < PLACES; i++) {
          Socket socket = new Socket("127.0.0.1", cluster.port());
          open.add(socket);
          socket.getInputStream().read();
        }
        Thread.sleep(1000); // until none of them has only just come
        for (int i = 0; i < PLACES - 1; i++) {
          Connection connection = Logins.connect("127.0.0.1", cluster.port(), "");
          open.add(connection);
          Statement asking = connection.createStatement();
          assertEquals("1", Servers.only(asking, "SELECT 1"));
        }
        assertEquals("1", Servers.only(statement, "SELECT 1"), "who was there stays");
      } finally {
        for (AutoCloseable each : open) {
          each.close();
        }
      }
    }
  }
}
