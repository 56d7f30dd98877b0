package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said when something is missing. */
final class ShortageIT {
  private static final int OPEN_FILES = 600;
  private static final int CLIENTS = OPEN_FILES - 512;

  @TempDir Path other;

  @Test
  void fewOpenFilesMeanFewClientsAndATakenPortIsNamed() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.upWithOpenFiles(OPEN_FILES, "--dns", "1")) {
      assertTrue(
          cluster.output().contains("at most " + CLIENTS + " clients: raise the hard limit"),
          cluster.output());
      crowd(cluster.port());

      String port = Integer.toString(cluster.port());
      assertEquals(1, cluster.another("--dns", "1", "--port", port, "--data", other.toString()));
      String said = cluster.outputOfAnother();
      assertTrue(said.contains("alrai: cannot listen on 127.0.0.1:" + port), said);
      assertTrue(said.contains("Choose another port with --port"), said);

      String data = cluster.directory().toString();
      assertEquals(1, cluster.another("--port", "0", "--data", data));
      assertTrue(
          cluster.outputOfAnother().contains("runs already: process " + cluster.process().pid()),
          cluster.outputOfAnother());
      assertEquals(1, cluster.another("--processes", "--port", "0", "--data", data));
      assertTrue(
          cluster.outputOfAnother().contains("was made without --processes"),
          cluster.outputOfAnother());
    }
  }

  private static void crowd(int port) throws SQLException {
    List<Connection> clients = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(MiniCluster.connect(port, "", ""));
      }
      for (int i = 0; i < 5; i++) {
        SQLException refused =
            assertThrows(SQLException.class, () -> MiniCluster.connect(port, "", "").close());
        assertEquals(1040, refused.getErrorCode(), refused.toString());
      }
      clients.removeFirst().close();
      ClusterProcess.await(
          "room for another client",
          () -> {
            try {
              return clients.add(MiniCluster.connect(port, "", ""));
            } catch (SQLException full) {
              return false;
            }
          });
      for (Connection client : clients) {
        assertTrue(client.isValid(30));
      }
    } finally {
      for (Connection client : clients) {
        client.close();
      }
    }
  }
}
