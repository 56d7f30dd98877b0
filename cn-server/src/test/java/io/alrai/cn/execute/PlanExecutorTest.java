package io.alrai.cn.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.backend.FakeReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Statements over several places: each kind of plan by its executor. */
class PlanExecutorTest {
  private final FakeCn cn =
      new FakeCn(
          "CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))",
          "CREATE TABLE everywhere (id bigint NOT NULL, PRIMARY KEY (id)) BROADCAST");
  private final FakeClient client = cn.client();

  /** What is answered, after the OKs of those before it in its text, to statements like these. */
  private final Map<String, UnaryOperator<FakeReply>> replies = new HashMap<>();

  private final ConcurrentLinkedQueue<String> sent = new ConcurrentLinkedQueue<>();

  PlanExecutorTest() {
    cn.dns.replies =
        sql -> {
          sent.add(sql);
          return replies.entrySet().stream()
              .filter(known -> sql.contains(known.getKey()))
              .findFirst()
              .map(known -> known.getValue().apply(before(sql)));
        };
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private static FakeReply before(String sql) {
    FakeReply reply = FakeReply.empty();
    int open = ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANS | ServerStatus.MORE_RESULTS_EXISTS;
    for (int i = sql.split(";", -1).length; i > 1; i--) {
      reply.ok(0, open);
    }
    return reply;
  }

  private List<String> sent(String part) {
    return sent.stream().filter(sql -> sql.contains(part)).toList();
  }

  private static UnaryOperator<FakeReply> changed(int rows) {
    return reply -> reply.ok(rows, ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANS);
  }

  private static UnaryOperator<FakeReply> row(String schema, String... values) {
    return reply -> reply.columns(schema, 2).row(values).end(0, ServerStatus.AUTOCOMMIT);
  }

  /** Within a transaction of the client's, whose end is not of interest. */
  private List<String> within(String sql) {
    client.query("BEGIN");
    client.packets();
    client.query(sql);
    return client.answer();
  }

  @Test
  void aWriteOfAllPlacesIsSentToEachAndItsRowsAreAddedUp() {
    replies.put("UPDATE", changed(2));
    List<String> packets = within("UPDATE t SET v = 'x'");
    assertEquals(List.of("ok 4"), packets);
    assertEquals(2, sent("UPDATE").size());
    assertTrue(sent("UPDATE").stream().anyMatch(sql -> sql.contains("`a1_p00001`.`t`")));
    assertTrue(sent("UPDATE").stream().anyMatch(sql -> sql.contains("`a1_p00002`.`t`")));
    assertTrue(client.connection.session().transaction().open());
  }

  @Test
  void aWriteThatFailsAtOnePlaceFailsAsAWhole() {
    replies.put("UPDATE `a1_p00001`", changed(2));
    replies.put("UPDATE `a1_p00002`", reply -> reply.fails(ErrorCode.ER_DUP_ENTRY, "twice in t"));
    List<String> packets = within("UPDATE t SET v = 'x'");
    assertTrue(packets.getFirst().startsWith("err 1062 "), packets::toString);
    assertFalse(sent("ROLLBACK TO").isEmpty(), sent::toString);
    client.query("ROLLBACK");
    assertEquals(List.of("ok 0"), client.answer());
  }

  @Test
  void rowsOfAnInsertGoToTheirPlaces() {
    replies.put("INSERT", changed(1));
    List<String> packets = within("INSERT INTO t VALUES (1,'a'), (2,'b'), (3,'c'), (4,'d')");
    assertTrue(packets.getFirst().startsWith("ok "), packets::toString);
    List<String> inserts = sent("INSERT");
    assertEquals(2, inserts.size(), inserts::toString);
    for (String row : List.of("1,'a'", "2,'b'", "3,'c'", "4,'d'")) {
      assertEquals(1, inserts.stream().filter(sql -> sql.contains(row)).count(), row);
    }
  }

  @Test
  void aBroadcastTableIsWrittenOnEveryDn() {
    replies.put("INSERT", changed(1));
    List<String> packets = within("INSERT INTO everywhere VALUES (1)");
    assertEquals(List.of("ok 1"), packets, "as if there were one");
    assertEquals(2, sent("INSERT").size());
  }

  @Test
  void aSelectThatFailsHasTheErrorOfTheTextThatTheClientWrote() {
    replies.put(
        "SELECT", reply -> reply.fails(ErrorCode.ER_BAD_FIELD_ERROR, "Unknown column 't.x'"));
    client.query("SELECT x FROM t");
    List<String> packets = client.answer();
    assertTrue(packets.getFirst().startsWith("err 1054 "), packets::toString);
    assertEquals(1, packets.size());
    assertEquals(-1, client.connection.session().last().rowCount());
  }

  @Test
  void foundRowsAndRowCountAreThoseOfTheLastStatement() {
    replies.put("SELECT id,v", row("", "1", "a"));
    replies.put("SELECT id, v", row("shop", "1", "a"));
    client.query("SELECT id, v FROM t");
    client.answer();
    assertEquals(2, client.connection.session().last().foundRows());
    replies.put("UPDATE", changed(2));
    within("UPDATE t SET v = 'x'");
    assertEquals(4, client.connection.session().last().rowCount());
  }
}
