package io.alrai.cn.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A write over the places of two DNs, of which one is lost. */
class LostWritesTest {
  private static final String WRITE = "UPDATE t SET v='b'";

  private final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))");
  private final FakeClient client = cn.client();

  /** What the second DN answers to writes, one after the other; OK after the last. */
  private final Queue<FakeReply> replies = new ArrayDeque<>();

  private final AtomicInteger sent = new AtomicInteger();

  LostWritesTest() {
    cn.dns.replies =
        sql -> {
          if (!sql.contains("UPDATE `a1_p00002`")) {
            return Optional.empty();
          }
          sent.incrementAndGet();
          return Optional.ofNullable(replies.poll());
        };
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private String answer(String sql) {
    client.query(sql);
    List<String> packets = client.answer();
    assertEquals(1, packets.size(), packets::toString);
    return packets.getFirst();
  }

  @Test
  void withinATransactionItIsRolledBackAndCanBeTriedAgain() {
    answer("BEGIN");
    replies.add(FakeReply.empty().breaksBefore(0));
    String told = answer(WRITE);
    assertTrue(told.startsWith("err 1213 Lost connection"), told);
    assertTrue(told.contains("the transaction was rolled back"), told);
    assertFalse(client.connection.session().transaction().open());
    assertEquals(1, sent.get());
  }

  @Test
  void byItselfItRunsAgain() {
    replies.add(FakeReply.empty().breaksBefore(0));
    String told = answer(WRITE);
    assertTrue(told.startsWith("ok"), told);
    assertEquals(2, sent.get());
  }

  @Test
  void thatBreaksEachConnectionItSaysThatNothingWasDone() {
    for (int i = 0; i < 4; i++) {
      replies.add(FakeReply.empty().breaksBefore(0));
    }
    String told = answer(WRITE);
    assertTrue(told.startsWith("err 2013 "), told);
    assertTrue(told.endsWith("; the statement was not done"), told);
    assertEquals(4, sent.get());
  }

  @Test
  void byItselfItRunsAgainWhereNothingHasRun() {
    replies.add(FakeReply.leaves(ErrorCode.ER_SERVER_SHUTDOWN, "shutdown"));
    String told = answer(WRITE);
    assertFalse(told.startsWith("err 2006"), told);
    assertEquals(2, sent.get(), told);
  }
}
