package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A statement of one place, from the client's bytes to the client's bytes. */
class PinnedForwardTest {
  private static final String READ = "SELECT id, v FROM t WHERE id = 1";
  private static final String WRITE = "UPDATE t SET v = 'b' WHERE id = 1";
  private static final List<String> ONE_ROW =
      List.of("2 columns", "shop.t.c0", "shop.t.c1", "row 1|a", "end");

  private final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))");
  private final FakeClient client = cn.client();

  /** The replies to reads and writes of t, one after the other; a row after the last. */
  private final Queue<FakeReply> replies = new ArrayDeque<>();

  PinnedForwardTest() {
    cn.dns.replies =
        sql ->
            sql.startsWith("SELECT id") || sql.startsWith("UPDATE t")
                ? Optional.of(replies.isEmpty() ? oneRow() : replies.remove())
                : Optional.empty();
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private static FakeReply oneRow() {
    return FakeReply.rows("shop", 2, "1", "a");
  }

  private static FakeReply manyRows() {
    FakeReply reply = FakeReply.empty().columns("shop", 2);
    for (int i = 0; i < 2_000; i++) {
      reply.row(Integer.toString(i), "x".repeat(100));
    }
    return reply.end(0, ServerStatus.AUTOCOMMIT);
  }

  private long sent(String sql) {
    return cn.dns.branches.stream()
        .flatMap(branch -> branch.statements.stream())
        .filter(sql::equals)
        .count();
  }

  /** The statement is at work on a branch whose pieces arrive one by one. */
  private FakeBranch beginSlowly(FakeReply reply) {
    replies.add(reply);
    cn.dns.full = true;
    client.query(READ);
    cn.dns.newBranch = branch -> branch.stepwise = true;
    cn.dns.giveLate();
    cn.loop.settle();
    FakeBranch branch = cn.branch();
    while (branch.statements.stream().noneMatch(READ::equals)) {
      branch.arrive();
    }
    return branch;
  }

  @Test
  void aReadIsSentAsItCameAndItsRowsGoBack() {
    client.query(READ);
    assertEquals(READ, cn.branch().statements.getLast());
    assertEquals(ONE_ROW, client.packets());
    assertTrue(cn.branch().released);
  }

  @Test
  void theBytesOfTheClientAreWhatTheMysqldGets() {
    client.query(READ);
    assertSame(client.channel.alloc(), cn.branch().buffers.getLast().alloc(), "a copy");
  }

  @Test
  void longRunsOfRowsAreNotCopied() {
    FakeReply many = manyRows();
    int length = many.length();
    replies.add(many);
    client.query(READ);
    assertTrue(
        cn.heldBytes() < length / 20, () -> cn.heldBytes() + " bytes of " + length + " are copies");
    assertEquals(length, client.bytes().length);
  }

  @Test
  void aReplyInPiecesOfAnyLengthIsTheSame() {
    client.query(READ);
    byte[] whole = client.bytes();
    for (int bytes = 1; bytes < 40; bytes++) {
      replies.add(oneRow().inPieces(bytes));
      client.query(READ);
      assertArrayEquals(whole, client.bytes(), "pieces of " + bytes + " bytes");
    }
    replies.add(manyRows());
    client.query(READ);
    byte[] many = client.bytes();
    replies.add(manyRows().inPieces(997));
    client.query(READ);
    assertArrayEquals(many, client.bytes());
  }

  @Test
  void anErrorAmongRowsEndsTheResultAndNotTheConnection() {
    replies.add(
        FakeReply.empty()
            .columns("shop", 2)
            .row("1", "a")
            .fails(ErrorCode.ER_QUERY_TIMEOUT, "too long"));
    client.query(READ);
    assertEquals(
        List.of("2 columns", "shop.t.c0", "shop.t.c1", "row 1|a", "err 3024 too long"),
        client.packets());
    assertTrue(cn.branch().released);
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
  }

  @Test
  void aReadWhoseBranchDiesBeforeTheClientHasAnythingRunsAgain() {
    int length = oneRow().length();
    for (int missing = 1; missing < length; missing++) {
      replies.add(oneRow().breaksBefore(missing));
      client.query(READ);
      assertEquals(ONE_ROW, client.answer());
    }
    assertEquals(2L * (length - 1), sent(READ));
    assertEquals(length - 1, cn.services.clients().statementCounts().statementsAgain().sum());
    assertEquals(0, cn.services.clients().statementCounts().errors().sum());
  }

  @Test
  void aReadThatBreaksEachConnectionIsNotTakenToEach() {
    for (int i = 0; i < 4; i++) {
      replies.add(oneRow().breaksBefore(2));
    }
    client.query(READ);
    assertLost();
    assertEquals(4, sent(READ));
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
  }

  private void assertLost() {
    List<String> packets = client.answer();
    assertEquals(1, packets.size(), packets::toString);
    assertTrue(packets.getFirst().startsWith("err 2013 Lost connection"), packets::toString);
  }

  @Test
  void aReadThatAMysqldEndsForItsOwnEndRunsAgain() {
    replies.add(FakeReply.error(ErrorCode.ER_SERVER_SHUTDOWN, "Server shutdown in progress"));
    client.query(READ);
    assertEquals(ONE_ROW, client.answer());
    assertEquals(2, sent(READ));
  }

  @Test
  void whatMayHaveWrittenOrLockedDoesNotRunAgain() {
    replies.add(oneRow().breaksBefore(2));
    client.query(WRITE);
    assertLost();
    assertEquals(1, sent(WRITE));
    replies.add(oneRow().breaksBefore(2));
    client.query(READ + " FOR UPDATE");
    assertLost();
    assertEquals(1, sent(READ + " FOR UPDATE"));
  }

  @Test
  void aReadInATransactionDoesNotRunAgain() {
    client.query("BEGIN");
    client.packets();
    replies.add(oneRow().breaksBefore(2));
    client.query(READ);
    assertTrue(client.answer().getFirst().startsWith("err 1213 "));
    assertEquals(1, sent(READ));
  }

  @Test
  void aReadWhoseConnectionIsClosedToEndItStaysEnded() {
    FakeBranch branch = beginSlowly(oneRow());
    cn.dns.down.addAll(cn.dns.dataNodes);
    cn.services.clients().sessions().find(1).orElseThrow().killQuery();
    cn.loop.await(() -> branch.closed);
    cn.dns.down.clear();
    assertLost();
    assertEquals(1, sent(READ));
  }

  @Test
  void aBranchThatDiesAmongRowsThatTheClientHasEndsThemByAnError() {
    replies.add(manyRows().inPieces(10_000).breaksBefore(10));
    client.query(READ);
    List<String> told = client.answer();
    assertTrue(told.size() > 100, "rows that came before");
    assertTrue(told.getLast().startsWith("err 2013 "), told.getLast());
    assertEquals(1, sent(READ));
    replies.add(oneRow());
    client.query(READ);
    assertEquals(ONE_ROW, client.answer());
  }

  @Test
  void aStatementThatNoMysqldHasReadIsSentToAnotherConnection() {
    replies.add(FakeReply.leaves(ErrorCode.ER_CLIENT_INTERACTION_TIMEOUT, "too long idle"));
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
    assertEquals(2, sent(READ));
    for (int i = 0; i < 12; i++) {
      replies.add(FakeReply.leaves(ErrorCode.ER_SERVER_SHUTDOWN, "shutdown"));
    }
    client.query(WRITE);
    assertTrue(client.answer().getFirst().startsWith("err 2006 "));
    assertEquals(12, sent(WRITE), "four times three connections");
  }

  @Test
  void aClientThatVanishesAmongRowsTakesItsBranchWithIt() {
    FakeBranch branch = beginSlowly(manyRows().inPieces(1_000));
    branch.arrive();
    branch.arrive();
    client.vanish();
    assertTrue(branch.closed);
    assertFalse(branch.released);
  }

  @Test
  void aBranchThatComesForAClientThatIsGoneIsClosed() {
    cn.dns.full = true;
    client.query(READ);
    client.vanish();
    cn.dns.giveLate();
    assertTrue(cn.branch().closed);
    assertEquals(0, sent(READ));
  }

  @Test
  void aSlowClientStopsTheReadingAndGoesOn() {
    FakeReply many = manyRows().inPieces(1_000);
    int length = many.length();
    FakeBranch branch = beginSlowly(many);
    branch.arrive();
    client.writable(false);
    assertTrue(branch.paused);
    byte[] before = client.bytes();
    branch.arriveAll();
    assertEquals(0, client.bytes().length, "nobody reads");
    client.writable(true);
    assertFalse(branch.paused);
    branch.arriveAll();
    assertEquals(length, before.length + client.bytes().length);
    assertTrue(branch.released);
  }

  @Test
  void warningsAreFetchedBeforeTheBranchIsGivenBack() {
    replies.add(FakeReply.empty().columns("shop", 2).row("1", "a").end(1, 2));
    client.query(READ);
    assertEquals("SHOW WARNINGS", cn.branch().statements.getLast());
    assertTrue(cn.branch().released);
    assertEquals("end, 1 warnings", client.packets().getLast());
  }

  @Test
  void aReadThatWouldContradictOthersIsDoneAtASnapshotInstead() {
    cn.dns.disturbances.add(true);
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
    assertEquals(1, sent(READ));
    assertEquals(1, cn.dns.asked.size(), "one view");
  }

  @Test
  void aReadThatWasDisturbedIsForgottenAndDoneAgainAtASnapshot() {
    cn.dns.disturbances.add(false);
    cn.dns.disturbances.add(true);
    replies.add(FakeReply.rows("shop", 2, "1", "old"));
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
    assertEquals(2, sent(READ));
    assertEquals(1, cn.dns.asked.size(), "one view");
  }

  @Test
  void aSnapshotThatCannotBeHadIsTheStatementsError() {
    cn.dns.disturbances.add(true);
    cn.dns.newBranch = branch -> cn.dns.down.addAll(cn.dns.dataNodes);
    client.query(READ);
    assertTrue(client.packets().getFirst().startsWith("err 8"), "its DN is down");
    cn.dns.down.clear();
    cn.dns.newBranch = branch -> {};
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
  }

  @Test
  void aDnThatIsDownIsTheStatementsError() {
    cn.dns.down.addAll(cn.dns.dataNodes);
    client.query(READ);
    List<String> packets = client.packets();
    assertTrue(packets.getFirst().matches("err 8\\d+ dn-\\d is down"), packets::toString);
    cn.dns.down.clear();
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
  }

  @Test
  void statementsOfATransactionKeepItsBranch() {
    client.query("BEGIN");
    assertEquals(List.of("ok 0"), client.packets());
    replies.add(FakeReply.empty().ok(1, ServerStatus.IN_TRANS));
    client.query(WRITE);
    assertEquals(List.of("ok 1"), client.packets());
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
    FakeBranch branch = cn.dns.branches.getFirst();
    List<String> statements = branch.statements;
    assertEquals(
        List.of("START TRANSACTION", WRITE, READ),
        statements.subList(statements.size() - 3, statements.size()));
    assertFalse(branch.released);
    client.query("COMMIT");
    assertEquals(List.of("ok 0"), client.answer());
    assertTrue(branch.released);
  }

  @Test
  void aBranchThatDiesWithinATransactionRollsItBack() {
    client.query("BEGIN");
    client.packets();
    replies.add(FakeReply.empty().breaksBefore(0));
    client.query(WRITE);
    List<String> packets = client.packets();
    assertTrue(packets.getFirst().startsWith("err 1213 "), packets::toString);
    assertTrue(packets.getFirst().contains("the transaction was rolled back"), packets::toString);
    assertFalse(client.connection.session().transaction().open());
  }

  @Test
  void aMysqldThatEndsWithinATransactionRollsItBack() {
    client.query("BEGIN");
    client.packets();
    replies.add(FakeReply.error(ErrorCode.ER_SERVER_SHUTDOWN, "Server shutdown in progress"));
    client.query(WRITE);
    List<String> packets = client.answer();
    assertTrue(packets.getFirst().startsWith("err 1213 "), packets::toString);
    assertFalse(client.connection.session().transaction().open());
  }

  @Test
  void aSavepointWhoseBranchDiesRollsItsTransactionBack() {
    client.query("BEGIN");
    client.answer();
    client.query(WRITE);
    client.answer();
    cn.dns.replies =
        sql ->
            sql.startsWith("SAVEPOINT")
                ? Optional.of(FakeReply.empty().breaksBefore(0))
                : Optional.empty();
    client.query("SAVEPOINT a");
    List<String> packets = client.answer();
    assertTrue(packets.getFirst().startsWith("err 1213 "), packets::toString);
    assertTrue(packets.getFirst().contains("the transaction was rolled back"), packets::toString);
    assertFalse(client.connection.session().transaction().open());
  }

  @Test
  void aTableThatMovedMeanwhileIsReadAgain() {
    client.query(READ);
    client.packets();
    String physical =
        cn.branch().statements.stream()
            .filter(text -> text.matches("a\\d+_p\\d+"))
            .findFirst()
            .orElseThrow();
    replies.add(
        FakeReply.error(ErrorCode.ER_NO_SUCH_TABLE, "Table '" + physical + ".t' doesn't exist"));
    client.query(READ);
    assertEquals(ONE_ROW, client.answer());
    assertEquals(3, sent(READ));
  }

  @Test
  void columnsAndErrorsHaveLogicalNames() {
    client.query(READ);
    client.packets();
    String physical =
        cn.branch().statements.stream()
            .filter(text -> text.matches("a\\d+_p\\d+"))
            .findFirst()
            .orElseThrow();
    replies.add(FakeReply.rows(physical, 2, "1", "a"));
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
    replies.add(FakeReply.error(ErrorCode.ER_BAD_FIELD_ERROR, "no x in " + physical + ".t"));
    client.query(READ);
    assertEquals(List.of("err 1054 no x in shop.t"), client.packets());
  }

  @Test
  void killQueryReachesTheMysqldAndLeavesTheNextStatementAlone() {
    FakeBranch branch = beginSlowly(FakeReply.error(ErrorCode.ER_QUERY_INTERRUPTED, "interrupted"));
    cn.dns.newBranch = killer -> {};
    cn.services.clients().sessions().find(1).orElseThrow().killQuery();
    cn.loop.settle();
    assertEquals(List.of("KILL QUERY 1"), cn.branch().statements);
    branch.arriveAll();
    assertEquals(List.of("err 1317 interrupted"), client.packets());
    assertTrue(branch.released);
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
  }

  @Test
  void killQueryOfAStatementThatWaitsForABranchFindsItThere() {
    cn.dns.full = true;
    client.query(READ);
    cn.services.clients().sessions().find(1).orElseThrow().killQuery();
    cn.loop.settle();
    cn.dns.newBranch = branch -> branch.silent = true;
    cn.dns.giveLate();
    FakeBranch branch = cn.branch();
    cn.dns.newBranch = killer -> {};
    cn.loop.await(() -> cn.branch() != branch && !cn.branch().statements.isEmpty());
    assertEquals(List.of("KILL QUERY 1"), cn.branch().statements);
    replies.add(FakeReply.error(ErrorCode.ER_QUERY_INTERRUPTED, "interrupted"));
    branch.silent = false;
    branch.flush();
    assertEquals(List.of("err 1317 interrupted"), client.packets());
  }
}
