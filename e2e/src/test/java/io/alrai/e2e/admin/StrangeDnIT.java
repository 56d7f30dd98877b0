package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DN processes that have no part of a cluster's data are started against it. */
class StrangeDnIT {
  @Test
  void theyAreRefusedAndNothingChanges() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--processes", "--dns", "2");
        Connection client = MiniCluster.connect(cluster.port(), "", "")) {
      Servers.run(
          client,
          "CREATE DATABASE shop DEFAULT PARTITIONS 4",
          "CREATE TABLE shop.t (a INT PRIMARY KEY)",
          "CREATE TABLE shop.everywhere (a INT PRIMARY KEY) BROADCAST",
          "INSERT INTO shop.t VALUES (1),(2),(3),(4),(5),(6),(7),(8)");
      List<List<String>> nodes = Servers.cells(cluster.port(), "", "SHOW NODES");
      assertNotEquals(0, cluster.anotherRole("dn", config(cluster, "dn-3", "new")));
      String output = cluster.outputOfAnother();
      assertTrue(output.contains("dn-3 is none of its DNs (dn-1, dn-2)"), output);
      assertTrue(Files.notExists(cluster.directory().resolve("new").resolve("dn-3")));
      assertNotEquals(0, cluster.anotherRole("dn", config(cluster, "dn-2", "empty")));
      output = cluster.outputOfAnother();
      assertTrue(output.contains("the data of dn-2 is not in "), output);
      assertEquals(nodes, Servers.cells(cluster.port(), "", "SHOW NODES"));
      Servers.run(
          client,
          "INSERT INTO shop.everywhere VALUES (1)",
          "CREATE DATABASE more",
          "CREATE TABLE more.t (a INT PRIMARY KEY)");
      assertEquals(List.of("8"), Servers.column(client, "SELECT COUNT(*) FROM shop.t"));
    }
  }

  /** As a DN's is, with another name, directory and port. */
  private static Path config(ClusterProcess cluster, String node, String directory)
      throws IOException {
    Path file = cluster.directory().resolve(node + ".properties");
    List<String> lines =
        Files.readAllLines(cluster.directory().resolve("etc").resolve("dn-1.properties")).stream()
            .map(line ->
                switch (line.split(" ", 2)[0]) {
                  case "node" -> "node = " + node;
                  case "data" -> "data = " + cluster.directory().resolve(directory);
                  case "listen" -> "listen = 127.0.0.1:" + Ports.free();
                  default -> line;
                })
            .toList();
    Files.write(Files.createFile(file, ownersOnly()), lines);
    return file;
  }

  private static FileAttribute<?> ownersOnly() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  }
}
