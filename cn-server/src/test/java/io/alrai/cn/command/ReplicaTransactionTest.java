package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.process.ScriptedReplies;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.cn.settings.ReplicaSettings.WhenDelayed;
import io.alrai.cn.tx.FakeDns.Asked;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that only read, at members that follow. */
class ReplicaTransactionTest {
  private static final String BEGIN = "START TRANSACTION READ ONLY";
  private static final String ONE = "SELECT v, id FROM t WHERE id = 1";
  private static final String ALL = "SELECT id, v FROM t ORDER BY id LIMIT 3";
  private static final String AT_1 = "SELECT id,v FROM `a1_p00001`.`t`";
  private static final String AT_2 = "SELECT id,v FROM `a1_p00002`.`t`";
  private static final List<DnId> DNS = List.of(new DnId("dn-1"), new DnId("dn-2"));

  private final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))");
  private final FakeClient client = cn.client();
  private final ScriptedReplies leaders = replies("a");
  private final ScriptedReplies followers = replies("b");

  private static ScriptedReplies replies(String from) {
    ScriptedReplies replies = new ScriptedReplies();
    replies.put(ONE, () -> FakeReply.rows("shop", 2, "1", from));
    replies.put(AT_1, () -> FakeReply.rows("", 2, "1", from));
    replies.put(AT_2, () -> FakeReply.rows("", 2, "2", from));
    replies.put("SELECT id, v FROM t", () -> FakeReply.rows("shop", 2));
    return replies;
  }

  @BeforeEach
  void columnsAreKnown() {
    cn.dns.replies = leaders;
    cn.followers.replies = followers;
    cn.followers.dataNodes.addAll(DNS);
    answer(ALL);
    wanted(0, true);
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private void wanted(int weight, boolean consistent) {
    client
        .connection
        .session()
        .reads()
        .replicas()
        .settings(new ReplicaSettings(weight, consistent, 3, WhenDelayed.READ));
    cn.dns.asked.clear();
  }

  private static List<String> rows(String... rows) {
    List<String> all = new ArrayList<>(List.of("2 columns", "shop.t.c0", "shop.t.c1"));
    all.addAll(List.of(rows));
    all.add("end");
    return all;
  }

  private List<String> answer(String sql) {
    client.query(sql);
    return client.answer();
  }

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
