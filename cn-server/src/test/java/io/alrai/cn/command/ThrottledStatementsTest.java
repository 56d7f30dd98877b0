package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.common.wire.Capability;
import io.alrai.dn.backend.FakeReply;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients whose statements are under a CCL rule. */
class ThrottledStatementsTest {
  private static final int SEVERAL =
      Capability.PROTOCOL_41 | Capability.DEPRECATE_EOF | Capability.MULTI_STATEMENTS;
  private static final String READ = "SELECT id FROM t WHERE id = 1";

  private final FakeCn cn = new FakeCn("CREATE TABLE t (id bigint NOT NULL, PRIMARY KEY (id))");
  private final FakeClient admin = cn.client();
  private final FakeClient first = cn.client(SEVERAL);
  private final FakeClient second = cn.client(SEVERAL);

  ThrottledStatementsTest() {
    cn.dns.replies =
        sql ->
            sql.contains("FROM t") ? Optional.of(FakeReply.rows("shop", 1, "7")) : Optional.empty();
  }

  @AfterEach
  void nothingIsLeft() {
    List<String> rule = shown();
    assertTrue(
        rule.isEmpty() || rule.get(0).equals("0") && rule.get(1).equals("0"), () -> "" + rule);
    cn.close();
  }

  private void ok(String sql) {
    admin.query(sql);
    assertEquals(List.of("ok 0"), admin.answer(), sql);
  }

  private void rule(String with) {
    ok("CREATE CCL_RULE `it's` ON shop.t TO 'u'@'%' FOR SELECT WITH " + with);
  }

  /** RUNNING, WAITING, KILLED, and TOTAL_MATCH. */
  private List<String> shown() {
    admin.query("SHOW CCL_RULES");
    return admin.answer().stream()
        .filter(packet -> packet.startsWith("row "))
        .findFirst()
        .map(row -> List.of(row.split("\\|")))
        .map(fields -> List.of(fields.get(2), fields.get(3), fields.get(4), fields.get(6)))
        .orElse(List.of());
  }

  /** The first client's statement is at work, and its mysqld silent. */
  private void occupy(String sql) {
    cn.dns.newBranch = branch -> branch.silent = true;
    first.query(sql);
    cn.dns.newBranch = branch -> {};
  }

  private void answered() {
    cn.loop.settle();
    cn.dns.branches.stream()
        .filter(branch -> branch.silent)
        .forEach(branch -> branch.silent = false);
  }

  @Test
  void oneThatFindsNoRoomGetsAnErrorAndTheNextStatementGoesOn() {
    rule("MAX_CONCURRENCY=0");
    second.query(READ);
    assertEquals(
        List.of("err 3009 Exceeding the max concurrency 0 per node of ccl rule it's"),
        second.packets());
    second.query("SELECT 1");
    second.answer();
    second.query("INSERT INTO t VALUES (1)");
    second.answer();
    second.query("BEGIN; " + READ + "; COMMIT");
    List<String> several = second.answer();
    assertEquals("ok 0", several.getFirst());
    assertTrue(several.getLast().startsWith("err 3009 "));
    assertEquals(List.of("0", "0", "2", "2"), shown());
    ok("DROP CCL_RULE `IT'S`");
    second.query(READ);
    assertEquals("row 7", second.packets().get(2));
    second.query("ROLLBACK");
    assertEquals(List.of("ok 0"), second.answer());
  }

  @Test
  void whoWaitsIsShownAndGoesOnWhenTheRuleGoes() {
    rule("MAX_CONCURRENCY=0, WAIT_QUEUE_SIZE=1");
    second.query(READ);
    assertEquals(List.of(), second.packets());
    assertEquals(List.of("0", "1", "0", "1"), shown());
    assertEquals("Waiting for ccl rule it's", second.connection.session().activity().waitsFor());
    first.query(READ);
    assertTrue(first.packets().getFirst().startsWith("err 3009 "));
    ok("CLEAR CCL_RULES");
    assertEquals("row 7", second.answer().get(2));
    assertEquals("", second.connection.session().activity().waitsFor());
  }

  @Test
  void killEndsAWait() {
    rule("MAX_CONCURRENCY=0, WAIT_QUEUE_SIZE=1");
    second.query(READ);
    long id = second.connection.session().client().connectionId();
    ok("KILL QUERY " + id);
    assertEquals(List.of("err 1317 Query execution was interrupted"), second.answer());
    assertEquals(List.of("0", "0", "0", "1"), shown());
  }

  @Test
  void aClientThatLeavesLeavesTheQueue() {
    rule("MAX_CONCURRENCY=0, WAIT_QUEUE_SIZE=1");
    second.query(READ);
    second.vanish();
    assertEquals(List.of("0", "0", "0", "1"), shown());
  }

  @Test
  void aWaitHasAnEnd() {
    rule("MAX_CONCURRENCY=0, WAIT_QUEUE_SIZE=1, WAIT_TIMEOUT=0");
    second.query(READ);
    assertTrue(
        second
            .answer()
            .getFirst()
            .startsWith(
                "err 3009 Exceeding the max concurrency 0 per node of ccl rule it's after waiting"
                    + " for "));
    assertEquals(List.of("0", "0", "1", "1"), shown());
  }

  @Test
  void aPlaceIsFreeWhenTheLastRowIsSent() {
    rule("MAX_CONCURRENCY=1");
    first.query(READ + "; " + READ + "; " + READ);
    assertEquals(3, first.answer().stream().filter("row 7"::equals).count());
    assertEquals(List.of("0", "0", "0", "3"), shown());
  }

  @Test
  void aClientThatLeavesInTheMiddleGivesItsPlaceBack() {
    rule("MAX_CONCURRENCY=1, WAIT_QUEUE_SIZE=1");
    occupy(READ);
    assertEquals(List.of("1", "0", "0", "1"), shown());
    second.query(READ);
    assertEquals(List.of("1", "1", "0", "2"), shown());
    first.vanish();
    answered();
    assertEquals("row 7", second.answer().get(2));
  }

  @Test
  void aClientThatLeavesWhileItsReadWaitsToRunAgainHasNoPlace() {
    rule("MAX_CONCURRENCY=1");
    occupy(READ);
    cn.branch().breakOff();
    cn.loop.settle();
    assertEquals(1, cn.services.clients().statementCounts().statementsAgain().sum());
    assertEquals(List.of("1", "0", "0", "1"), shown());
    first.vanish();
    long pauseEnds = System.nanoTime() + 60_000_000; // it is 20 ms
    cn.loop.await(() -> System.nanoTime() - pauseEnds > 0);
    assertEquals(List.of("0", "0", "0", "1"), shown());
    second.query(READ);
    assertEquals("row 7", second.packets().get(2));
  }

  @Test
  void rulesAreThereOnceAndDropsNameThem() {
    rule("MAX_CONCURRENCY=1");
    admin.query("CREATE CCL_RULE `IT'S` ON *.* FOR SELECT WITH MAX_CONCURRENCY=1");
    assertEquals("err 1050 ccl rule 'IT'S' already exists", admin.answer().getFirst());
    admin.query("CREATE CCL_RULE IF NOT EXISTS `IT'S` ON *.* FOR SELECT WITH MAX_CONCURRENCY=1");
    assertEquals(List.of("ok 0, 1 warnings"), admin.answer());
    admin.query("DROP CCL_RULE a, `it's`");
    assertEquals("err 1109 Unknown ccl rule 'a'", admin.answer().getFirst());
    admin.query("DROP CCL_RULE IF EXISTS a, `it's`");
    assertEquals(List.of("ok 0, 1 warnings"), admin.answer());
    assertEquals(List.of(), shown());
  }
}
