package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A node of the GMS is replaced, then one is made the group by force, and the two others come back
 * beside it. As processes: {@code -Dgms.nodes=true}, as the build has no more time.
 */
@EnabledIfSystemProperty(named = "gms.nodes", matches = "true")
@Tag("faults")
final class GmsNodesIT {
  @Test
  void nodesComeAndGo() throws Exception {
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "1", "--processes", "--gms", "3")) {
      try (Connection admin = MiniCluster.connect(cluster.port(), "", "")) {
        Servers.run(admin, "CREATE DATABASE d");
        assertEquals(0, cluster.command("member", "add", "gms-4"));
        Servers.run(admin, "ALTER SYSTEM ADD GMS 'gms-4' AT '" + listen(cluster, "gms-4") + "'");
        Servers.run(admin, "ALTER SYSTEM DROP GMS 'gms-1'");
        ClusterProcess.await(
            "gms-1 is forgotten", 60, () -> cluster.command("member", "remove", "gms-1") == 0);
        Servers.run(admin, "CREATE TABLE d.t (a INT PRIMARY KEY)");
      }
      ClusterProcess.kill(cluster.role("cn-1").orElseThrow()); // its file names gms-1
      ClusterProcess.await("a CN", 60, () -> creates(cluster, "d.u"));

      assertEquals(0, cluster.command("down"));
      ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
      assertEquals(1, cluster.command("member", "force", "gms-4"));
      assertEquals(
          0,
          cluster.command(
              "member", "force", "gms-4", "--lost", "gms-2,gms-3", "--accept-data-loss"));
      cluster.startAgain();
      ClusterProcess.await("a table", 60, () -> creates(cluster, "d.v"));
      try (Connection admin = MiniCluster.connect(cluster.port(), "", "")) {
        assertEquals(List.of("t", "u", "v"), Servers.column(admin, "SHOW TABLES FROM d"));
      }
      ClusterProcess.await(
          "gms-2 and gms-3 are dropped",
          60,
          () -> isDropped(cluster, "gms-2") && isDropped(cluster, "gms-3"));
      assertTrue(creates(cluster, "d.w"));
      assertEquals(0, cluster.command("down"));
    }
  }

  private static boolean isDropped(ClusterProcess cluster, String node) {
    return Files.exists(cluster.directory().resolve(node).resolve("dropped"));
  }

  private static boolean creates(ClusterProcess cluster, String table) {
    try (Connection admin = MiniCluster.connect(cluster.port(), "", "")) {
      Servers.run(admin, "CREATE TABLE IF NOT EXISTS " + table + " (a INT PRIMARY KEY)");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static String listen(ClusterProcess cluster, String node) throws IOException {
    Path file = cluster.directory().resolve("etc").resolve(node + ".properties");
    Properties role = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      role.load(in);
    }
    return role.getProperty("listen");
  }
}
