package io.alrai.cn.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.process.ScriptedReplies;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.backend.FakeReply;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** SET: what a mysqld checks, what the CN keeps, and what later statements get of it. */
class VariableStatementsTest {
  private final FakeCn cn = new FakeCn("CREATE TABLE t (id bigint NOT NULL, PRIMARY KEY (id))");
  private final FakeClient client = cn.client();

  private final ScriptedReplies replies = new ScriptedReplies();

  VariableStatementsTest() {
    replies.put("SELECT id FROM t WHERE id = 1", () -> FakeReply.rows("shop", 1, "1"));
    cn.dns.replies = replies;
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private List<String> run(String sql) {
    client.query(sql);
    return client.answer();
  }

  private List<String> settingsOfNextStatement() {
    replies.clearSent();
    run("SELECT id FROM t WHERE id = 1");
    return replies.sent("SET SESSION");
  }

  @Test
  void aSettingIsCheckedByOneMysqldAndGivenToTheOthersBeforeTheirNextStatement() {
    replies.put("SELECT @@SESSION.sql_mode", () -> FakeReply.rows("", 1, "ANSI_QUOTES"));
    assertEquals(List.of("ok 0"), run("SET sql_mode = 'ANSI_QUOTES'"));
    assertTrue(
        replies.sent().contains("SET SESSION sql_mode = 'ANSI_QUOTES'"),
        () -> replies.sent().toString());
    assertEquals(List.of("SET SESSION sql_mode=_utf8mb4'ANSI_QUOTES'"), settingsOfNextStatement());
  }

  @Test
  void aValueThatTheMysqldRefusesChangesNothing() {
    replies.put(
        "SET SESSION sql_mode",
        () -> FakeReply.error(ErrorCode.ER_WRONG_VALUE_FOR_VAR, "can't be set to 'x'"));
    List<String> packets = run("SET sql_mode = 'x'");
    assertTrue(packets.getFirst().startsWith("err 1231 "), packets::toString);
    assertEquals(List.of(), settingsOfNextStatement());
  }

  @Test
  void aStatementThatFailsInTheMiddleChangesNothingAtAll() {
    replies.put("SELECT @@SESSION.max_execution_time", () -> FakeReply.rows("", 1, "5"));
    replies.put(
        "SET SESSION sql_mode",
        () -> FakeReply.error(ErrorCode.ER_WRONG_VALUE_FOR_VAR, "can't be set to 'x'"));
    assertTrue(run("SET max_execution_time = 5, sql_mode = 'x'").getFirst().startsWith("err "));
    assertEquals(List.of(), settingsOfNextStatement());
  }

  @Test
  void autocommitIsTheSessions() {
    replies.put(
        "SELECT @@SESSION.autocommit",
        () -> FakeReply.empty().numbers().columns("", 1).row("0").end(0, 2));
    assertEquals(List.of("ok 0"), run("SET autocommit = 0"));
    run("SELECT id FROM t WHERE id = 1");
    assertTrue(client.connection.session().transaction().open());
    run("ROLLBACK");
  }

  private void evaluatesTo(String number) {
    replies.put(
        "SELECT @",
        () -> FakeReply.empty().numbers().columns("", 3).row(number, "binary", "").end(0, 2));
  }

  private String kept(String variable) {
    return cn.cluster.gms.catalog().settings().getOrDefault("global." + variable, "");
  }

  @Test
  void limitsOfGroupsAreKeptForAll() {
    String variable = "dn_max_apply_lag_ms";
    evaluatesTo("1500");
    assertEquals(List.of("ok 0"), run("SET GLOBAL DN_max_apply_lag_ms = 1500"));
    assertEquals("1500", kept(variable));
    assertTrue(run("SET dn_max_apply_lag_ms = 1500").getFirst().startsWith("err 1229 "));
    evaluatesTo("3600001");
    assertTrue(run("SET GLOBAL dn_max_apply_lag_ms = 3600001").getFirst().startsWith("err 1231 "));
    evaluatesTo("-1");
    assertTrue(run("SET PERSIST dn_log_retention_bytes = -1").getFirst().startsWith("err 1231 "));
    replies.put("SELECT @", () -> FakeReply.rows("", 3, "1s", "utf8mb4_0900_ai_ci", "3173"));
    assertTrue(run("SET GLOBAL dn_max_apply_lag_ms = '1s'").getFirst().startsWith("err 1232 "));
    assertEquals("1500", kept(variable));
    assertEquals(List.of("ok 0"), run("SET GLOBAL dn_max_apply_lag_ms = DEFAULT"));
    assertEquals("", kept(variable));
  }

  @Test
  void theNextTransactionsAccessIsKeptHereAndAsksNobody() {
    assertEquals(List.of("ok 0"), run("SET SESSION TRANSACTION READ ONLY"));
    assertEquals(List.of(), replies.sent());
    assertTrue(run("DELETE FROM t WHERE id = 1").getFirst().startsWith("err 1792 "));
  }

  @Test
  void namesThatNobodyKnowsAreErrors() {
    replies.put(
        "SELECT @@nothing_there",
        () -> FakeReply.error(ErrorCode.ER_UNKNOWN_SYSTEM_VARIABLE, "Unknown system variable"));
    assertTrue(run("SET nothing_there = 5").getFirst().startsWith("err 1193 "));
  }

  @Test
  void namesOfTheClientsCharacterSetNeedNoMysqld() {
    assertEquals(List.of("ok 0"), run("SET NAMES utf8mb4"));
    assertEquals(List.of(), replies.sent());
    assertTrue(run("SET NAMES nothing").getFirst().startsWith("err 1115 "));
  }

  @Test
  void aMysqldThatDiesWhileItChecksIsTheStatementsErrorAndChangesNothing() {
    replies.put("SELECT @@SESSION.sql_mode", () -> FakeReply.rows("", 1, "x").breaksBefore(3));
    assertTrue(run("SET sql_mode = 'ANSI_QUOTES'").getFirst().startsWith("err 2013 "));
    assertEquals(List.of(), settingsOfNextStatement());
  }
}
