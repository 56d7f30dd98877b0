package io.alrai.dn.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.binlog.TransactionKind.Commit;
import io.alrai.dn.binlog.TransactionKind.Decision;
import io.alrai.dn.binlog.TransactionKind.Statement;
import io.alrai.dn.binlog.TransactionKind.XaCommit;
import io.alrai.dn.binlog.TransactionKind.XaPrepare;
import io.alrai.dn.link.Branch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stream of a real mysqld. */
class SemiSyncStreamIT {
  private static final String XID = "X'613A636E2D313A6D6B3A373A646E2D31',X'646E2D32',1";

  @TempDir Path temporary;
  private final HandGate gate = new HandGate();
  private StreamedServer server;

  @BeforeEach
  void start() throws Exception {
    server = new StreamedServer(temporary.resolve("dn-1"), gate);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  /** A schema d with a table t of so many rows (id, v). */
  private void table(int rows) throws Exception {
    server.attach();
    gate.open();
    server.query("CREATE DATABASE d;CREATE TABLE d.t (id INT PRIMARY KEY, v LONGTEXT)");
    for (int i = 1; i <= rows; i++) {
      server.query("INSERT INTO d.t VALUES (" + i + ",'0')");
    }
    gate.shut();
  }

  private static void assertWaits(CompletableFuture<Answer> answer) throws Exception {
    try {
      answer.get(150, TimeUnit.MILLISECONDS);
    } catch (TimeoutException waits) {
      return;
    } catch (ExecutionException e) {
      throw new AssertionError("failed instead of waiting", e);
    }
    throw new AssertionError("went through without being acknowledged");
  }

  @Test
  void nothingIsVisibleBeforeItIsLetThrough() throws Exception {
    table(1);
    Branch writer = server.connect();
    CompletableFuture<Answer> update =
        StreamedServer.send(writer, "UPDATE d.t SET v='1' WHERE id=1");
    BinlogTransaction arrived = gate.next();
    assertEquals(new Commit(), arrived.kind());
    assertEquals(List.of(new TableName("d", "t")), arrived.tables());
    assertTrue(arrived.events().isPresent());
    assertWaits(update);
    assertEquals("0", server.value("SELECT v FROM d.t WHERE id=1"));
    assertEquals(
        "0", server.value("SELECT GTID_SUBSET('" + arrived.gtid() + "', @@global.gtid_executed)"));
    gate.pass(arrived);
    StreamedServer.get(update);
    assertEquals("1", server.value("SELECT v FROM d.t WHERE id=1"));
  }

  @Test
  void commitsBeforeTheStreamIsThereWaitForIt() throws Exception {
    Branch early = server.connect();
    CompletableFuture<Answer> create = StreamedServer.send(early, "CREATE DATABASE early");
    assertWaits(create);
    server.attach();
    BinlogTransaction arrived = gate.next();
    assertEquals(new Statement(), arrived.kind());
    assertTrue(gate.visible().isEmpty());
    assertWaits(create);
    gate.pass(arrived);
    StreamedServer.get(create);
  }

  @Test
  void distributedCommitsAreRecognised() throws Exception {
    table(1);
    Branch branch = server.connect();
    CompletableFuture<Answer> prepare =
        StreamedServer.send(
            branch,
            "XA START "
                + XID
                + ";UPDATE d.t SET v='2' WHERE id=1;XA END "
                + XID
                + ";XA PREPARE "
                + XID);
    Xid xid = new Xid(1, "a:cn-1:mk:7:dn-1", "dn-2");
    BinlogTransaction prepared = gate.next();
    assertEquals(new XaPrepare(xid), prepared.kind());
    assertWaits(prepare);
    assertTrue(server.query("XA RECOVER").isEmpty());
    gate.pass(prepared);
    StreamedServer.get(prepare);
    assertEquals(1, server.query("XA RECOVER").size());
    CompletableFuture<Answer> commit = StreamedServer.send(branch, "XA COMMIT " + XID);
    BinlogTransaction committed = gate.next();
    assertEquals(new XaCommit(xid), committed.kind());
    gate.pass(committed);
    StreamedServer.get(commit);

    CompletableFuture<Answer> decide =
        StreamedServer.send(
            branch,
            "BEGIN;UPDATE d.t SET v='3' WHERE id=1;INSERT INTO alrai.tx_log"
                + " (txid,commit_ts,participants) VALUES ('a:cn-1:mk:8:dn-1',77,'dn-2');COMMIT");
    BinlogTransaction decided = gate.next();
    assertEquals(
        new Decision(
            new TransactionId(new NodeId("cn-1"), 812, 8, new DnId("dn-1")), new HlcTimestamp(77)),
        decided.kind());
    gate.pass(decided);
    StreamedServer.get(decide);

    TransactionId id = new TransactionId(new NodeId("cn-1"), 812, 9, new DnId("dn-1"));
    List<DnId> others = List.of(new DnId("dn-2"), new DnId("dn-3"));
    String mark = DecisionMark.statement(id, new HlcTimestamp(78), others).orElseThrow().text();
    for (String mode : List.of("", "ANSI_QUOTES")) {
      CompletableFuture<Answer> marked =
          StreamedServer.send(
              branch,
              "SET sql_mode='"
                  + mode
                  + "',sql_quote_show_create=OFF;BEGIN;SAVEPOINT a;UPDATE d.t SET v='m"
                  + mode
                  + "' WHERE id=1;SAVEPOINT b;"
                  + mark
                  + ";COMMIT");
      BinlogTransaction told = gate.next();
      assertEquals(new Decision(id, new HlcTimestamp(78), others), told.kind());
      gate.pass(told);
      StreamedServer.get(marked);
    }
  }

  @Test
  void aBrokenConnectionLetsNothingThrough() throws Exception {
    table(3);
    CompletableFuture<Answer> first =
        StreamedServer.send(server.connect(), "UPDATE d.t SET v='1' WHERE id=1");
    BinlogTransaction received = gate.next();
    server.stream().breakConnection();
    CompletableFuture<Answer> second =
        StreamedServer.send(server.connect(), "UPDATE d.t SET v='1' WHERE id=2");
    BinlogTransaction afterwards = gate.next();
    assertEquals(received.gtid().number() + 1, afterwards.gtid().number());
    assertWaits(first);
    assertWaits(second);
    assertEquals("0", server.value("SELECT MAX(v) FROM d.t"));
    gate.pass(received);
    StreamedServer.get(first);
    assertWaits(second);
    server.stream().breakConnection();
    gate.pass(afterwards);
    StreamedServer.get(second);
  }

  @Test
  void anAcknowledgementThatTheConnectionTookAlongIsSentAgain() throws Exception {
    table(1);
    for (int i = 1; i <= 30; i++) {
      CompletableFuture<Answer> update =
          StreamedServer.send(server.connect(), "UPDATE d.t SET v='" + i + "' WHERE id=1");
      BinlogTransaction arrived = gate.next();
      if (i % 2 == 0) {
        server.stream().breakConnection();
      }
      gate.pass(arrived);
      if (i % 2 != 0) {
        server.stream().breakConnection();
      }
      StreamedServer.get(update);
    }
  }

  @Test
  void nothingButWhatWasReceivedIsAcknowledged() throws Exception {
    table(2);
    CompletableFuture<Answer> update =
        StreamedServer.send(server.connect(), "UPDATE d.t SET v='1' WHERE id=1");
    BinlogTransaction arrived = gate.next();
    gate.ack(new BinlogPosition(arrived.end().file(), arrived.end().offset() + 1));
    gate.ack(new BinlogPosition("binlog.000099", 4));
    assertWaits(update);
    gate.pass(arrived);
    StreamedServer.get(update);
    CompletableFuture<Answer> another =
        StreamedServer.send(server.connect(), "UPDATE d.t SET v='1' WHERE id=2");
    gate.next();
    assertWaits(another);
    gate.open();
  }

  @Test
  void aTransactionWithALargeRow() throws Exception {
    table(1);
    server.query("SET GLOBAL max_allowed_packet=67108864");
    CompletableFuture<Answer> update =
        StreamedServer.send(server.connect(), "UPDATE d.t SET v=REPEAT('x', 40000000) WHERE id=1");
    BinlogTransaction arrived = gate.next();
    assertTrue(arrived.length() > 40_000_000, "length " + arrived.length());
    assertFalse(arrived.events().isPresent());
    gate.pass(arrived);
    StreamedServer.get(update);
    gate.open();
    server.query("UPDATE d.t SET v='small' WHERE id=1;FLUSH BINARY LOGS");
    server.query("UPDATE d.t SET v='in the next file' WHERE id=1");
    List<BinlogTransaction> passed = gate.passed();
    assertEquals("binlog.000001", passed.get(passed.size() - 3).end().file());
    assertTrue(passed.getLast().end().compareTo(arrived.end()) > 0);
    assertFalse(passed.getLast().end().file().equals("binlog.000001"));
  }

  @Test
  void namesWithTagsAreTakenUpAgain() throws Exception {
    table(1);
    gate.open();
    server.query("SET GTID_NEXT='AUTOMATIC:nice';UPDATE d.t SET v='tagged' WHERE id=1");
    assertEquals("nice", gate.passed().getLast().gtid().tag());
    int passed = gate.passed().size();
    server.killAndCut();
    server.startAgain();
    server.attach();
    assertEquals(GtidSet.parse(server.value("SELECT @@global.gtid_executed")), gate.visible());
    server.query("UPDATE d.t SET v='after' WHERE id=1");
    assertEquals(passed + 1, gate.passed().size());
  }

  /** What a killed server has in its log and nobody let through is gone; all else is there. */
  @Test
  void theTailOfAKilledServerIsCutOff() throws Exception {
    int writers = 8;
    table(writers);
    for (int round = 0; round < 4; round++) {
      gate.shut();
      List<CompletableFuture<Answer>> updates = new ArrayList<>();
      for (int i = 1; i <= writers; i++) {
        updates.add(
            StreamedServer.send(
                server.connect(), "UPDATE d.t SET v='" + (round + 1) + "' WHERE id=" + i));
      }
      List<BinlogTransaction> arrived = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        arrived.add(gate.next());
      }
      int let = round * 2; // none, some, some more
      Set<Gtid> through = new HashSet<>();
      for (BinlogTransaction tx : arrived.subList(0, let)) {
        gate.pass(tx);
        through.add(tx.gtid());
      }
      assertTrue(server.killAndCut() > 0);
      long answered =
          updates.stream().filter(one -> one.isDone() && !one.isCompletedExceptionally()).count();
      assertTrue(answered <= let, answered + " went through, " + let + " were let through");
      server.startAgain();
      server.attach();
      GtidSet visible = gate.visible();
      for (BinlogTransaction tx : arrived) {
        assertEquals(through.contains(tx.gtid()), visible.contains(tx.gtid()), tx.toString());
      }
      assertEquals(
          Integer.toString(let),
          server.value("SELECT COUNT(*) FROM d.t WHERE v='" + (round + 1) + "'"));
      assertTrue(server.query("XA RECOVER").isEmpty());
      gate.open();
      server.query("UPDATE d.t SET v='0'");
    }
  }

  /** What the gate stands on: groups end only where the stream says that they may. */
  @Test
  void aCommitGroupBecomesVisibleAsOne() throws Exception {
    int writers = 16;
    table(writers);
    List<Branch> branches = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      branches.add(server.connect());
    }
    for (int round = 1; round <= 5; round++) {
      List<CompletableFuture<Answer>> updates = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        updates.add(
            StreamedServer.send(
                branches.get(i), "UPDATE d.t SET v='" + round + "' WHERE id=" + (i + 1)));
      }
      Set<Integer> ends = new TreeSet<>(Set.of(0));
      for (int acked = 1; acked <= writers; acked++) {
        BinlogTransaction next = gate.next();
        if (next.mayEndGroup()) {
          ends.add(acked);
        }
        gate.pass(next);
        Thread.sleep(20);
        int visible = withValue(round);
        assertTrue(ends.contains(visible), visible + " of " + acked + ", groups end at " + ends);
      }
      for (CompletableFuture<Answer> update : updates) {
        StreamedServer.get(update);
      }
      assertEquals(writers, withValue(round));
    }
  }

  private int withValue(int value) throws Exception {
    return Integer.parseInt(server.value("SELECT COUNT(*) FROM d.t WHERE v='" + value + "'"));
  }

  @Test
  void anXaCommitInTheTailIsPreparedAgain() throws Exception {
    table(1);
    gate.open();
    server.query(
        "XA START "
            + XID
            + ";UPDATE d.t SET v='2' WHERE id=1;XA END "
            + XID
            + ";XA PREPARE "
            + XID);
    gate.shut();
    StreamedServer.send(server.connect(), "XA COMMIT " + XID);
    assertTrue(gate.next().kind() instanceof XaCommit);
    assertTrue(server.killAndCut() > 0);
    server.startAgain();
    server.attach();
    assertEquals("0", server.value("SELECT v FROM d.t WHERE id=1"));
    assertEquals(1, server.query("XA RECOVER").size());
    gate.open();
    server.query("XA COMMIT " + XID);
    assertEquals("2", server.value("SELECT v FROM d.t WHERE id=1"));
  }

  @Test
  void aLogThatWasJustBegunIsCutAtItsStart() throws Exception {
    table(1);
    gate.open();
    server.query("FLUSH BINARY LOGS");
    gate.shut();
    StreamedServer.send(server.connect(), "UPDATE d.t SET v='2' WHERE id=1");
    BinlogTransaction arrived = gate.next();
    assertEquals("binlog.000002", arrived.end().file());
    assertTrue(server.killAndCut() > 0);
    server.startAgain();
    server.attach();
    assertFalse(gate.visible().contains(arrived.gtid()));
    assertEquals("0", server.value("SELECT v FROM d.t WHERE id=1"));
  }
}
