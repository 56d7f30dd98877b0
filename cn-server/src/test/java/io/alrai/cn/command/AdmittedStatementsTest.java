package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.pressure.Pressure;
import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients of a CN that has as many statements at work as it can. */
class AdmittedStatementsTest {
  private static final String READ = "SELECT id FROM t WHERE id = 1";

  private static final String TABLE = "CREATE TABLE t (id bigint NOT NULL, PRIMARY KEY (id))";

  private final FakeCn cn = new FakeCn(TABLE);
  private final Pressure pressure = cn.services.clients().sessions().pressure();
  private final FakeClient admin = cn.client();
  private final FakeClient client = cn.client();
  private final FakeClient inTransaction = cn.client();
  private final List<FakeClient> working = new ArrayList<>();

  AdmittedStatementsTest() {
    cn.dns.replies =
        sql ->
            sql.contains("FROM t") ? Optional.of(FakeReply.rows("shop", 1, "7")) : Optional.empty();
  }

  /** As many as may be are at work, and their mysqlds silent. */
  private void full(long waitMillis) {
    inTransaction.query("BEGIN");
    inTransaction.answer();
    inTransaction.query(READ);
    inTransaction.answer();
    pressure.waitMillis(waitMillis);
    cn.dns.newBranch = branch -> branch.silent = true;
    for (int i = 0; i < pressure.limit(); i++) {
      FakeClient one = cn.client();
      one.query(READ);
      working.add(one);
    }
    cn.dns.newBranch = branch -> {};
    assertEquals(0, pressure.waiting());
  }

  @AfterEach
  void nothingIsLeft() {
    working.forEach(FakeClient::vanish);
    cn.loop.settle();
    cn.dns.branches.stream()
        .filter(branch -> branch.silent)
        .forEach(branch -> branch.silent = false);
    cn.loop.settle();
    assertEquals(0, pressure.waiting());
    client.query(READ);
    assertEquals("row 7", client.answer().get(2));
    cn.close();
  }

  @Test
  void whoWaitsIsShownAndGoesOnWhenOneEnds() {
    full(60_000);
    client.query(READ);
    assertEquals(List.of(), client.packets());
    assertEquals(1, pressure.waiting());
    assertEquals(
        "Waiting for a place of its CN", client.connection.session().activity().waitsFor());
    working.removeFirst().vanish();
    assertEquals("row 7", client.answer().get(2));
    assertEquals(0, pressure.refused().sum());
  }

  /** Its plan is kept, but not beyond the catalog that it was made with. */
  @Test
  void whoWaitsIsPlannedAgainWhereTablesHaveChanged() {
    full(60_000);
    client.query(READ);
    cn.cluster.run("DROP TABLE t");
    working.removeFirst().vanish();
    assertEquals(List.of("err 1146 Table 'shop.t' doesn't exist"), client.answer());
    cn.cluster.run(TABLE);
  }

  @Test
  void oneThatGetsNoPlaceGetsAnErrorAndItsConnectionStays() {
    full(1);
    client.query(READ);
    String error = client.answer().getFirst();
    assertTrue(error.startsWith("err 3168 Server isn't available: "), error);
    assertEquals(1, pressure.refused().sum());
  }

  @Test
  void whatIsInATransactionOrNoWorkPasses() {
    full(60_000);
    inTransaction.query(READ);
    assertEquals("row 7", inTransaction.answer().get(2));
    inTransaction.query("COMMIT");
    assertEquals(List.of("ok 0"), inTransaction.answer());
    client.query("ROLLBACK");
    assertEquals(List.of("ok 0"), client.answer());
    inTransaction.query(READ);
    assertEquals(1, pressure.waiting());
  }

  @Test
  void killEndsAWait() {
    full(60_000);
    client.query(READ);
    long id = client.connection.session().client().connectionId();
    admin.query("KILL QUERY " + id);
    admin.answer();
    assertEquals(List.of("err 1317 Query execution was interrupted"), client.answer());
    assertEquals(0, pressure.waiting());
  }

  @Test
  void aClientThatLeavesLeavesTheQueue() {
    full(60_000);
    FakeClient other = cn.client();
    other.query(READ);
    assertEquals(1, pressure.waiting());
    other.vanish();
    assertEquals(0, pressure.waiting());
  }

  @Test
  void itIsSwitchedOffWhileSomebodyWaits() {
    full(60_000);
    client.query(READ);
    pressure.waitMillis(0);
    assertEquals("row 7", client.answer().get(2));
  }
}
