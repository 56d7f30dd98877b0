package io.alrai.cn.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.StatusSink;
import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a branch of XA begins in a transaction that has savepoints. */
class BranchBeginningsTest {
  private static final DnId A = new DnId("dn-1");
  private static final DnId B = new DnId("dn-2");

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final SettingsRegistry registry = new SettingsRegistry();
  private final SessionTransaction transaction =
      new SessionTransaction(
          dns, new TransactionNumbers(new NodeId("cn-1"), 1), new SpanningTransactions());

  /** Each statement's end. */
  private final List<String> ends = new ArrayList<>();

  private void change(DnId dn, boolean text) {
    transaction.branch(
        dn,
        registry.defaults(),
        "",
        RowAccess.CHANGING,
        new BranchTaker() {
          @Override
          public boolean sendsText() {
            return text;
          }

          @Override
          public void taken(Branch branch) {
            branch.send(
                Commands.query(ByteBufAllocator.DEFAULT, Sql.of("DO 1")),
                ReplyKind.RESULTS,
                new StatusSink(error -> ends.add(error == null ? "done" : error.sentence())));
            branch.flush();
          }

          @Override
          public void refused(AlraiException reason) {
            ends.add(reason.sentence());
          }
        });
    channel.runPendingTasks();
  }

  private List<String> textsOnB(boolean text) {
    transaction.begin(TransactionOptions.PLAIN);
    change(A, text);
    transaction.savepoint(Savepoints.Action.SET, "one");
    transaction.savepoint(Savepoints.Action.SET, "two");
    change(B, text);
    assertEquals(List.of("done", "done"), ends);
    return dns.branch(B).statements;
  }

  @Test
  void theFirstStatementGoesInOneTextWithTheBeginning() {
    String sent = textsOnB(true).getLast();
    assertTrue(sent.matches("XA START x'.*,1;SAVEPOINT `alrai:1`;SAVEPOINT `alrai:2`;DO 1"), sent);
  }

  @Test
  void whatIsNoTextWaitsForTheBeginning() {
    List<String> sent = textsOnB(false);
    assertTrue(
        sent.stream()
            .anyMatch(
                text -> text.matches("XA START x'.*,1;SAVEPOINT `alrai:1`;SAVEPOINT `alrai:2`")),
        sent.toString());
    assertEquals("DO 1", sent.getLast());
  }
}
