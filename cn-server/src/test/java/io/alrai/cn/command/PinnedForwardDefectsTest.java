package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.forward.TextSender;
import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Command;
import io.alrai.dn.backend.FakeReply;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.ViewOpener;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A statement of one place that meets a defect of the CN: its client is answered, once. */
class PinnedForwardDefectsTest {
  private static final String READ = "SELECT id, v FROM t WHERE id = 1";
  private static final List<String> ONE_ROW =
      List.of("2 columns", "shop.t.c0", "shop.t.c1", "row 1|a", "end");

  private final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))");
  private final FakeClient client = cn.client();

  /** The replies to reads of t, one after the other; a row after the last. */
  private final Queue<FakeReply> replies = new ArrayDeque<>();

  PinnedForwardDefectsTest() {
    cn.dns.replies =
        sql ->
            sql.startsWith("SELECT id")
                ? Optional.of(
                    replies.isEmpty() ? FakeReply.rows("shop", 2, "1", "a") : replies.remove())
                : Optional.empty();
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private long sent(String sql) {
    return cn.dns.branches.stream()
        .flatMap(branch -> branch.statements.stream())
        .filter(sql::equals)
        .count();
  }

  /** The next branch fails when something is sent on it; those after it do not. */
  private void nextBranchMeetsADefect() {
    cn.dns.newBranch =
        branch -> {
          cn.dns.newBranch = next -> {};
          branch.afterSending =
              () -> {
                branch.afterSending = () -> {};
                throw new IllegalStateException("a defect");
              };
        };
  }

  private void theSecondBranchCannotBeMade() {
    cn.dns.newBranch =
        first ->
            cn.dns.newBranch =
                second -> {
                  throw new IllegalStateException("a defect");
                };
  }

  private void assertServesOn() {
    cn.dns.newBranch = branch -> {};
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
  }

  private void assertInternal() {
    List<String> packets = client.packets();
    assertEquals(1, packets.size(), packets::toString);
    assertTrue(
        packets.getFirst().matches("err 8\\d+ internal error: .*a defect"), packets::toString);
    assertEquals(0, client.bytes().length);
  }

  @Test
  void aBranchThatIsClosedByADefectSaysNothingToTheNextStatement() {
    cn.dns.newBranch =
        broken -> {
          cn.dns.newBranch = next -> next.stepwise = true;
          broken.afterSending =
              () -> {
                throw new IllegalStateException("a defect");
              };
        };
    ByteBuf both = client.command(Command.QUERY, READ);
    ByteBuf second = client.command(Command.QUERY, READ);
    both.writeBytes(second);
    second.release();
    client.send(both);
    assertInternal();
    assertEquals(2, sent(READ));
    cn.branch().arriveAll();
    assertEquals(ONE_ROW, client.packets());
    assertTrue(client.channel.isOpen());
    assertServesOn();
  }

  @Test
  void aDefectWhenAStatementIsSentToAnotherConnectionIsItsError() {
    client.query(READ);
    client.packets();
    replies.add(FakeReply.leaves(ErrorCode.ER_CLIENT_INTERACTION_TIMEOUT, "too long idle"));
    theSecondBranchCannotBeMade();
    client.query(READ);
    assertInternal();
    assertServesOn();
  }

  @Test
  void aDefectOnABranchThatCameLateIsTheStatementsError() {
    cn.dns.full = true;
    client.query(READ);
    nextBranchMeetsADefect();
    cn.dns.giveLate();
    assertInternal();
    assertTrue(cn.branch().closed);
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
  }

  @Test
  void aDefectAtASnapshotThatWasOpenedLateIsTheStatementsError() {
    cn.dns.disturbances.add(true);
    CompletableFuture<ViewOpener.Opening> later = new CompletableFuture<>();
    cn.dns.dataNodes.forEach(dn -> cn.dns.silent.put(dn, later));
    cn.dns.newBranch = first -> nextBranchMeetsADefect();
    client.query(READ);
    assertEquals(List.of(), client.packets());
    later.complete(new ViewOpener.Opening.Open());
    assertInternal();
    assertTrue(cn.branch().closed);
    cn.dns.silent.clear();
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
  }

  @Test
  void aDefectThatPreventsTheSnapshotIsTheStatementsError() {
    cn.dns.disturbances.add(true);
    theSecondBranchCannotBeMade();
    client.query(READ);
    assertInternal();
    assertServesOn();
  }

  @Test
  void aDefectWithinATransactionLeavesTheClientItsConnection() {
    client.query("BEGIN");
    client.packets();
    nextBranchMeetsADefect();
    client.query(READ);
    assertInternal();
    client.query("ROLLBACK");
    assertEquals(1, client.answer().size());
    client.query(READ);
    assertEquals(ONE_ROW, client.packets());
  }

  @Test
  void aDefectWhenAStatementIsToRunAgainIsItsError() {
    cn.dns.full = true;
    client.query(READ);
    cn.dns.full = false;
    replies.add(FakeReply.error(ErrorCode.ER_NO_SUCH_TABLE, "Table 'shop.t' doesn't exist"));
    StatementAdmission admission = new StatementAdmission(client.connection);
    new PinnedForward(client.connection, new StatementRepeats(client.connection, admission))
        .forward(
            new ForwardBranches.Request(
                cn.dns.dataNodes.getFirst(),
                BackendAccount.DATA,
                "",
                "",
                RowAccess.CONSISTENT,
                false,
                0,
                1),
            new TextSender(
                client.command(Command.QUERY, READ),
                error -> {
                  throw new IllegalStateException("a defect");
                }),
            (sequence, failed) -> {
              throw new AssertionError("it is not answered");
            });
    assertInternal();
    client.vanish();
    cn.dns.giveLate();
  }

  @Test
  void aDefectAfterTheStatementWasSentIsAnErrorToldOnce() {
    cn.dns.newBranch =
        branch -> {
          branch.afterSending =
              () -> {
                throw new IllegalStateException("a defect");
              };
        };
    client.query(READ);
    List<String> packets = client.packets();
    assertTrue(packets.getFirst().startsWith("err 8"), packets::toString);
    assertTrue(cn.branch().closed);
    assertEquals(0, client.bytes().length);
    assertServesOn();
  }
}
