package io.alrai.cn.gather;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.process.ScriptedReplies;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A SELECT whose rows are copied to one mysqld, which runs it there. */
class GatherExecutorTest {
  private static final String READ = "SELECT t.id, (SELECT MAX(w) FROM u WHERE u.w > t.v) FROM t";
  private static final String OVER_COPIES = "SELECT t.id,(SELECT MAX(w) FROM `alrai`.`u`";
  private static final String COPIES = "DROP TEMPORARY TABLE IF EXISTS `alrai`.`t`, `alrai`.`u`";

  private final FakeCn cn =
      new FakeCn(
          "CREATE TABLE t (id bigint NOT NULL, v bigint, PRIMARY KEY (id))",
          "CREATE TABLE u (id bigint NOT NULL, w bigint, PRIMARY KEY (id))");
  private final FakeClient client = cn.client();

  private final ScriptedReplies replies = new ScriptedReplies();

  GatherExecutorTest() {
    replies.put("SELECT `id`, `v` FROM `a1_p00001`", () -> FakeReply.rows("", 2, "1", "10"));
    replies.put("SELECT `id`, `v` FROM `a1_p00002`", () -> FakeReply.rows("", 2, "2", "20"));
    replies.put("SELECT `id`, `w` FROM `a1_p00001`", () -> FakeReply.rows("", 2, "1", "11"));
    replies.put("SELECT `id`, `w` FROM `a1_p00002`", () -> FakeReply.rows("", 2));
    replies.put("EXPLAIN", () -> FakeReply.rows("", 1, "-> Table scan (rows=1)"));
    replies.put(OVER_COPIES, () -> FakeReply.rows("alrai", 2, "1", "11", "2", "x"));
    replies.put(READ, () -> FakeReply.rows("shop", 2));
    cn.dns.replies = replies;
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  @Test
  void rowsAreCopiedTheStatementRunsOverThemAndTheCopiesAreDropped() {
    client.query(READ);
    List<String> packets = client.answer();
    assertEquals(List.of("row 1|11", "row 2|x", "end"), packets.subList(3, 6));
    assertEquals(
        List.of(
            "CREATE TEMPORARY TABLE `alrai`.`t` LIKE `shop`.`t`",
            "CREATE TEMPORARY TABLE `alrai`.`u` LIKE `shop`.`u`"),
        replies.sent("CREATE"));
    assertEquals(
        List.of("INSERT INTO `alrai`.`u` (`id`, `w`) VALUES ('1','11')"),
        replies.sent("INSERT INTO `alrai`.`u`"));
    assertEquals(2, replies.sent("INSERT INTO `alrai`.`t`").size());
    assertEquals(List.of(COPIES), replies.sent("DROP"));
  }

  /** What is left of a CN is dropped when it starts: of it alone. */
  @Test
  void copiesAreThoseOfOneCn() {
    NodeId cn1 = new NodeId("cn-1");
    NodeId other = new NodeId("cn-1-7");
    assertTrue(GatherExecutor.isOf(cn1, "alrai_gather_cn_1_7_12"));
    assertTrue(GatherExecutor.isOf(other, "alrai_gather_cn_1_7_3_12"));
    assertFalse(GatherExecutor.isOf(cn1, "alrai_gather_cn_1_7_3_12"));
    assertFalse(GatherExecutor.isOf(other, "alrai_gather_cn_1_7_12"));
    assertFalse(GatherExecutor.isOf(new NodeId("CN-1"), "alrai_gather_cn_1_7_12"));
  }

  @Test
  void theCopiesSeeOneSnapshot() {
    client.query(READ);
    client.answer();
    assertEquals(2, cn.dns.asked.size());
    assertEquals(cn.dns.asked.getFirst().at(), cn.dns.asked.getLast().at());
  }

  @Test
  void anErrorOfADnEndsItAndTheCopiesAreDropped() {
    replies.put(
        "SELECT `id`, `w` FROM `a1_p00002`",
        () -> FakeReply.error(ErrorCode.ER_QUERY_TIMEOUT, "too long"));
    client.query(READ);
    assertEquals(List.of("err 3024 too long"), client.answer());
    assertEquals(List.of(), replies.sent(OVER_COPIES));
    assertEquals(List.of(COPIES), replies.sent("DROP"));
    cn.loop.await(
        () -> cn.dns.branches.stream().allMatch(branch -> branch.released || branch.closed));
  }

  @Test
  void anErrorOfTheStatementItselfDropsTheCopies() {
    replies.put(
        OVER_COPIES, () -> FakeReply.error(ErrorCode.ER_SUBQUERY_NO_1_ROW, "more than one"));
    replies.put(READ, () -> FakeReply.rows("shop", 2));
    client.query(READ);
    assertEquals(List.of("err 1242 more than one"), client.answer());
    assertEquals(List.of(COPIES), replies.sent("DROP"));
  }

  @Test
  void aDnThatDiesWhileItsRowsAreCopiedIsTheStatementsError() {
    replies.put(
        "SELECT `id`, `v` FROM `a1_p00002`",
        () -> FakeReply.rows("", 2, "2", "20", "3", "30").breaksBefore(20));
    client.query(READ);
    assertTrue(client.answer().getFirst().startsWith("err 2013 "));
    assertEquals(Set.of(COPIES), Set.copyOf(replies.sent("DROP")));
  }

  @Test
  void killQueryEndsTheCopying() {
    cn.dns.newBranch = branch -> branch.silent = true;
    client.query(READ);
    cn.loop.await(() -> cn.dns.branches.stream().anyMatch(branch -> !branch.statements.isEmpty()));
    List<FakeBranch> victims = List.copyOf(cn.dns.branches);
    cn.dns.newBranch = branch -> {};
    cn.services.clients().sessions().find(1).orElseThrow().killQuery();
    cn.loop.await(
        () -> cn.dns.branches.stream().anyMatch(one -> one.statements.contains("KILL QUERY 1")));
    cn.dns.replies =
        sql ->
            sql.startsWith("KILL") || sql.startsWith("DROP") || sql.startsWith("SET")
                ? Optional.empty()
                : Optional.of(FakeReply.error(ErrorCode.ER_QUERY_INTERRUPTED, "interrupted"));
    victims.forEach(branch -> branch.silent = false);
    victims.forEach(FakeBranch::flush);
    assertTrue(client.answer().getFirst().startsWith("err 1317 "));
  }

  @Test
  void aJoinOfFewRowsIsComputedHereWithoutCopies() {
    replies.put("SELECT `v`, `id` FROM `a1_p00001`", () -> FakeReply.rows("", 2, "7", "1"));
    replies.put("SELECT `v`, `id` FROM `a1_p00002`", () -> FakeReply.rows("", 2, "8", "2"));
    replies.put("SELECT `w` FROM `a1_p00001`", () -> FakeReply.rows("", 1, "7"));
    replies.put("SELECT `w` FROM `a1_p00002`", () -> FakeReply.rows("", 1));
    replies.put("SELECT t.id, u.w", () -> FakeReply.rows("shop", 2));
    client.query("SELECT t.id, u.w FROM t JOIN u ON t.v = u.w");
    assertEquals(List.of("row 1|7", "end"), client.answer().subList(3, 5));
    assertEquals(List.of(), replies.sent("CREATE"));
    assertEquals(
        List.of("SELECT `w` FROM `a1_p00001`.`u` WHERE `w` IN ('7','8')"),
        replies.sent("SELECT `w` FROM `a1_p00001`"));
  }

  @Test
  void aDnThatIsDownIsTheStatementsError() {
    cn.dns.down.add(new DnId("dn-1"));
    cn.dns.down.add(new DnId("dn-2"));
    client.query(READ);
    assertTrue(client.answer().getFirst().matches("err 8\\d+ dn-\\d is down"));
    cn.dns.down.clear();
    client.query(READ);
    assertEquals("end", client.answer().getLast());
  }
}
