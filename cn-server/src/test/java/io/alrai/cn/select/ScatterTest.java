package io.alrai.cn.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.process.ScriptedReplies;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A SELECT over the places of two DNs, whose rows the CN merges. */
class ScatterTest {
  private static final String READ = "SELECT id, v FROM t ORDER BY id LIMIT 3";
  private static final String AT_1 = "SELECT id,v FROM `a1_p00001`.`t`";
  private static final String AT_2 = "SELECT id,v FROM `a1_p00002`.`t`";
  private static final String END_VIEW = "COMMIT AND NO CHAIN NO RELEASE";
  private static final List<String> HEAD = List.of("2 columns", "shop.t.c0", "shop.t.c1");

  private final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))");
  private final FakeClient client = cn.client();

  private final ScriptedReplies replies = new ScriptedReplies();

  ScatterTest() {
    replies.put(AT_1, () -> FakeReply.rows("", 2, "1", "a", "3", "c", "5", "e"));
    replies.put(AT_2, () -> FakeReply.rows("", 2, "2", "b", "4", "d"));
    replies.put("SELECT id, v FROM t", () -> FakeReply.rows("shop", 2));
    cn.dns.replies = replies;
  }

  /** What the columns are is asked once; then it is started on the event loop. */
  @BeforeEach
  void columnsAreKnown() {
    client.query("SELECT id, v FROM t LIMIT 1");
    client.answer();
    client.query(READ);
    client.answer();
    replies.clearSent();
    cn.dns.branches.clear();
    cn.dns.asked.clear();
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private FakeBranch on(String dn) {
    return cn.dns.branch(new DnId(dn));
  }

  /** A result of these rows. */
  private static List<String> result(String... rows) {
    List<String> all = new ArrayList<>(HEAD);
    all.addAll(List.of(rows));
    all.add("end");
    return all;
  }

  /** Enough rows for their reader to take them while they arrive. */
  private static FakeReply many(int first, int step) {
    FakeReply reply = FakeReply.empty().columns("", 2);
    for (int i = 0; i < 10_000; i++) {
      reply.row(Integer.toString(first + step * i), "x".repeat(60));
    }
    return reply.end(0, ServerStatus.AUTOCOMMIT).inPieces(8_192);
  }

  @Test
  void shortAnswersAreMergedOnTheEventLoop() {
    client.query(READ);
    assertEquals(result("row 1|a", "row 2|b", "row 3|c"), client.packets(), "at once");
    assertEquals(2, cn.dns.branches.size());
    assertTrue(cn.dns.branches.stream().allMatch(branch -> branch.released));
  }

  @Test
  void theReadsSeeOneSnapshotWhoseViewsEndAfterThem() {
    client.query(READ);
    client.packets();
    assertEquals(2, cn.dns.asked.size());
    assertEquals(cn.dns.asked.getFirst().at(), cn.dns.asked.getLast().at());
    for (FakeBranch branch : cn.dns.branches) {
      assertEquals(END_VIEW, branch.statements.getLast());
    }
  }

  @Test
  void nothingIsSentToTheClientBeforeAllHaveAnswered() {
    cn.dns.mute.add(new DnId("dn-2"));
    client.query(READ);
    assertEquals(List.of(), client.packets());
    on("dn-2").silent = false;
    on("dn-2").flush();
    assertEquals(result("row 1|a", "row 2|b", "row 3|c"), client.answer());
  }

  @Test
  void anErrorOfOneDnIsTheStatementsErrorAndToldOnce() {
    replies.put(AT_2, () -> FakeReply.error(ErrorCode.ER_QUERY_TIMEOUT, "too long"));
    client.query(READ);
    assertEquals(List.of("err 3024 too long"), client.answer());
    cn.loop.settle();
    assertEquals(0, client.bytes().length);
    assertTrue(cn.dns.branches.stream().allMatch(branch -> branch.released || branch.closed));
  }

  @Test
  void whereOneDnFailsTheOthersAreEnded() {
    replies.put(AT_2, () -> FakeReply.error(ErrorCode.ER_QUERY_TIMEOUT, "too long"));
    cn.dns.newBranch = branch -> branch.stepwise = branch.dn().name().equals("dn-1");
    replies.put(AT_1, () -> many(1, 2));
    client.query(READ);
    FakeBranch first = on("dn-1");
    while (!replies.sent().contains(AT_1 + " ORDER BY id LIMIT 3")) {
      first.arrive();
    }
    // more than a reader waits for
    for (int i = 0; i < 12; i++) {
      first.arrive();
    }
    cn.dns.newBranch = killer -> {};
    cn.loop.await(() ->
        cn.dns.branches.stream().anyMatch(branch -> branch.statements.contains("KILL QUERY 1")));
    first.arriveAll();
    cn.loop.await(() -> !first.busy());
    assertEquals(List.of("err 3024 too long"), client.answer());
  }

  @Test
  void aDnThatDiesAmongItsRowsIsTheStatementsError() {
    replies.put(AT_2, () -> FakeReply.rows("", 2, "2", "b", "4", "d").breaksBefore(15));
    client.query(READ);
    List<String> packets = client.answer();
    assertTrue(packets.getLast().startsWith("err 2013 Lost connection"), packets::toString);
    assertFalse(on("dn-2").released);
    replies.put(AT_2, () -> FakeReply.rows("", 2, "2", "b"));
    cn.dns.branches.clear();
    client.query(READ);
    assertEquals(result("row 1|a", "row 2|b", "row 3|c"), client.answer());
  }

  @Test
  void whereOneDnDiesOnceAllAreReadAgainAtAnotherSnapshot() {
    Queue<FakeReply> ofSecond =
        new ArrayDeque<>(List.of(FakeReply.rows("", 2, "2", "b").breaksBefore(15)));
    replies.put(
        AT_2, () -> ofSecond.isEmpty() ? FakeReply.rows("", 2, "2", "b") : ofSecond.remove());
    client.query(READ);
    assertEquals(result("row 1|a", "row 2|b", "row 3|c"), client.answer());
    assertEquals(2, replies.sent(AT_1).size());
    assertEquals(2, replies.sent(AT_2).size());
    assertEquals(1, cn.services.clients().statementCounts().statementsAgain().sum());
  }

  @Test
  void aDnThatIsDownLetsNothingBeSentAnywhere() {
    cn.dns.down.add(new DnId("dn-2"));
    client.query(READ);
    List<String> packets = client.answer();
    assertTrue(packets.getFirst().matches("err 8\\d+ dn-2 is down"), packets::toString);
    assertEquals(List.of(), replies.sent("SELECT"));
  }

  @Test
  void aLimitThatIsReachedEndsTheRest() {
    replies.put(AT_1, () -> many(1, 2));
    replies.put(AT_2, () -> many(2, 2));
    client.query(READ);
    List<String> packets = client.answer();
    assertEquals(7, packets.size());
    assertTrue(packets.get(3).startsWith("row 1|"));
    assertTrue(packets.get(5).startsWith("row 3|"));
    cn.loop.await(() -> cn.dns.branches.stream().noneMatch(FakeBranch::busy));
  }

  @Test
  void longAnswersAreReadWhileTheyArriveAndNotFasterThanTheyAreTaken() {
    replies.put(AT_1, () -> many(1, 2));
    replies.put(AT_2, () -> many(2, 2));
    client.writable(false);
    client.query("SELECT id, v FROM t ORDER BY id");
    cn.loop.await(() -> cn.dns.branches.stream().anyMatch(branch -> branch.paused));
    client.writable(true);
    List<String> packets = client.answer();
    assertEquals(20_004, packets.size());
    assertEquals(20_004, new HashSet<>(packets).size(), "each row once");
    cn.dns.branches.forEach(branch -> assertFalse(branch.paused));
  }

  @Test
  void killQueryEndsItOnEveryDn() {
    cn.dns.newBranch = branch -> branch.silent = true;
    client.query(READ);
    cn.dns.newBranch = killer -> {};
    List<FakeBranch> victims = List.copyOf(cn.dns.branches);
    cn.services.clients().sessions().find(1).orElseThrow().killQuery();
    cn.loop.settle();
    assertEquals(
        2,
        cn.dns.branches.stream()
            .filter(branch -> branch.statements.contains("KILL QUERY 1"))
            .count());
    replies.put(AT_1, () -> FakeReply.error(ErrorCode.ER_QUERY_INTERRUPTED, "interrupted"));
    replies.put(AT_2, () -> FakeReply.error(ErrorCode.ER_QUERY_INTERRUPTED, "interrupted"));
    victims.forEach(branch -> branch.silent = false);
    victims.forEach(FakeBranch::flush);
    assertEquals(List.of("err 1317 interrupted"), client.answer());
  }

  @Test
  void aClientThatVanishesAmongRowsLeavesNoBranch() {
    replies.put(AT_1, () -> many(1, 2));
    replies.put(AT_2, () -> many(2, 2));
    client.writable(false);
    client.query("SELECT id, v FROM t ORDER BY id");
    cn.loop.await(() -> cn.dns.branches.stream().anyMatch(branch -> branch.paused));
    client.vanish();
    cn.loop.await(
        () -> cn.dns.branches.stream().allMatch(branch -> branch.closed || branch.released));
  }

  @Test
  void withinATransactionItsBranchesAreAskedAndKept() {
    client.query("BEGIN");
    client.packets();
    client.query(READ);
    assertEquals(result("row 1|a", "row 2|b", "row 3|c"), client.answer());
    client.query(READ);
    assertEquals(result("row 1|a", "row 2|b", "row 3|c"), client.answer());
    assertEquals(2, cn.dns.branches.size());
    assertTrue(cn.dns.branches.stream().noneMatch(branch -> branch.released));
    client.query("COMMIT");
    assertEquals(List.of("ok 0"), client.answer());
    assertTrue(cn.dns.branches.stream().allMatch(branch -> branch.released));
  }

  @Test
  void withinATransactionADnThatDiesRollsItBack() {
    client.query("BEGIN");
    client.packets();
    replies.put(AT_2, () -> FakeReply.rows("", 2, "2", "b").breaksBefore(15));
    client.query(READ);
    List<String> packets = client.answer();
    assertTrue(packets.getLast().startsWith("err 1213 Lost connection"), packets::toString);
    assertTrue(packets.getLast().contains("the transaction was rolled back"), packets::toString);
    assertFalse(client.connection.session().transaction().open());
    assertEquals(1, replies.sent(AT_2).size(), "it is not read again");
  }

  @Test
  void groupsOfDnsAreAddedUp() {
    replies.put("SELECT COUNT(*)", () -> FakeReply.rows("", 1, "20"));
    client.query("SELECT COUNT(*) FROM t");
    List<String> packets = client.answer();
    assertEquals("row 40", packets.get(2), packets::toString);
  }

  @Test
  void aReplyOfAnyPiecesIsTheSame() {
    client.query(READ);
    List<String> whole = client.answer();
    for (int bytes = 1; bytes < 30; bytes++) {
      int piece = bytes;
      replies.put(AT_1, () -> FakeReply.rows("", 2, "1", "a", "3", "c", "5", "e").inPieces(piece));
      client.query(READ);
      assertEquals(whole, client.answer());
    }
  }

  @Test
  void warningsOfDnsAreTheStatements() {
    replies.put(AT_1, () -> FakeReply.empty().columns("", 2).row("1", "a").end(1, 2));
    replies.put("SHOW WARNINGS", () -> FakeReply.rows("", 3, "Warning", "1292", "odd value"));
    client.query(READ);
    assertEquals("end, 1 warnings", client.answer().getLast());
    assertEquals(
        Optional.of("odd value"),
        client.connection.session().last().diagnostics().conditions().stream()
            .map(condition -> condition.message())
            .findFirst());
  }
}
