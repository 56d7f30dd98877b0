package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is forwarded as it is, what is written anew, and what begins a transaction. */
class StatementDispatchTest {
  private final FakeCn cn =
      new FakeCn(
          "CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))",
          "CREATE TABLE ids (id bigint NOT NULL AUTO_INCREMENT, v varchar(9), PRIMARY KEY (id))",
          "CREATE TABLE one (id bigint NOT NULL, PRIMARY KEY (id)) SINGLE",
          "CREATE TABLE everywhere (id bigint NOT NULL, PRIMARY KEY (id)) BROADCAST");
  private final FakeClient client = cn.client();

  /** The statements that reached a mysqld, but for settings and schemas. */
  private final List<String> sent = new ArrayList<>();

  private FakeReply reply = FakeReply.ok();

  StatementDispatchTest() {
    cn.dns.replies =
        sql -> {
          if (!sql.matches("SELECT .*|INSERT .*|UPDATE .*|DELETE .*")) {
            return Optional.empty();
          }
          sent.add(sql);
          FakeReply given = reply;
          reply = FakeReply.ok();
          return Optional.of(given);
        };
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private List<String> run(String sql) {
    sent.clear();
    client.query(sql);
    return client.packets();
  }

  private void isForwarded(String sql) {
    assertEquals(List.of("ok 0"), run(sql), sql);
    assertEquals(List.of(sql), sent);
  }

  @Test
  void whatHasOnePlaceIsForwardedAtOnceAsItIs() {
    isForwarded("SELECT v FROM t WHERE id = 7");
    isForwarded("SELECT v  FROM t /* spaces stay */ WHERE id = 7 FOR UPDATE");
    isForwarded("UPDATE t SET v = 'a' WHERE id = 7");
    isForwarded("DELETE FROM t WHERE id = 7");
    isForwarded("INSERT INTO t VALUES (7, 'a')");
    isForwarded("SELECT * FROM one");
    isForwarded("UPDATE one SET id = 2");
    isForwarded("SELECT * FROM everywhere");
    isForwarded("SELECT 1");
  }

  @Test
  void whatHasSeveralPlacesIsNot() {
    for (String sql :
        List.of("BEGIN", "UPDATE t SET v = 'a'", "SELECT v FROM t WHERE id IN (1, 2, 3, 4)")) {
      client.query(sql);
      client.answer();
      assertFalse(sent.contains(sql), sql);
    }
  }

  @Test
  void oneKeyHasOnePlaceHoweverItIsGiven() {
    run("SELECT v FROM t WHERE id = 7");
    String dn = cn.branch().dn().name();
    for (String sql :
        List.of(
            "SELECT v FROM t WHERE 7 = id",
            "SELECT v FROM t AS x WHERE x.id = 7 AND x.v = 'a'",
            "UPDATE t SET v = 'b' WHERE id = 7 LIMIT 1",
            "INSERT INTO t (v, id) VALUES ('a', 7)")) {
      isForwarded(sql);
      assertEquals(dn, cn.branch().dn().name(), sql);
    }
  }

  @Test
  void anIdThatTheClientGivesIsNotLastInsertId() {
    reply = FakeReply.empty().ok(new OkPacket(1, 41, 2, 0, ""));
    run("INSERT INTO t (id, v) VALUES (41, 'a')");
    assertEquals(41, client.connection.session().last().lastInsertId());
    reply = FakeReply.empty().ok(new OkPacket(1, 42, 2, 0, ""));
    run("INSERT INTO ids (id, v) VALUES (42, 'a')");
    assertEquals(41, client.connection.session().last().lastInsertId());
  }

  @Test
  void withAutocommitOffAStatementOverRowsBeginsATransaction() {
    client.connection.session().defaults().autocommit(false);
    run("SELECT 1");
    assertFalse(client.connection.session().transaction().open(), "no rows");
    run("SELECT v FROM t WHERE id = 7");
    assertTrue(client.connection.session().transaction().open());
  }

  @Test
  void aReadOnlyTransactionOfOneStatementRefusesAWrite() {
    client.query("SET TRANSACTION READ ONLY");
    assertEquals(List.of("ok 0"), client.answer());
    assertEquals(
        List.of("err 1792 Cannot execute statement in a READ ONLY transaction."),
        run("DELETE FROM t WHERE id = 7"));
    assertEquals(List.of(), sent);
    isForwarded("DELETE FROM t WHERE id = 7");
  }

  @Test
  void whatNeedsNoTableGoesWhereTheTransactionIs() {
    client.query("BEGIN");
    client.packets();
    run("UPDATE t SET v = 'a' WHERE id = 7");
    int branches = cn.dns.branches.size();
    for (int i = 0; i < 10; i++) {
      isForwarded("SELECT " + i);
    }
    assertEquals(branches, cn.dns.branches.size());
  }

  @Test
  void tableCountsAreThoseOfTheStatementAndRowsOfItsReply() {
    reply = FakeReply.rows("shop", 1, "a", "b", "c");
    run("SELECT v FROM t WHERE id = 7");
    assertEquals(3, client.connection.session().last().foundRows());
    assertEquals(-1, client.connection.session().last().rowCount());
    reply = FakeReply.empty().ok(5, 2);
    run("DELETE FROM t WHERE id = 7");
    assertEquals(5, client.connection.session().last().rowCount());
  }
}
