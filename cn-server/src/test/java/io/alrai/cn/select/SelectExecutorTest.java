package io.alrai.cn.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.process.ScriptedReplies;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** SELECTs that run on a thread of their own: those that are neither forwarded nor scattered. */
class SelectExecutorTest {
  private static final String PLAIN = "SELECT id, v FROM t ORDER BY id LIMIT 3";
  private static final String COUNTED = "SELECT SQL_CALC_FOUND_ROWS id, v FROM t";
  private static final String ONE = COUNTED + " WHERE id = 1 LIMIT 1";
  private static final String ONE_AT_DN = "SELECT  id,v FROM t WHERE id = 1";
  private static final String ONE_ROW = "row 1|a";

  private final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))");
  private final FakeClient client = cn.client();
  private final ScriptedReplies replies = new ScriptedReplies();

  SelectExecutorTest() {
    for (String select : List.of("SELECT id,v FROM", "SELECT  id,v FROM")) {
      replies.put(
          select + " `a1_p00001`", () -> FakeReply.rows("a1_p00001", 2, "1", "a", "3", "c"));
      replies.put(
          select + " `a1_p00002`", () -> FakeReply.rows("a1_p00002", 2, "2", "b", "4", "d"));
    }
    replies.put(ONE_AT_DN, () -> FakeReply.rows("a1_p00002", 2, "1", "a", "1", "b"));
    replies.put("SELECT id, v FROM t", () -> FakeReply.rows("shop", 2));
    replies.put(COUNTED, () -> FakeReply.rows("shop", 2));
    cn.dns.replies = replies;
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private List<String> answer(String sql) {
    client.query(sql);
    return client.answer();
  }

  private static List<String> result(String end, String... rows) {
    List<String> all = new ArrayList<>(List.of("2 columns", "shop.t.c0", "shop.t.c1"));
    all.addAll(List.of(rows));
    all.add(end);
    return all;
  }

  private static FakeReply number(String value) {
    return FakeReply.empty().numbers().columns("", 1).row(value).end(0, ServerStatus.AUTOCOMMIT);
  }

  private long foundRows() {
    return client.connection.session().last().foundRows();
  }

  @Test
  void whatTheColumnsAreIsAskedOnce() {
    List<String> rows = result("end", ONE_ROW, "row 2|b", "row 3|c");
    assertEquals(rows, answer(PLAIN));
    assertEquals(1, replies.sent(PLAIN).size());
    assertEquals(rows, answer(PLAIN));
    assertEquals(1, replies.sent(PLAIN).size());
  }

  @Test
  void rowsOfOnePlaceAreCountedBeyondTheLimit() {
    assertEquals(result("end, 1 warnings", ONE_ROW), answer(ONE));
    assertEquals(2, foundRows());
    assertEquals(1, cn.dns.branches.size());
    assertTrue(cn.branch().released);
  }

  @Test
  void rowsOfSeveralPlacesAreCountedBeyondTheLimit() {
    assertEquals(result("end, 1 warnings", "row 2|b"), answer(COUNTED + " ORDER BY id LIMIT 1, 1"));
    assertEquals(4, foundRows());
    assertEquals(cn.dns.asked.getFirst().at(), cn.dns.asked.getLast().at(), "one snapshot");
  }

  @Test
  void theLimitOfTheSessionEndsTheRows() {
    replies.put("SELECT @@SESSION.sql_select_limit", () -> number("1"));
    assertEquals(List.of("ok 0"), answer("SET sql_select_limit = 1"));
    assertEquals(result("end", ONE_ROW), answer("SELECT id, v FROM t ORDER BY id"));
  }

  @Test
  void anErrorOfThePlaceIsTheStatementsErrorAndToldOnce() {
    replies.put(ONE_AT_DN, () -> FakeReply.error(ErrorCode.ER_QUERY_TIMEOUT, "too long"));
    assertEquals(List.of("err 3024 too long"), answer(ONE));
    cn.loop.settle();
    assertEquals(0, client.bytes().length);
    assertTrue(cn.branch().released);
  }

  @Test
  void anErrorAmongTheRowsComesAfterThem() {
    replies.put(
        ONE_AT_DN,
        () ->
            FakeReply.empty()
                .columns("a1_p00002", 2)
                .row("1", "a")
                .fails(ErrorCode.ER_QUERY_TIMEOUT, "too long"));
    assertEquals(result("err 3024 too long", ONE_ROW), answer(COUNTED + " WHERE id = 1"));
    assertTrue(cn.branch().released);
  }

  @Test
  void aPlaceThatDiesIsTheStatementsError() {
    int length = FakeReply.rows("a1_p00002", 2, "1", "a", "1", "b").length();
    cn.loop.skip(Duration.ofMillis(1_200)); // the pauses before it is read again
    for (int missing = 1; missing < length; missing += 7) {
      int rest = missing;
      replies.put(
          ONE_AT_DN, () -> FakeReply.rows("a1_p00002", 2, "1", "a", "1", "b").breaksBefore(rest));
      List<String> packets = answer(COUNTED + " WHERE id = 1");
      assertTrue(packets.getLast().startsWith("err 2013 Lost connection"), packets::toString);
      assertTrue(cn.branch().closed);
    }
    replies.put(ONE_AT_DN, () -> FakeReply.rows("a1_p00002", 2, "1", "a"));
    assertEquals(result("end, 1 warnings", ONE_ROW), answer(ONE));
  }

  @Test
  void killQueryReachesThePlace() {
    cn.dns.newBranch = branch -> branch.silent = true;
    client.query(ONE);
    cn.loop.await(() -> !cn.dns.branches.isEmpty() && cn.branch().busy());
    FakeBranch victim = cn.branch();
    cn.dns.newBranch = killer -> {};
    cn.services.clients().sessions().find(1).orElseThrow().killQuery();
    cn.loop.await(
        () -> cn.dns.branches.stream().anyMatch(one -> one.statements.contains("KILL QUERY 1")));
    replies.put(ONE_AT_DN, () -> FakeReply.error(ErrorCode.ER_QUERY_INTERRUPTED, "interrupted"));
    victim.silent = false;
    victim.flush();
    assertEquals(List.of("err 1317 interrupted"), client.answer());
  }

  @Test
  void aRowOfOnePlaceIsStreamedIntoVariables() {
    replies.put("SELECT v  FROM t WHERE id = 1", () -> FakeReply.rows("", 1, "a"));
    assertEquals(List.of("ok 1"), answer("SELECT v INTO @a FROM t WHERE id = 1"));
    assertEquals(
        "_utf8mb4 x'61' COLLATE utf8mb4_0900_ai_ci",
        client.connection.session().variables().ofUser().get("a"));
  }

  @Test
  void aMergedRowIsStreamedIntoVariables() {
    replies.put("SELECT COUNT(*)  FROM", () -> number("20"));
    assertEquals(List.of("ok 1"), answer("SELECT COUNT(*) INTO @a FROM t"));
    assertEquals("40", client.connection.session().variables().ofUser().get("a"));
  }
}
