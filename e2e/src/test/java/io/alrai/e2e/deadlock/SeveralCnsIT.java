package io.alrai.e2e.deadlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.deadlock.Client.Waiting;
import io.alrai.testing.ClusterProcess;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cycle whose transactions belong to different CNs. */
final class SeveralCnsIT {
  private static final String SCHEMA = "deadlocks";
  private static final long SOON_MILLIS = 2_000;

  @Test
  void whicheverCnHasTheYounger() throws Exception {
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--cns", "2")) {
      Rows rows = Rows.fresh(cluster.port(), SCHEMA, cluster.directory());
      int one = rows.one().getFirst();
      int two = rows.two().getFirst();
      ClusterProcess.await("the schema on the other CN", () -> served(cluster.port() + 1));
      cross(cluster.port(), cluster.port() + 1, one, two);
      cross(cluster.port() + 1, cluster.port(), one, two);
      cross(cluster.port() + 1, cluster.port(), two, one);
    }
  }

  private static boolean served(int port) {
    try (Client client = Client.open(port, SCHEMA)) {
      return client.one("SELECT COUNT(*) FROM t").equals("40");
    } catch (SQLException e) {
      return false;
    }
  }

  private static void cross(int olders, int youngers, int first, int second) throws Exception {
    try (Client older = Client.holding(olders, SCHEMA, first);
        Client younger = Client.holding(youngers, SCHEMA, second)) {
      Waiting waits = older.begin("UPDATE t SET b = b + 1 WHERE a = " + second).stillThereAfter(50);
      Waiting victim = younger.begin("UPDATE t SET b = b + 1 WHERE a = " + first);
      SQLException error = victim.error();
      System.out.println("found after " + victim.millis() + " ms");
      assertEquals(1213, error.getErrorCode(), error.toString());
      assertTrue(victim.millis() < SOON_MILLIS, victim.millis() + " ms");
      assertEquals(1, waits.rows());
      older.run("COMMIT");
    }
  }
}
