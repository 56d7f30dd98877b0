package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.tx.FakeDns.Asked;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that only read, at members that follow. */
class ReplicaTransactionTest extends ReplicaReading {
  private static final String BEGIN = "START TRANSACTION READ ONLY";

  private boolean open() {
    return client.connection.session().transaction().open();
  }

  private static Set<HlcTimestamp> snapshots(List<Asked> asked) {
    return asked.stream().map(Asked::at).collect(Collectors.toSet());
  }

  private FakeBranch view(DnId dn) {
    return cn.followers.branches.stream()
        .filter(branch -> branch.dn().equals(dn) && !branch.closed)
        .findFirst()
        .orElseThrow();
  }

  private void readsAtReplicas() {
    assertEquals(rows("row 1|b"), answer(ONE));
    assertEquals(rows("row 1|b", "row 2|b"), answer(ALL));
    assertEquals(rows("row 1|b"), answer(ONE));
    assertEquals(2, cn.followers.asked.size(), "one view of each DN");
    assertEquals(1, snapshots(cn.followers.asked).size());
    assertEquals(List.of(), cn.dns.asked);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        BEGIN,
        "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
        "SET TRANSACTION READ ONLY;BEGIN",
        "SET SESSION transaction_read_only=1;BEGIN",
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;BEGIN"
      })
  void allOfItIsReadAtOneSnapshot(String begin) {
    for (String statement : begin.split(";", -1)) {
      answer(statement);
    }
    readsAtReplicas();
    answer("COMMIT");
    assertTrue(cn.followers.branches.stream().allMatch(branch -> branch.released));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN",
        "START TRANSACTION WITH CONSISTENT SNAPSHOT",
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY;BEGIN",
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY;BEGIN"
      })
  void othersReadAtTheLeaders(String begin) {
    for (String statement : begin.split(";", -1)) {
      answer(statement);
    }
    assertEquals(rows("row 1|a"), answer(ONE));
    answer("COMMIT");
    assertEquals(List.of(), cn.followers.branches);
  }

  @Test
  void aReadBeginsItWithoutAutocommit() {
    client.connection.session().defaults().readOnly(true);
    client.connection.session().defaults().autocommit(false);
    readsAtReplicas();
    answer("COMMIT");
    answer(ONE);
    assertEquals(4, cn.followers.asked.size(), "the next one");
    answer("COMMIT");
  }

  @Test
  void withoutConsistencyAndByDefaultLeadersAreRead() {
    client.connection.session().reads().eventual(true);
    answer(BEGIN);
    assertEquals(rows("row 1|a"), answer(ONE));
    answer("COMMIT");
    client.connection.session().reads().eventual(false);
    wanted(0, false);
    answer(BEGIN);
    assertEquals(rows("row 1|a"), answer(ONE));
    answer("COMMIT");
    wanted(100, true);
    answer(BEGIN);
    assertEquals(rows("row 1|a"), answer(ONE));
    answer("COMMIT");
  }

  /** MySQL locks what is current, whatever the snapshot shows, and goes on with that. */
  @Test
  void whatLocksGoesToTheLeaderAndTheSnapshotStays() {
    answer(BEGIN);
    assertEquals(rows("row 1|b"), answer(ONE));
    assertEquals(rows("row 1|a"), answer(ONE + " FOR UPDATE"));
    readsAtReplicas();
    answer("ROLLBACK");
  }

  @Test
  void whoLocksFirstReadsAtReplicasLater() {
    answer(BEGIN);
    assertEquals(rows("row 1|a"), answer(ONE + " FOR SHARE"));
    readsAtReplicas();
    answer("COMMIT");
  }

  @Test
  void whatCannotBeOpenedIsReadAtTheLeaders() {
    cn.followers.down.add(DNS.getLast());
    answer(BEGIN);
    assertEquals(rows("row 1|a"), answer(ONE));
    cn.followers.down.clear();
    assertEquals(rows("row 1|a", "row 2|a"), answer(ALL), "all of it");
    answer("COMMIT");
    assertEquals(1, snapshots(cn.dns.asked).size());
  }

  /** Neither the members that follow nor the leaders can be read. */
  @ParameterizedTest
  @ValueSource(strings = {ONE, ALL})
  void whoseFirstReadFindsNobodyIsRestarted(String read) {
    cn.followers.down.addAll(DNS);
    AlraiException lost = new AlraiException(ErrorCode.CR_SERVER_LOST, "lost");
    DNS.forEach(dn -> cn.dns.silent.put(dn, CompletableFuture.failedFuture(lost)));
    answer(BEGIN);
    assertEquals(
        "err 1213 lost; the transaction was rolled back, try restarting transaction",
        answer(read).getFirst());
    assertFalse(open());
    cn.dns.silent.clear();
    cn.followers.down.clear();
  }

  @Test
  void aViewThatIsLostIsOpenedAgainAtItsSnapshot() {
    answer(BEGIN);
    assertEquals(rows("row 1|b"), answer(ONE));
    view(DNS.getFirst()).breakOff();
    view(DNS.getLast()).breakOff();
    assertEquals(rows("row 1|a", "row 2|a"), answer(ALL));
    assertEquals(rows("row 1|a"), answer(ONE));
    assertEquals(snapshots(cn.followers.asked), snapshots(cn.dns.asked));
    answer("COMMIT");
  }

  @Test
  void aReadIsDoneAgainWhereItsReplicaIsLost() {
    answer(BEGIN);
    assertEquals(rows("row 1|b"), answer(ONE));
    followers.put(AT_1, () -> FakeReply.ok().breaksBefore(1));
    followers.put(ONE, () -> FakeReply.ok().breaksBefore(1));
    assertEquals(rows("row 1|a", "row 2|b"), answer(ALL), "the other one serves");
    assertEquals(rows("row 1|a"), answer(ONE));
    assertTrue(open());
    assertEquals(snapshots(cn.followers.asked), snapshots(cn.dns.asked));
    answer("COMMIT");
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE, ALL})
  void theTransactionEndsWhereItsSnapshotIsGone(String read) {
    answer(BEGIN);
    assertEquals(rows("row 1|b"), answer(ONE));
    cn.dns.refusals.put(DNS.getFirst(), 1);
    cn.dns.refusals.put(DNS.getLast(), 1);
    DNS.forEach(dn -> view(dn).breakOff());
    assertEquals(
        "err 1213 the transaction lost its connection to a member that follows, and its snapshot is"
            + " gone there; try restarting transaction",
        answer(read).getFirst());
    assertFalse(open());
    assertTrue(cn.followers.branches.stream().allMatch(branch -> branch.closed || branch.released));
    answer(BEGIN);
    assertEquals(rows("row 1|b"), answer(ONE), "the next one");
    answer("COMMIT");
  }

  @Test
  void aClientThatLeavesLeavesNothing() {
    answer(BEGIN);
    assertEquals(rows("row 1|b"), answer(ONE));
  }
}
