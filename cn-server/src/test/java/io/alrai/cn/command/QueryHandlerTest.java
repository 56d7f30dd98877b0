package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Command;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Texts of one statement, of several and of none. */
class QueryHandlerTest {
  private static final int ONE = Capability.PROTOCOL_41 | Capability.DEPRECATE_EOF;

  private final FakeCn cn = new FakeCn("CREATE TABLE t (id bigint NOT NULL, PRIMARY KEY (id))");
  private final FakeClient client = cn.client(ONE | Capability.MULTI_STATEMENTS);

  /** The texts about t that reached a mysqld. */
  private final List<String> sent = new ArrayList<>();

  QueryHandlerTest() {
    cn.dns.replies =
        sql -> {
          if (sql.contains("FROM t")) {
            sent.add(sql);
            return Optional.of(
                sql.contains("= 9")
                    ? FakeReply.error(ErrorCode.ER_BAD_FIELD_ERROR, "no such column")
                    : FakeReply.rows("shop", 1, sql.strip().substring(sql.strip().length() - 1)));
          }
          return Optional.empty();
        };
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  @Test
  void aTextOfBlanksIsAnErrorAndOneOfCommentsIsNot() {
    client.query("  ");
    assertEquals(List.of("err 1065 Query was empty"), client.packets());
    client.query(" -- nothing");
    assertEquals(List.of("ok 0"), client.packets());
    client.query("/* nothing */");
    assertEquals(List.of("ok 0"), client.packets());
  }

  @Test
  void aNulAtTheEndIsNoPartOfTheText() {
    client.query("SELECT id FROM t WHERE id = 1\0");
    assertEquals("end", client.packets().getLast());
  }

  @Test
  void statementsOfOneTextAreSentOneAfterTheOtherAndNumberedThrough() {
    client.query("SELECT id FROM t WHERE id = 1; SELECT id FROM t WHERE id = 2 ;");
    assertEquals(
        List.of("1 columns", "shop.t.c0", "row 1", "end", "1 columns", "shop.t.c0", "row 2", "end"),
        client.packets());
    assertEquals(
        List.of("SELECT id FROM t WHERE id = 1", "SELECT id FROM t WHERE id = 2"),
        sent.stream().map(String::strip).toList());
  }

  @Test
  void theFirstErrorEndsTheText() {
    client.query("DO 1; SELECT id FROM t WHERE id = 9; SELECT id FROM t WHERE id = 2");
    List<String> packets = client.answer();
    assertEquals("err 1054 no such column", packets.getLast());
    assertEquals(1, sent.size());
    client.query("SELECT id FROM t WHERE id = 3");
    assertEquals("row 3", client.packets().get(2));
  }

  @Test
  void aSecondStatementIsAMistakeForClientsThatDidNotAskForIt() {
    FakeClient plain = cn.client(ONE);
    plain.query("SELECT id FROM t WHERE id = 1; SELECT id FROM t WHERE id = 2");
    assertTrue(plain.packets().getFirst().startsWith("err 1064 "));
    assertEquals(List.of(), sent);
  }

  @Test
  void aMistakeReachesNoMysqldAsTheClientsStatement() {
    cn.dns.replies = sql -> Optional.of(FakeReply.error(ErrorCode.ER_PARSE_ERROR, "near ELECT"));
    client.query("ELECT 1");
    assertTrue(client.answer().getFirst().startsWith("err 1064 "));
    client.query("SELECT * FROM nowhere");
    assertTrue(client.answer().getFirst().startsWith("err 1146 "));
  }

  @Test
  void attributesBeforeTheTextAreNoPartOfIt() {
    FakeClient attributed = cn.client(ONE | Capability.QUERY_ATTRIBUTES);
    attributed.send(attributed.command(Command.QUERY, "\0\1SELECT id FROM t WHERE id = 5"));
    assertEquals("row 5", attributed.packets().get(2));
    assertEquals(List.of("SELECT id FROM t WHERE id = 5"), sent);
  }

  @Test
  void aClientThatLeavesBetweenTwoStatementsGetsNoMore() {
    cn.dns.newBranch = branch -> branch.silent = true;
    client.query("SELECT id FROM t WHERE id = 1; SELECT id FROM t WHERE id = 2");
    client.vanish();
    assertEquals(
        List.of("SELECT id FROM t WHERE id = 1"),
        cn.dns.branches.stream()
            .flatMap(branch -> branch.statements.stream())
            .map(String::strip)
            .filter(sql -> sql.startsWith("SELECT"))
            .toList());
  }

  @Test
  void statementsAreCounted() {
    long before = cn.services.clients().statementCounts().statements().sum();
    client.query("SELECT id FROM t WHERE id = 1; SELECT id FROM t WHERE id = 2");
    client.query("SELECT id FROM t WHERE id = 9");
    client.bytes();
    assertEquals(before + 3, cn.services.clients().statementCounts().statements().sum());
    assertEquals(1, cn.services.clients().statementCounts().errors().sum());
  }
}
