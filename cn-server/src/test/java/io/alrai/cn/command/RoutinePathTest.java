package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.dn.backend.FakeReply;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements that the CN runs by itself, on a thread, within an XA transaction. */
class RoutinePathTest {
  private final FakeCn cn =
      new FakeCn(
          "CREATE TABLE t (id bigint NOT NULL, PRIMARY KEY (id))",
          "CREATE USER root",
          "CREATE FUNCTION g() RETURNS INT NO SQL RETURN 1",
          "CREATE FUNCTION f() RETURNS INT SQL SECURITY INVOKER READS SQL DATA BEGIN"
              + " DECLARE n INT DEFAULT 7;"
              + " DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;"
              + " SELECT COUNT(*) INTO n FROM t; RETURN n; END");
  private final FakeClient client = cn.client();

  @BeforeEach
  void tablesHaveKeys() {
    cn.dns.replies =
        sql ->
            sql.startsWith("SELECT INDEX_NAME")
                ? Optional.of(FakeReply.rows("", 8, "PRIMARY", "id", "", "0", "A", "1", "YES", "0"))
                : Optional.empty();
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private List<String> run(String sql) {
    client.query(sql);
    return client.answer();
  }

  private static List<String> refused(String state) {
    return List.of(
        "err 1399 XAER_RMFAIL: The command cannot be executed when global transaction is in the  "
            + state
            + " state");
  }

  @Test
  void whatIsRefusedLeavesHandlersOpen() {
    assertEquals(List.of("ok 0"), run("HANDLER t OPEN"));
    assertEquals(List.of("ok 0"), run("XA START 'a'"));
    assertEquals(refused("ACTIVE"), run("DROP TABLE t"));
    assertEquals(List.of("ok 0"), run("HANDLER t CLOSE"));
  }

  @Test
  void functionsAreNotCalledAfterTheEnd() {
    run("XA START 'a'");
    assertEquals(List.of("ok 0"), run("XA END 'a'"));
    assertEquals(refused("IDLE"), run("SELECT f()"));
  }
}
