package io.alrai.e2e.deadlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.deadlock.Client.Waiting;
import io.alrai.testing.ClusterProcess;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Sessions of different CNs: they wait for each other's rows in a cycle and for named locks, and
 * see and end each other.
 */
@Tag("alone")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SeveralCnsIT {
  private static final String SCHEMA = "deadlocks";
  private static final long SOON_MILLIS = 2_000;

  private static ClusterProcess cluster;

  private Rows rows;

  @BeforeAll
  static void start() {
    cluster = ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--cns", "2");
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void schema() throws Exception {
    rows = Rows.fresh(cluster.port(), SCHEMA, cluster.directory());
    ClusterProcess.await("the schema on the other CN", () -> served(cluster.port() + 1));
  }

  @Test
  @Order(1)
  void whicheverCnHasTheYounger() throws Exception {
    int one = rows.one().getFirst();
    int two = rows.two().getFirst();
    cross(cluster.port(), cluster.port() + 1, one, two);
    cross(cluster.port() + 1, cluster.port(), one, two);
    cross(cluster.port() + 1, cluster.port(), two, one);
    namedLocks(cluster.port(), cluster.port() + 1);
  }

  @Test
  @Order(2)
  void limitsOfAccountsHoldForBoth() throws Exception {
    new LimitedSessions(cluster.port(), cluster.port() + 1).check();
  }

  /** The last but one, as it stops one. */
  @Test
  @Order(3)
  void theySeeAndEndEachOther() throws Exception {
    SeenSessions seen = new SeenSessions(cluster.port(), cluster.port() + 1, SCHEMA);
    seen.check();
    seen.checkSilence(cluster.role("cn-2").orElseThrow());
  }

  @Test
  @Order(4)
  void nothingOfADeadCnIsCounted() throws Exception {
    ClusterProcess.await("the CN that was stopped", () -> served(cluster.port() + 1));
    new LimitedSessions(cluster.port(), cluster.port() + 1).checkDeath(cluster, "cn-2");
  }

  private static void namedLocks(int one, int two) throws Exception {
    try (Client first = Client.open(one, SCHEMA);
        Client second = Client.open(two, SCHEMA)) {
      assertEquals("1", first.one("SELECT GET_LOCK('l', 0)"));
      assertEquals("0 0", second.one("SELECT GET_LOCK('l', 0), IS_FREE_LOCK('l')"));
      assertEquals(first.one("SELECT CONNECTION_ID()"), second.one("SELECT IS_USED_LOCK('l')"));
      Waiting waits = second.begin("DO GET_LOCK('l', 20)").stillThereAfter(50);
      assertEquals("1", first.one("SELECT RELEASE_LOCK('l')"));
      assertEquals(0, waits.rows());
      assertEquals("0", first.one("SELECT GET_LOCK('l', 0)"));
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
