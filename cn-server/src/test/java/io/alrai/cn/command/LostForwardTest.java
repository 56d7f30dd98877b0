package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.process.ScriptedReplies;
import io.alrai.dn.backend.FakeReply;
import io.alrai.dn.link.CommitFate;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A write of one place whose connection breaks, and what its DN knows of it then. */
class LostForwardTest {
  private static final String WRITE = "UPDATE t SET v = 'b' WHERE id = 1";
  private static final List<String> ONE_ROW =
      List.of("2 columns", "shop.t.c0", "shop.t.c1", "row 1|a", "end");

  private final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))");
  private final FakeClient client = cn.client();

  /** How writes are answered, one after the other; by a row after the last. */
  private final Queue<FakeReply> answers = new ArrayDeque<>();

  private final ScriptedReplies replies =
      new ScriptedReplies().put(WRITE, () -> answers.isEmpty() ? oneRow() : answers.remove());

  LostForwardTest() {
    cn.dns.replies = replies;
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private static FakeReply oneRow() {
    return FakeReply.rows("shop", 2, "1", "a");
  }

  private int sent() {
    return replies.sent(WRITE).size();
  }

  @Test
  void aWriteOfWhichNothingWasDoneRunsAgain() {
    cn.fate = CommitFate.LOST;
    answers.add(oneRow().breaksBefore(1));
    client.query(WRITE);
    assertEquals(ONE_ROW, client.answer());
    assertEquals(2, sent());
    assertEquals(1, cn.services.clients().statementCounts().statementsAgain().sum());
    assertEquals(0, cn.services.clients().statementCounts().errors().sum());
  }

  @Test
  void aWriteThatBreaksEachConnectionSaysThatItWasNotDone() {
    cn.fate = CommitFate.LOST;
    for (int i = 0; i < 4; i++) {
      answers.add(FakeReply.empty().breaksBefore(0));
    }
    client.query(WRITE);
    List<String> packets = client.answer();
    assertTrue(packets.getFirst().endsWith("; the statement was not done"), packets::toString);
    assertEquals(4, sent());
  }

  @Test
  void aWriteThatMayHaveBeenDoneDoesNotRunAgain() {
    for (CommitFate known : List.of(CommitFate.COMMITTED, CommitFate.UNKNOWN)) {
      cn.fate = known;
      answers.add(oneRow().breaksBefore(1));
      client.query(WRITE);
      String told = client.answer().getFirst();
      assertTrue(told.startsWith("err 2013 Lost connection"), told);
    }
    assertEquals(2, sent());
  }

  @Test
  void aWriteOfATransactionDoesNotRunAgain() {
    cn.fate = CommitFate.LOST;
    client.query("BEGIN");
    client.packets();
    answers.add(oneRow().breaksBefore(1));
    client.query(WRITE);
    assertTrue(client.answer().getFirst().startsWith("err 1213 "));
    assertEquals(1, sent());
  }
}
