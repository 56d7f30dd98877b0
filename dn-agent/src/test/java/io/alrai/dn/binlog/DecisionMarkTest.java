package io.alrai.dn.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions as names of savepoints. */
final class DecisionMarkTest {
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 812, 8, new DnId("dn-1"));
  private static final HlcTimestamp TS = new HlcTimestamp(77);
  private static final String TEXT = "SAVEPOINT `alrai:decided a:cn-1:mk:8:dn-1 77 dn-2,dn-3`";

  @Test
  void isWrittenAndReadBack() {
    List<DnId> participants = List.of(new DnId("dn-2"), new DnId("dn-3"));
    assertEquals(Optional.of(TEXT), DecisionMark.statement(ID, TS, participants).map(Sql::text));
    TransactionKind.Decision decision = new TransactionKind.Decision(ID, TS, participants);
    assertEquals(Optional.of(decision), DecisionMark.in(TEXT));
    assertEquals(Optional.of(decision), DecisionMark.in(TEXT.replace('`', '"')));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SAVEPOINT `a`", "SAVEPOINT a", "SAVEPOINT ", "BEGIN", ""})
  void otherSavepointsDecideNothing(String statement) {
    assertEquals(Optional.empty(), DecisionMark.in(statement));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SAVEPOINT `alrai:decided `",
        "SAVEPOINT `alrai:decided a:cn-1:mk:8:dn-1 77`",
        "SAVEPOINT `alrai:decided a:cn-1:mk:8:dn-1 x dn-2`",
        "SAVEPOINT `alrai:decided a:cn-1:mk:8:dn-1 77 `"
      })
  void whatAlraiDidNotWriteIsADefect(String statement) {
    assertThrows(BinlogException.class, () -> DecisionMark.in(statement));
  }

  @Test
  void withoutParticipantsOrWithTooManyThereIsNone() {
    assertEquals(Optional.empty(), DecisionMark.statement(ID, TS, List.of()));
    List<DnId> many = IntStream.range(0, 80).mapToObj(i -> new DnId("dn-" + i)).toList();
    assertEquals(Optional.empty(), DecisionMark.statement(ID, TS, many));
  }
}
