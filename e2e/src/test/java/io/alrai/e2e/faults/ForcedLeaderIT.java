package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Two of the three members of a DN are lost, and the third one is made the group; the two come back
 * and are dropped, and new ones join. As processes: {@code -Dforce.leader=true}, as the build has
 * no more time.
 */
@EnabledIfSystemProperty(named = "force.leader", matches = "true")
@Tag("faults")
final class ForcedLeaderIT {
  private static final String FORCE = "FORCE LEADER 'dn-1-b' OF 'dn-1'";

  private int port;
  private int written;

  @Test
  void oneMemberBecomesTheGroup() throws Exception {
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "1", "--processes", "--replicas", "3")) {
      port = cluster.port();
      try (Connection admin = MiniCluster.connect(port, "", "")) {
        Servers.run(admin, "CREATE DATABASE d");
        Servers.run(admin, "CREATE TABLE d.t (id BIGINT PRIMARY KEY)");
        ClusterProcess.await("a follower", 60, () -> follows("dn-1-b") || follows("dn-1-a"));
        if (follows("dn-1-a")) {
          Servers.run(admin, "ALTER SYSTEM CHANGE_ROLE NODE 'dn-1-a' TO LEADER");
          ClusterProcess.await("a follower", 60, () -> follows("dn-1-b"));
        }
        write(20);
        whatIsRefused(admin);
        lose(cluster, "logger-1");
        lose(cluster, "dn-1-a");
        ClusterProcess.await(
            "what would be lost",
            60,
            () -> mysql(cluster, "ALTER SYSTEM " + FORCE).contains("add ACCEPT DATA LOSS"));
        assertEquals("", mysql(cluster, "ALTER SYSTEM " + FORCE + " ACCEPT DATA LOSS"));
        String again = mysql(cluster, "ALTER SYSTEM " + FORCE + " ACCEPT DATA LOSS");
        assertTrue(again.contains("leads already"), again);
      }
      write(20);
      assertTrue(error("dn-1-b").startsWith("forced on "), error("dn-1-b"));

      bringBack(cluster, "dn-1-a");
      bringBack(cluster, "logger-1");
      ClusterProcess.await(
          "both are dropped",
          120,
          () -> isDropped(cluster, "dn-1-a") && isDropped(cluster, "logger-1"));
      write(20);

      try (Connection admin = MiniCluster.connect(port, "", "")) {
        assertEquals(0, cluster.command("member", "add", "logger-2", "--to", "dn-1"));
        AlterSystem.awaitDone(admin, "ADD LOGGER 'logger-2' TO 'dn-1'");
        assertEquals(0, cluster.command("member", "add", "dn-1-c", "--to", "dn-1"));
        ClusterProcess.await("it waits", 60, () -> state("dn-1-c").equals("JOINING"));
        AlterSystem.awaitDone(admin, "ADD FOLLOWER 'dn-1-c' TO 'dn-1'");
        ClusterProcess.await("rows", 120, () -> follows("dn-1-c"));
        assertEquals("", error("dn-1-b"));
        ClusterProcess.kill(cluster.role("dn-1-b").orElseThrow());
        write(20);
      }
      assertEquals(0, cluster.command("down"));
    }
  }

  private static void whatIsRefused(Connection admin) {
    AlterSystem.assertRefused(admin, FORCE, "are a majority of the group of dn-1");
    AlterSystem.assertRefused(admin, FORCE + " ACCEPT DATA LOSS", "are a majority");
    AlterSystem.assertRefused(
        admin, "FORCE LEADER 'dn-1-a' OF 'dn-1' ACCEPT DATA LOSS", "leads already");
    AlterSystem.assertRefused(
        admin, "FORCE LEADER 'logger-1' OF 'dn-1' ACCEPT DATA LOSS", "has no member 'logger-1'");
    AlterSystem.assertRefused(
        admin, "FORCE LEADER 'dn-1-b' OF 'd`n''%' ACCEPT DATA LOSS", "there is no DN 'd`n'%'");
  }

  private static Path config(ClusterProcess cluster, String role) {
    return cluster.directory().resolve("etc").resolve(role + ".properties");
  }

  private static Path away(ClusterProcess cluster, String role) {
    return cluster.directory().resolve(role + ".away");
  }

  /** For good: nobody starts it again. */
  private static void lose(ClusterProcess cluster, String role) throws IOException {
    ProcessHandle lost = cluster.role(role).orElseThrow();
    Files.move(config(cluster, role), away(cluster, role));
    ClusterProcess.kill(lost);
  }

  private static void bringBack(ClusterProcess cluster, String role) throws IOException {
    Files.move(away(cluster, role), config(cluster, role));
  }

  private static boolean isDropped(ClusterProcess cluster, String role) {
    return Files.exists(
        cluster.directory().resolve(role).resolve("log-of-dn-1").resolve("dropped"));
  }

  /**
   * What the command line says of a statement; empty where it is done. Connector/J sets variables
   * first, for which a DN is asked.
   */
  private String mysql(ClusterProcess cluster, String statement) {
    Path client =
        MysqlInstallations.find(
                MysqlSearch.fromEnvironment(System.getenv()), InstallProgress.silent())
            .client()
            .orElseThrow();
    Path said = cluster.directory().resolve("mysql.out");
    try {
      int code =
          new ProcessBuilder(
                  client.toString(),
                  "--no-defaults",
                  "-h127.0.0.1",
                  "-P" + port,
                  "-uroot",
                  "-e",
                  statement)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start()
              .waitFor();
      String text = Files.readString(said);
      System.out.println(statement + ": " + code + " " + text);
      return code == 0 ? "" : text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Rows one after the other, and all that were written are there. */
  private void write(int rows) {
    int until = written + rows;
    ClusterProcess.await(
        until + " rows",
        120,
        () -> {
          try (Connection client = MiniCluster.connect(port, "d", "")) {
            while (written < until) {
              Servers.run(client, "INSERT INTO t VALUES (" + written + ")");
              written++;
            }
            return Servers.column(client, "SELECT COUNT(*) FROM t")
                .equals(List.of(Integer.toString(written)));
          } catch (SQLException e) {
            System.out.println(e.getMessage());
            return false;
          }
        });
  }

  private boolean follows(String member) {
    return state(member).equals("FOLLOWING");
  }

  private String state(String member) {
    return cell(member, 3);
  }

  private String error(String member) {
    return cell(member, 9);
  }

  /** A cell of SHOW STORAGE REPLICAS; empty where there is no such member. */
  private String cell(String member, int column) {
    try {
      return Servers.cells(port, "", "SHOW STORAGE REPLICAS").stream()
          .filter(row -> row.get(1).equals(member))
          .findFirst()
          .map(row -> String.valueOf(row.get(column)))
          .orElse("");
    } catch (SQLException e) {
      return "";
    }
  }
}
