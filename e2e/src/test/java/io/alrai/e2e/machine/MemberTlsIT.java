package io.alrai.e2e.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Two nodes that speak TLS with each other: SQL over both DNs, and who calls without it. */
final class MemberTlsIT {
  private static final int HEADER = 28;
  private static final byte[] HELLO = {0, 0, 0, 1, 2, 0, 0, 0};

  @Test
  void nodesSpeakTlsOnly() throws Exception {
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--nodes", "2", "--member-tls", "require")) {
      transfers(cluster.port());
      assertEquals(100, total(cluster.port() + 1));
      for (int node = 1; node <= 2; node++) {
        String answer = inTheClear(cluster, node);
        assertTrue(answer.contains("takes TLS only"), answer);
      }
      assertEquals(100, total(cluster.port()));
      assertEquals(0, cluster.command("down"));
    }
  }

  private static Connection connect(int port) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mysql://127.0.0.1:" + port + "/?user=root&sslMode=DISABLED");
  }

  /** Transactions over both DNs, and a statement that reads both. */
  private static void transfers(int port) throws SQLException {
    try (Connection connection = connect(port);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE `b_%'a.nk`");
      statement.execute(
          "CREATE TABLE `b_%'a.nk`.t (id INT PRIMARY KEY, v INT, big LONGTEXT) PARTITION BY KEY(id)"
              + " PARTITIONS 8");
      connection.setAutoCommit(false);
      for (int id = 0; id < 10; id++) {
        statement.execute(
            "INSERT INTO `b_%'a.nk`.t VALUES (" + id + ", 10, REPEAT('x', " + id * 100_000 + "))");
      }
      connection.commit();
      for (int turn = 0; turn < 5; turn++) {
        statement.execute("UPDATE `b_%'a.nk`.t SET v = v - 1 WHERE id = " + turn);
        statement.execute("UPDATE `b_%'a.nk`.t SET v = v + 1 WHERE id = " + (turn + 5));
        connection.commit();
      }
    }
  }

  private static int total(int port) throws SQLException {
    try (Connection connection = connect(port);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT SUM(v), SUM(LENGTH(big)) FROM `b_%'a.nk`.t")) {
      assertTrue(rows.next());
      assertEquals(4_500_000, rows.getInt(2));
      return rows.getInt(1);
    }
  }

  /** What an agent says to one who answers its greeting without TLS. */
  private static String inTheClear(ClusterProcess cluster, int node) throws IOException {
    Properties role = new Properties();
    role.load(
        new StringReader(
            Files.readString(
                cluster.directory().resolve("etc").resolve("node-" + node + ".properties"))));
    String[] place = role.getProperty("dn.listen").split(":", -1);
    try (Socket socket = new Socket(place[0], Integer.parseInt(place[1]))) {
      socket.setSoTimeout(10_000);
      InputStream in = socket.getInputStream();
      assertEquals(HEADER, in.readNBytes(HEADER).length);
      socket.getOutputStream().write(HELLO);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
