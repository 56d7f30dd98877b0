package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.cn.settings.ReplicaSettings.WhenDelayed;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.FakeReply;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SELECTs that go to members that follow, and those that do not. */
class ReplicaReadTest extends ReplicaReading {
  @Test
  void aReadOfOnePlaceIsDoneOnAView() {
    assertEquals(rows("row 1|b"), answer(ONE));
    assertEquals(1, cn.followers.asked.size());
    assertTrue(cn.followers.asked.getFirst().at().value() > 0);
    assertEquals(List.of(), cn.dns.asked);
  }

  @Test
  void readsOfSeveralPlacesSeeOneSnapshot() {
    assertEquals(rows("row 1|b", "row 2|b"), answer(ALL));
    assertEquals(2, cn.followers.asked.size());
    assertEquals(cn.followers.asked.getFirst().at(), cn.followers.asked.getLast().at());
    assertEquals(List.of(), cn.dns.asked);
  }

  @Test
  void aSnapshotThatIsRefusedIsAskedForLater() {
    cn.followers.refusals.put(DNS.getFirst(), 2);
    assertEquals(rows("row 1|b", "row 2|b"), answer(ALL));
  }

  @Test
  void withoutConsistencyNoSnapshotIsAskedFor() {
    wanted(0, false);
    assertEquals(rows("row 1|b", "row 2|b"), answer(ALL));
    assertTrue(cn.followers.asked.stream().allMatch(asked -> asked.at().equals(HlcTimestamp.ZERO)));
    assertEquals(rows("row 1|b"), answer(ONE));
  }

  @Test
  void whatAFollowerCannotAnswerItsLeaderDoes() {
    cn.followers.down.add(DNS.getFirst());
    cn.followers.down.add(DNS.getLast());
    assertEquals(rows("row 1|a"), answer(ONE));
    assertEquals(rows("row 1|a", "row 2|a"), answer(ALL));
    cn.followers.down.clear();
    assertEquals(rows("row 1|b"), answer(ONE));
  }

  @Test
  void anErrorOfAFollowerIsNotTold() {
    followers.put(ONE, () -> FakeReply.error(ErrorCode.ER_TABLE_DEF_CHANGED, "changed"));
    followers.put(AT_2, () -> FakeReply.error(ErrorCode.ER_TABLE_DEF_CHANGED, "changed"));
    assertEquals(rows("row 1|a"), answer(ONE));
    assertEquals(rows("row 1|a", "row 2|a"), answer(ALL));
  }

  @Test
  void aDnWithoutFollowersIsReadAtItsLeader() {
    cn.followers.dataNodes.clear();
    assertEquals(rows("row 1|a"), answer(ONE));
  }

  @Test
  void whatLocksOrWritesOrIsInATransactionGoesToLeaders() {
    assertEquals(rows("row 1|a"), answer(ONE + " FOR UPDATE"));
    answer("UPDATE t SET v = 'b' WHERE id = 1");
    answer("BEGIN");
    assertEquals(rows("row 1|a"), answer(ONE));
    answer("COMMIT");
    assertEquals(List.of(), cn.followers.branches);
  }

  /** Nobody can KILL there: its connection is closed instead. */
  @ParameterizedTest
  @ValueSource(strings = {ONE, ALL})
  void aReadThatIsKilledIsToldSo(String read) {
    cn.followers.newBranch =
        branch -> {
          branch.number = 0;
          branch.silent = true;
        };
    client.query(read);
    cn.loop.settle();
    FakeClient other = cn.client();
    other.query("KILL QUERY 1");
    assertEquals(List.of("ok 0"), other.answer());
    assertEquals(
        List.of("err 1317 Query execution was interrupted"), client.answer(), "not a loss");
    cn.followers.newBranch = branch -> {};
    assertEquals(rows("row 1|b"), answer(ONE));
  }

  /** A mysqld that holds up its group is started anew, whoever reads there. */
  @Test
  void aReadThatIsLostInTheMiddleIsToldWhy() {
    String[] values = new String[2 * 4_000];
    Arrays.fill(values, "0123456789");
    followers.put(
        ONE, () -> FakeReply.rows("shop", 2, values).inPieces(20_000).breaksBefore(20_000));
    List<String> told = answer(ONE);
    assertTrue(told.size() > 1_000, "rows have come: " + told.size());
    assertTrue(told.getLast().startsWith("err 2013 Lost connection"), told.getLast());
    assertEquals(rows("row 1|a"), answer(ONE + " FOR UPDATE"), "the session goes on");
  }

  @Test
  void membersThatAreFarBehindAreReadAsTheSessionSays() {
    cn.delay = OptionalLong.of(3_001);
    assertEquals(rows("row 1|b"), answer(ONE));
    whenDelayed(WhenDelayed.LEADER);
    assertEquals(rows("row 1|a"), answer(ONE));
    assertEquals(rows("row 1|a", "row 2|a"), answer(ALL));
    whenDelayed(WhenDelayed.REFUSE);
    assertEquals(
        List.of("err 8506 a member of dn-2 is 3001 ms behind, and storage_delay_threshold is 3 s"),
        answer(ONE));
    assertTrue(answer(ALL).getFirst().startsWith("err 8506 a member of dn-1 is 3001 ms behind"));
    answer("START TRANSACTION READ ONLY");
    assertTrue(answer(ONE).getFirst().startsWith("err 8506"));
    assertTrue(answer(ALL).getFirst().startsWith("err 8506"));
    cn.delay = OptionalLong.of(3_000);
    assertEquals(rows("row 1|b"), answer(ONE), "the transaction is what it was");
    answer("COMMIT");
    cn.delay = OptionalLong.of(Long.MAX_VALUE);
    assertEquals(
        List.of("err 8506 a member of dn-2 does not follow, and storage_delay_threshold is 3 s"),
        answer(ONE));
  }

  private void whenDelayed(WhenDelayed what) {
    client.connection.session().reads().replicas().settings(new ReplicaSettings(0, true, 3, what));
  }

  @Test
  void allGoesToLeadersByDefault() {
    wanted(100, true);
    assertEquals(rows("row 1|a"), answer(ONE));
    assertEquals(rows("row 1|a", "row 2|a"), answer(ALL));
    assertEquals(List.of(), cn.followers.branches);
  }
}
