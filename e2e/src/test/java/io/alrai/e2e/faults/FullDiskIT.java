package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.EmbeddedCluster;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that gets full while the cluster works. Needs the right to mount a disk in memory; without
 * it the test is skipped.
 */
final class FullDiskIT {
  private static final int MIB = 1 << 20;
  private static final int ROWS_OF_A_TRANSACTION = 4;
  private static final int MOST_TRANSACTIONS = 200;

  /** A mysqld looks once a minute whether its binary log can go on. */
  private static final long PATIENCE_SECONDS = 150;

  @TempDir Path disk;

  @BeforeEach
  void mount() throws Exception {
    int code =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=1800m", "tmpfs", disk.toString())
            .start()
            .waitFor();
    assumeTrue(code == 0, "no right to mount");
  }

  @AfterEach
  void unmount() throws Exception {
    new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor();
  }

  private static void fill(Path ballast, long left) throws IOException {
    byte[] block = new byte[MIB];
    try (OutputStream out = Files.newOutputStream(ballast)) {
      while (Files.getFileStore(ballast).getUsableSpace() > left + block.length) {
        out.write(block);
      }
    }
  }

  @Test
  void transactionsAreWholeOrAbsentAndWorkGoesOnWhenThereIsRoom() throws Exception {
    Path data = disk.resolve("data");
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            new ClusterConfig(data, "127.0.0.1", 0, 2), InstallProgress.silent())) {
      int port = cluster.port();
      try (Connection connection = MiniCluster.connect(port, "", "");
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE d");
        statement.execute(
            "CREATE TABLE d.t (a INT PRIMARY KEY, n INT, b LONGBLOB)"
                + " PARTITION BY KEY(a) PARTITIONS 4");
      }
      Path ballast = disk.resolve("ballast");
      fill(ballast, 24L * MIB);
      List<Integer> acknowledged = new ArrayList<>();
      String told = insertUntilFull(port, acknowledged);
      System.out.println(acknowledged.size() + " transactions, then: " + told);
      assertNotEquals("", told, "the disk was not full");
      Files.delete(ballast);
      AtomicInteger next = new AtomicInteger(MOST_TRANSACTIONS);
      ClusterProcess.await(
          "work on the disk", PATIENCE_SECONDS, () -> insert(port, next.getAndIncrement()));
      // the transaction may have been on one DN, whose mysqld looked before the other's
      ClusterProcess.await("reads of all DNs", PATIENCE_SECONDS, () -> reads(port));
      check(port, acknowledged);
    }
  }

  private static String insertUntilFull(int port, List<Integer> acknowledged) {
    for (int n = 0; n < MOST_TRANSACTIONS; n++) {
      try {
        transaction(port, n);
        acknowledged.add(n);
      } catch (SQLException e) {
        return e.getErrorCode() + " " + e.getMessage();
      }
    }
    return "";
  }

  private static boolean insert(int port, int n) {
    try {
      transaction(port, n);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static boolean reads(int port) {
    try (Connection connection = MiniCluster.connect(port, "d", "&socketTimeout=15000");
        Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT COUNT(*) FROM t").close();
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static void transaction(int port, int n) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "d", "&socketTimeout=15000");
        PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      connection.setAutoCommit(false);
      for (int i = 0; i < ROWS_OF_A_TRANSACTION; i++) {
        insert.setInt(1, n * ROWS_OF_A_TRANSACTION + i);
        insert.setInt(2, n);
        insert.setBytes(3, new byte[MIB / 4]);
        insert.executeUpdate();
      }
      connection.commit();
    }
  }

  private static void check(int port, List<Integer> acknowledged) throws SQLException {
    List<Integer> found = new ArrayList<>();
    try (Connection connection = MiniCluster.connect(port, "d", "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT n, COUNT(*) FROM t GROUP BY n")) {
      while (rows.next()) {
        found.add(rows.getInt(1));
        assertEquals(
            ROWS_OF_A_TRANSACTION, rows.getInt(2), "rows of transaction " + rows.getInt(1));
      }
    }
    assertTrue(found.containsAll(acknowledged), acknowledged + " are lost in part: " + found);
  }
}
